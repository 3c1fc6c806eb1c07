import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import {
  confirmationProblem,
  easyPasswordProblem,
  emailProblem,
  passwordProblem,
} from '#features/accounts/accounts.rules.ts'
import { EntryForm } from '#features/accounts/web/entry-form.tsx'
import { EntryLayout } from '#features/accounts/web/entry-layout.tsx'
import { NewPasswordFields } from '#features/accounts/web/new-password-fields.tsx'
import { passwordPolicy } from '#features/accounts/web/password-policy.ts'
import { CallFailed } from '#web/api/call-failed.ts'
import { call } from '#web/api/call.ts'
import { successText } from '#web/api/errors.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { notify } from '#web/browser/notify.ts'
import { paths } from '#web/navigation/paths.ts'
import { accountKey } from '#web/api/query-keys.ts'
import { enterSession } from '#web/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { QueryFailed } from '#web/ui/query-failed.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TextField } from '#web/ui/text-field.tsx'

const isUsedUp = (error: unknown) => error instanceof CallFailed && error.code === 'SETUP_LINK_INVALID'

/** Target of a reseller's setup link. */
export function SetupPage() {
  const { registrationToken = '' } = useParams({ strict: false }) as { registrationToken?: string }
  const [isGone, setGone] = useState(false)
  const link = useQuery({
    queryKey: accountKey('setup-link', registrationToken),
    queryFn: ({ signal }) => call('GET /reseller/setup/{registrationToken}', { params: { registrationToken }, signal }),
    staleTime: Infinity,
  })
  const { data, error } = link
  if (isGone || isUsedUp(error)) return <LinkGone />
  if (data) return <SetupForm token={registrationToken} username={data.username} onGone={() => setGone(true)} />
  return (
    <EntryLayout title={t`Set up your account`} description={t`You were invited to sell licenses.`}>
      {error ? (
        <QueryFailed query={link} failure={t`The server could not be reached`} />
      ) : (
        <Skeleton className="h-64 w-full" />
      )}
    </EntryLayout>
  )
}

const link = 'text-accent-text underline underline-offset-2'

/** Used, replaced, expired and unknown links look the same; the page says what to do in each case. */
const LinkGone = () => (
  <EntryLayout
    title={t`This setup link is no longer valid`}
    description={t`It works once, for 7 days, and only until a newer one is created.`}
  >
    <div className="flex flex-col gap-3 text-ui text-text-2">
      <p>
        <Trans>
          Have you set up your account already? Then{' '}
          <Link to={paths.login()} className={link}>
            sign in
          </Link>
          .
        </Trans>
      </p>
      <p>{t`Otherwise, ask the person who sent you the link for a new one.`}</p>
    </div>
  </EntryLayout>
)

const empty = { email: '', password: '', confirmPassword: '' }

function SetupForm({ token, username, onGone }: { token: string; username: string; onGone: () => void }) {
  const navigate = useNavigate()
  const form = useSaveForm({
    start: empty,
    isNew: true,
    problems: ({ email, password, confirmPassword }) => ({
      email: emailProblem(email),
      password: passwordProblem(password, passwordPolicy()) ?? easyPasswordProblem(password, { username, email }),
      confirmPassword: confirmationProblem({ password, confirmPassword }),
    }),
    send: async ({ body: { email, password } }) => {
      const input = { params: { registrationToken: token }, body: { email: email.trim(), password } }
      try {
        return await call('POST /reseller/setup/{registrationToken}', input)
      } catch (error) {
        if (isUsedUp(error)) onGone()
        throw error
      }
    },
    failure: (error) =>
      error instanceof CallFailed && error.status > 0 ? t`Account setup failed` : t`An error occurred during setup`,
    onSaved: async (reply) => {
      enterSession(reply.user)
      await navigate({ to: paths.resellerDashboard(), replace: true })
      notify.success(successText(reply))
    },
  })
  const { formRef, busy, error, onSubmit } = form.dialog
  return (
    <EntryLayout
      title={t`Set up your account`}
      description={
        <Trans>
          You were invited to sell licenses as <strong translate="no">{username}</strong>.
        </Trans>
      }
    >
      <EntryForm formRef={formRef} onSubmit={() => !busy && onSubmit()} error={error}>
        <TextField
          {...form.field('email')}
          required
          label={t`Email`}
          type="email"
          autoComplete="email"
          autoFocus
          help={t`You can use it to sign in instead of your username.`}
        />
        <NewPasswordFields form={form} />
        <Button type="submit" variant="primary" size="lg" busy={busy} className="w-full">
          {busy ? t`Setting up...` : t`Complete Setup`}
        </Button>
      </EntryForm>
    </EntryLayout>
  )
}
