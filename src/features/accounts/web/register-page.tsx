import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { EntryLayout } from './entry-layout.tsx'
import { FormError } from './form-error.tsx'
import { PasswordRules } from './password-rules.tsx'
import { useRegistration } from './use-registration.ts'

const link = 'text-accent-text underline underline-offset-2'

export function RegisterPage() {
  const { form, makesAdmin } = useRegistration()
  const { formRef, error, onSubmit } = form.dialog
  // The account is there, and the next page is on its way.
  const busy = form.dialog.busy || form.saved !== undefined

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
        ref={formRef}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) onSubmit()
        }}
      >
        <FormError message={error} />
        <TextField
          {...form.field('username')}
          required
          label={t`Username`}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
        />
        <TextField {...form.field('email')} required label={t`Email`} type="email" autoComplete="email" />
        <TextField {...form.field('displayName')} required label={t`Display name`} autoComplete="name" />
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
        <CheckboxField
          {...form.checkbox('terms')}
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
