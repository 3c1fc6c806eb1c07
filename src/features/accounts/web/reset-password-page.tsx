import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { CallFailed } from '#web/api/call-failed.ts'
import { call } from '#web/api/call.ts'
import { successText } from '#web/api/errors.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { paths } from '#web/navigation/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { defaultPasswordPolicy, newPasswordProblem, type PasswordPolicy } from '../accounts.rules.ts'
import { EntryForm } from './entry-form.tsx'
import { EntryLayout } from './entry-layout.tsx'
import { passwordPolicy } from './password-policy.ts'

/** Emailed links have the token after the #, where no server and no other page sees it. */
const tokenOfAddress = (): string => window.location.hash.slice(1)

type Reply = Parameters<typeof successText>[0]

interface ResetPageProps {
  /** Says whose password it is, and which sessions end. */
  description: string
  policy: PasswordPolicy
  send: (body: { token: string; newPassword: string }) => Promise<Reply>
  /** The next step after the password has been set. */
  done: ReactNode
  /** The next step if the link is no longer valid. */
  again: ReactNode
}

/** Sets the password without signing in. */
function ResetPage({ description, policy, send, done, again }: ResetPageProps) {
  const [isInvalid, setInvalid] = useState(tokenOfAddress() === '')
  // A newer link in the same tab changes nothing but the part after the #.
  useEffect(() => {
    const reload = () => window.location.reload()
    window.addEventListener('hashchange', reload)
    return () => window.removeEventListener('hashchange', reload)
  }, [])
  const form = useSaveForm({
    start: { newPassword: '', confirmation: '' },
    isNew: true,
    problems: ({ newPassword, confirmation }) => ({
      newPassword: newPasswordProblem(newPassword, policy),
      confirmation: confirmation === newPassword ? undefined : { code: 'CONFIRMATION_DIFFERS' },
    }),
    send: async ({ body: { newPassword } }) => {
      try {
        return await send({ token: tokenOfAddress(), newPassword })
      } catch (error) {
        if (error instanceof CallFailed && error.code === 'RESET_LINK_INVALID') setInvalid(true)
        throw error
      }
    },
    failure: t`Failed to set the password`,
    onSaved: () => {},
  })
  const { formRef, busy, error, onSubmit } = form.dialog
  const title = t`New password`
  if (form.saved)
    return (
      <EntryLayout title={title} description={<span role="status">{successText(form.saved)}</span>}>
        {done}
      </EntryLayout>
    )
  if (isInvalid) {
    const reason = t`This link is no longer valid. Please request a new one.`
    return (
      <EntryLayout title={title} description={<span role="alert">{reason}</span>}>
        {again}
      </EntryLayout>
    )
  }
  return (
    <EntryLayout title={title} description={description}>
      <EntryForm formRef={formRef} onSubmit={onSubmit} error={error}>
        <PasswordField
          {...form.field('newPassword')}
          required
          label={t`New password`}
          autoComplete="new-password"
          autoFocus
        />
        <PasswordField
          {...form.field('confirmation')}
          required
          label={t`Confirm new password`}
          autoComplete="new-password"
        />
        <Button type="submit" variant="primary" size="lg" busy={busy} className="w-full">
          {t`Set password`}
        </Button>
      </EntryForm>
    </EntryLayout>
  )
}

const link = 'text-ui text-accent-text underline underline-offset-2'

/** Password reset of a dashboard account. */
export function ResetPasswordPage() {
  return (
    <ResetPage
      description={t`For your account here. All its sessions end; then sign in with the new password.`}
      policy={passwordPolicy()}
      send={(body) => call('POST /reset-password', { body })}
      done={<Link to={paths.login()} className={link}>{t`Sign in`}</Link>}
      again={
        <Link to={paths.login()} search={{ dialog: 'forgot-password' }} className={link}>{t`Request a new link`}</Link>
      }
    />
  )
}

/** The platform's password policy only applies to dashboard accounts. */
const customerPolicy = { ...defaultPasswordPolicy, complex: false }

/** Password reset of an end user, who requests the link and uses the password in a program. */
export function ResetUserPasswordPage() {
  return (
    <ResetPage
      description={t`For the program where you requested it. Its sessions end; then sign in there with the new password.`}
      policy={customerPolicy}
      send={(body) => call('POST /reset-user-password', { body })}
      done={<p className="text-ui text-text-2">{t`You can close this page.`}</p>}
      again={<p className="text-ui text-text-2">{t`Your program can ask for one.`}</p>}
    />
  )
}
