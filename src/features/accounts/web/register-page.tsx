import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { type ChangeEvent, useState } from 'react'
import { paths } from '#web/paths.ts'
import { useProblemText } from '#web/form/use-problem-text.ts'
import { Button } from '#web/ui/button.tsx'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import type { RegistrationForm } from '../accounts.rules.ts'
import { EntryLayout } from './entry-layout.tsx'
import { FormError } from './form-error.tsx'
import { PasswordRules } from './password-rules.tsx'
import { useRegistration } from './use-registration.ts'

const link = 'text-accent-text underline underline-offset-2'

const empty: RegistrationForm = {
  username: '',
  email: '',
  password: '',
  confirmPassword: '',
  displayName: '',
  terms: false,
}

export function RegisterPage() {
  const [form, setForm] = useState(empty)
  const { problems, failure, busy, submit, makesAdmin } = useRegistration(form)
  const problemText = useProblemText()
  const textOf = (field: 'username' | 'email' | 'password' | 'confirmPassword' | 'displayName') => ({
    name: field,
    required: true,
    value: form[field],
    error: problemText(problems[field]),
    onChange: (event: ChangeEvent<HTMLInputElement>) => setForm({ ...form, [field]: event.target.value }),
  })

  return (
    <EntryLayout
      title={t`Create account`}
      description={
        makesAdmin ? (
          t`This link makes you the administrator of this server.`
        ) : (
          <Trans>
            Already have one?{' '}
            <Link to={paths.login()} className={link}>
              Sign in
            </Link>
          </Trans>
        )
      }
    >
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <FormError message={failure} />
        <TextField
          {...textOf('username')}
          label={t`Username`}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
        />
        <TextField {...textOf('email')} label={t`Email`} type="email" autoComplete="email" />
        <TextField {...textOf('displayName')} label={t`Display name`} autoComplete="name" />
        <PasswordField
          {...textOf('password')}
          label={t`Password`}
          autoComplete="new-password"
          help={<PasswordRules password={form.password} />}
        />
        <PasswordField {...textOf('confirmPassword')} label={t`Confirm password`} autoComplete="new-password" />
        <CheckboxField
          name="terms"
          checked={form.terms}
          error={problemText(problems.terms)}
          onChange={(event) => setForm({ ...form, terms: event.target.checked })}
          label={
            <Trans>
              I agree to the{' '}
              <Link to={paths.terms()} target="_blank" className={link}>
                terms and conditions
              </Link>
            </Trans>
          }
        />
        <Button type="submit" variant="primary" size="lg" busy={busy} className="w-full">
          {t`Create account`}
        </Button>
      </form>
    </EntryLayout>
  )
}
