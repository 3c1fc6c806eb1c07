import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { brand } from '#web/browser/brand.ts'
import { lazyPart } from '#web/lazy/lazy-part.tsx'
import { notify } from '#web/browser/notify.ts'
import { ownPath } from '#web/navigation/own-path.ts'
import { paths } from '#web/navigation/paths.ts'
import { readRememberedLogin, rememberLogin } from './remembered-login.ts'
import { useSearchParams } from '#web/navigation/search-params.ts'
import { type Account, enterSession, landingPath } from '#web/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useDialog } from '#web/navigation/use-dialog.ts'
import { EntryForm } from './entry-form.tsx'
import { EntryLayout } from './entry-layout.tsx'
import { registrationState } from './registration-state.ts'
import { type LoginForm, useLogin } from './use-login.ts'

const onDemand = { whenIdle: false }
const ForgotPasswordDialog = lazyPart(() => import('./forgot-password-dialog.tsx'), 'ForgotPasswordDialog', onDemand)
const LoginCodeForm = lazyPart(() => import('./login-code-form.tsx'), 'LoginCodeForm', onDemand)

/** After sign-in, goes to the page that required it, otherwise to the first screen of the account. */
function useEntry() {
  const navigate = useNavigate()
  const { next } = useSearchParams()
  return async (user: Account, form: LoginForm) => {
    rememberLogin(form)
    enterSession(user)
    await navigate({ href: ownPath(next) ?? landingPath(user), replace: true })
    notify.success(t`Login successful! Welcome back.`)
  }
}

/** Sign-in form for owners, resellers and administrators. */
export function LoginPage() {
  const [remembered] = useState(readRememberedLogin)
  const [username, setUsername] = useState(remembered.username)
  const [password, setPassword] = useState('')
  const [rememberMe, setRememberMe] = useState(remembered.rememberMe)
  const { problems, failure, busy, submit, pending, startAgain } = useLogin(useEntry())
  const { reason } = useSearchParams()
  const dialog = useDialog()
  const name = username.trim()

  return (
    <EntryLayout
      title={pending ? t`Two-factor authentication` : t`Sign in`}
      description={
        pending ? (
          t`Signing in as ${name}`
        ) : brand || registrationState() === 'closed' ? undefined : (
          <Trans>
            New here?{' '}
            <Link to={paths.register()} className="text-accent-text underline underline-offset-2">
              Create an account
            </Link>
          </Trans>
        )
      }
    >
      {pending ? (
        <LoginCodeForm pending={pending} onBack={startAgain} onFailed={startAgain} />
      ) : (
        <EntryForm
          onSubmit={() => void submit({ username, password, rememberMe })}
          notice={
            reason === 'ended' && (
              <p className="text-ui text-text-2">{t`Your session has ended. Please sign in again.`}</p>
            )
          }
          error={failure}
        >
          <TextField
            label={t`Username`}
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            required
            autoFocus={name === ''}
            value={username}
            error={problems.username}
            onChange={(event) => setUsername(event.target.value)}
          />
          <PasswordField
            label={t`Password`}
            name="password"
            required
            autoFocus={name !== ''}
            value={password}
            error={problems.password}
            onChange={(event) => setPassword(event.target.value)}
          />
          <div className="flex items-center justify-between gap-4">
            <CheckboxField
              label={t`Remember me`}
              name="rememberMe"
              checked={rememberMe}
              onChange={(event) => setRememberMe(event.target.checked)}
            />
            <button
              type="button"
              onClick={() => dialog.open('forgot-password')}
              onPointerEnter={ForgotPasswordDialog.preload}
              className="rounded-sm text-ui text-text-2 underline underline-offset-2 hover:text-text"
            >
              {t`Forgot password?`}
            </button>
          </div>
          <Button type="submit" variant="primary" size="lg" busy={busy} className="w-full">
            {t`Sign in`}
          </Button>
        </EntryForm>
      )}
      {dialog.name === 'forgot-password' && <ForgotPasswordDialog onClose={dialog.close} onFailed={dialog.close} />}
    </EntryLayout>
  )
}
