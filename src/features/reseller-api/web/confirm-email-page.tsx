import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { EntryLayout } from '#features/accounts/web/entry-layout.tsx'
import { FormError } from '#features/accounts/web/form-error.tsx'
import { CallFailed } from '#web/api/call-failed.ts'
import { call } from '#web/api/call.ts'
import { failureText, successText } from '#web/api/errors.ts'
import { paths } from '#web/navigation/paths.ts'
import { Button } from '#web/ui/button.tsx'

const isInvalid = (error: unknown) => error instanceof CallFailed && error.code === 'EMAIL_LINK_INVALID'

const SignInLink = () => (
  <Link to={paths.login()} className="text-ui text-accent-text underline underline-offset-2">{t`Sign in`}</Link>
)

/** Target of the email confirmation link. Requires a click, because email clients open links automatically. */
export function ConfirmEmailPage() {
  // The token is in the fragment, which is not sent to servers or in referrers.
  const token = window.location.hash.slice(1)
  const confirm = useMutation({ mutationFn: () => call('POST /reseller/confirm-email', { body: { token } }) })
  const title = t`Confirm your email address`
  if (confirm.data)
    return (
      <EntryLayout title={title} description={<span role="status">{successText(confirm.data)}</span>}>
        <SignInLink />
      </EntryLayout>
    )
  if (token === '' || isInvalid(confirm.error))
    return (
      <EntryLayout title={title} description={<span role="alert">{t`This confirmation link is no longer valid`}</span>}>
        <p className="mb-3 text-ui text-text-2">
          {t`If you confirmed the address with it before, nothing is left to do. Otherwise, ask the owner who invited you to change your address again.`}
        </p>
        <SignInLink />
      </EntryLayout>
    )
  return (
    <EntryLayout title={title} description={t`Your account then uses this address instead of the previous one.`}>
      <div className="flex flex-col gap-4">
        <FormError
          message={confirm.error ? failureText(confirm.error, t`Failed to confirm the email address`) : undefined}
        />
        <Button
          variant="primary"
          size="lg"
          busy={confirm.isPending}
          className="w-full"
          onClick={() => confirm.mutate()}
        >
          {t`Confirm address`}
        </Button>
      </div>
    </EntryLayout>
  )
}
