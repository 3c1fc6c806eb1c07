import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { failureText } from '#web/errors.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { SecondFactorField } from '#web/ui/second-factor-field.tsx'
import { isAboutSecondFactor, useSecondFactor } from '#web/ui/use-second-factor.ts'

export interface Proof {
  password: string
  code: string
}

interface ProofDialogProps<R> {
  title: string
  description: string
  submitLabel: string
  send: (proof: Proof) => Promise<R>
  onDone: (reply: R) => void
  onClose: () => void
}

/** Password and code together, so that nobody at an open desk can do it. */
export function ProofDialog<R>({ send, onDone, ...dialog }: ProofDialogProps<R>) {
  const [password, setPassword] = useState('')
  const factor = useSecondFactor()
  const act = useMutation({
    mutationFn: () => send({ password, code: factor.text.trim() }),
    onSuccess: onDone,
    onError: (error) => isAboutSecondFactor(error) && factor.typeAgain(),
  })
  return (
    <FormDialog
      {...dialog}
      size="sm"
      busy={act.isPending}
      submitDisabled={password === ''}
      error={act.error ? failureText(act.error, t`An unexpected error occurred`) : undefined}
      onSubmit={() => factor.check() && act.mutate()}
    >
      <PasswordField
        label={t`Password`}
        required
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <SecondFactorField factor={factor} />
    </FormDialog>
  )
}
