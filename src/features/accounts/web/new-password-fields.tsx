import { t } from '@lingui/core/macro'
import type { ComponentProps } from 'react'
import { Check } from 'lucide-react'
import { PasswordField } from '#web/ui/password-field.tsx'
import { leastLength, passwordDemands } from '../accounts.rules.ts'
import { passwordPolicy } from './password-policy.ts'

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

/** The password rules, checked off while typing. */
function PasswordRules({ password }: { password: string }) {
  const policy = passwordPolicy()
  const min = leastLength(policy)
  const texts = {
    length: t`At least ${min} characters`,
    uppercase: t`An uppercase letter`,
    lowercase: t`A lowercase letter`,
    number: t`A number`,
  }
  const demands = Object.entries(passwordDemands(password, policy)) as [keyof typeof texts, boolean][]
  const rules = demands.map(([demand, met]) => ({ text: texts[demand], met }))
  return (
    <span className="grid grid-cols-2 gap-x-3 gap-y-1">
      {rules.map(({ text, met }) => (
        <span key={text} className={`flex items-center gap-1.5 ${met ? 'text-accent-text' : ''}`}>
          {met ? (
            <Check aria-hidden="true" className="size-3.5" />
          ) : (
            <span aria-hidden="true" className="mx-[3px] size-2 rounded-full border border-line-strong" />
          )}
          {text}
          {met && <span className="sr-only"> ({t`met`})</span>}
        </span>
      ))}
    </span>
  )
}
