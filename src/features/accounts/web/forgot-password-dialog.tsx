import { t } from '@lingui/core/macro'
import { MailX } from 'lucide-react'
import { useState } from 'react'
import { useProblemText } from '#web/form/use-problem-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { emailProblem } from '../accounts.rules.ts'

/** Part 1 §5: the wait of a request that is not made. While no mail can be sent, the text says who can help. */
const waitMs = 2000

export function ForgotPasswordDialog({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState('')
  const [problem, setProblem] = useState<ReturnType<typeof emailProblem>>()
  const [step, setStep] = useState<'form' | 'waiting' | 'answered'>('form')
  const problemText = useProblemText()

  const submit = () => {
    const found = emailProblem(email)
    setProblem(found)
    if (found) return
    setStep('waiting')
    setTimeout(() => setStep('answered'), waitMs)
  }

  if (step === 'answered') {
    return (
      <Dialog
        title={t`An administrator can help`}
        size="sm"
        onClose={onClose}
        footer={<Button variant="primary" onClick={onClose}>{t`Close`}</Button>}
      >
        <div role="status" className="flex gap-3 text-ui text-text-2">
          <MailX aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-warn" />
          <p className="min-w-0 wrap-anywhere">
            {t`This server does not send mail, so no reset link is on its way to ${email.trim()}. Ask an administrator of this server to set a new password for you.`}
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
      error={undefined}
      onSubmit={submit}
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
