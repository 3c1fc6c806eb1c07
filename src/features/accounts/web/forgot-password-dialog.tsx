import { t } from '@lingui/core/macro'
import { MailCheck, MailX } from 'lucide-react'
import { useState } from 'react'
import { call } from '#web/api/call.ts'
import { CallFailed } from '#web/api/call-failed.ts'
import { failureText } from '#web/api/errors.ts'
import { useProblemText } from '#web/form/use-problem-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { emailProblem } from '../accounts.rules.ts'

/** Simulated duration of the request. If the server sends no email, the text says who can help. */
const waitMs = 2000

/** Set by the server in the page. */
const mailWasOn = (): boolean => document.querySelector<HTMLMetaElement>('meta[name="signet-mail"]')?.content === 'on'

type Step = 'form' | 'waiting' | 'sent' | 'without mail'

/** Requests the link; the reply does not reveal whether the address has an account. */
async function ask(email: string): Promise<Step> {
  if (!mailWasOn()) {
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    return 'without mail'
  }
  try {
    await call('POST /forgot-password', { body: { email } })
    return 'sent'
  } catch (error) {
    if (error instanceof CallFailed && error.code === 'MAIL_OFF') return 'without mail'
    throw error
  }
}

export function ForgotPasswordDialog({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState('')
  const [problem, setProblem] = useState<ReturnType<typeof emailProblem>>()
  const [step, setStep] = useState<Step>('form')
  const [failure, setFailure] = useState<unknown>()
  const problemText = useProblemText()
  const address = email.trim()

  const submit = async () => {
    const found = emailProblem(email)
    setProblem(found)
    setFailure(undefined)
    if (found) return
    setStep('waiting')
    try {
      setStep(await ask(address))
    } catch (error) {
      setFailure(error)
      setStep('form')
    }
  }

  if (step === 'sent' || step === 'without mail') {
    const isSent = step === 'sent'
    const Icon = isSent ? MailCheck : MailX
    return (
      <Dialog
        title={isSent ? t`Check your inbox` : t`An administrator can help`}
        size="sm"
        onClose={onClose}
        footer={<Button variant="primary" onClick={onClose}>{t`Close`}</Button>}
      >
        <div role="status" className="flex gap-3 text-ui text-text-2">
          <Icon aria-hidden="true" className={`mt-0.5 size-5 shrink-0 ${isSent ? 'text-accent-text' : 'text-warn'}`} />
          <p className="min-w-0 wrap-anywhere">
            {isSent
              ? t`If an account has the address ${address}, a link to set a new password has been sent. It works once and expires after 30 minutes.`
              : t`This server does not send mail, so no reset link was sent to ${address}. Ask an administrator of this server for a link to set a new password. If you are a reseller, ask the owner who invited you.`}
          </p>
        </div>
      </Dialog>
    )
  }
  return (
    <FormDialog
      title={t`Forgot password`}
      description={t`Enter the email address of your account.`}
      size="sm"
      submitLabel={t`Reset password`}
      busy={step === 'waiting'}
      error={failure ? failureText(failure, t`Failed to request a new password`) : undefined}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <TextField
        label={t`Email`}
        type="email"
        autoComplete="email"
        required
        value={email}
        error={problemText(problem)}
        onChange={(event) => setEmail(event.target.value)}
      />
    </FormDialog>
  )
}
