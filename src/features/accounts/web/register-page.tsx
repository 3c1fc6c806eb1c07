import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { EntryForm } from './entry-form.tsx'
import { EntryLayout } from './entry-layout.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'
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
          t`This link makes you the administrator of this server. Nothing limits your own account: it is on the Unlimited plan. Owners who register get the plan of your settings, Free unless you choose another.`
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
      <EntryForm formRef={formRef} onSubmit={() => !busy && onSubmit()} error={error}>
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
        <NewPasswordFields form={form} />
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
      </EntryForm>
    </EntryLayout>
  )
}
