import { t } from '@lingui/core/macro'
import type { ComponentProps } from 'react'
import { PasswordField } from '#web/ui/password-field.tsx'
import { PasswordRules } from './password-rules.tsx'

interface NewPasswordFieldsProps {
  form: {
    values: { password: string }
    field(name: 'password' | 'confirmPassword'): Omit<ComponentProps<typeof PasswordField>, 'label'>
  }
}

/** Password of a new account with its rules, and its confirmation. */
export const NewPasswordFields = ({ form }: NewPasswordFieldsProps) => (
  <>
    <PasswordField
      {...form.field('password')}
      required
      label={t`Password`}
      autoComplete="new-password"
      help={<PasswordRules password={form.values.password} />}
    />
    <PasswordField
      {...form.field('confirmPassword')}
      required
      label={t`Confirm password`}
      autoComplete="new-password"
    />
  </>
)
