import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { paths } from '#web/navigation/paths.ts'
import { Button, buttonStyle } from '#web/ui/button.tsx'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { EntryForm } from './entry-form.tsx'
import { EntryLayout } from './entry-layout.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'
import { useRegistration } from './use-registration.ts'

const link = 'text-accent-text underline underline-offset-2'

const ClosedRegistration = () => (
  <EntryLayout
    title={t`Create account`}
    description={t`Registration is closed. Contact an administrator for an account.`}
  >
    <Link to={paths.login()} className={buttonStyle({ size: 'lg' })}>
      {t`Sign in`}
    </Link>
  </EntryLayout>
)

export function RegisterPage() {
  const { form, makesAdmin, asksForLink, isClosed } = useRegistration()
  const { formRef, error, onSubmit } = form.dialog
  // The account has been created and the next page is loading.
  const busy = form.dialog.busy || form.saved !== undefined
  if (isClosed) return <ClosedRegistration />

  return (
    <EntryLayout
      title={t`Create account`}
      description={
        makesAdmin ? (
          t`This link makes you the administrator of this server. Nothing limits your own account: it is on the Unlimited plan. Everyone who registers starts on Free; you can change that in System Settings.`
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
        {asksForLink && (
          <div className="rounded-md border border-line bg-surface-1 px-3.5 pt-3 pb-3.5">
            <p className="mb-3 text-ui text-text">
              {t`This server has no administrator yet. To become its administrator, paste the setup link that the server printed when it started.`}
            </p>
            <TextField
              {...form.field('setupLink')}
              label={t`Setup link`}
              help={t`Leave empty to register as an owner with the limits of a plan.`}
              autoComplete="off"
              spellCheck={false}
            />
          </div>
        )}
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
