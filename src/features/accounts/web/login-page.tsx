import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { paths } from '#web/paths.ts'
import { readRememberedLogin } from '#web/remembered-login.ts'
import { Button } from '#web/ui/button.tsx'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useDialog } from '#web/use-dialog.ts'
import { EntryLayout } from './entry-layout.tsx'
import { FormError } from './form-error.tsx'
import { useLogin } from './use-login.ts'

const loadForgotPassword = () => import('./forgot-password-dialog.tsx')
const ForgotPasswordDialog = lazy(() =>
  loadForgotPassword().then((module) => ({ default: module.ForgotPasswordDialog })),
)

const LoginCodeForm = lazy(() => import('./login-code-form.tsx').then((module) => ({ default: module.LoginCodeForm })))

/** One form for owners, resellers and administrators (part 1 §2 /login). */
export function LoginPage() {
  const [remembered] = useState(readRememberedLogin)
  const [username, setUsername] = useState(remembered.username)
  const [password, setPassword] = useState('')
  const [rememberMe, setRememberMe] = useState(remembered.rememberMe)
  const { problems, failure, busy, submit, pending, startAgain } = useLogin()
  const dialog = useDialog()
  const name = username.trim()

  return (
    <EntryLayout
      title={pending ? t`Two-factor authentication` : t`Sign in`}
      description={
        pending ? (
          t`Signing in as ${name}`
        ) : (
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
        <Suspense fallback={null}>
          <LoginCodeForm pending={pending} onBack={startAgain} />
        </Suspense>
      ) : (
        <form
          noValidate
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            void submit({ username, password, rememberMe })
          }}
        >
          <FormError message={failure} />
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
              onPointerEnter={() => void loadForgotPassword()}
              className="rounded-sm text-ui text-text-2 underline underline-offset-2 hover:text-text"
            >
              {t`Forgot password?`}
            </button>
          </div>
          <Button type="submit" variant="primary" size="lg" busy={busy} className="w-full">
            {t`Sign in`}
          </Button>
        </form>
      )}
      {dialog.name === 'forgot-password' && (
        <Suspense fallback={null}>
          <ForgotPasswordDialog onClose={dialog.close} />
        </Suspense>
      )}
    </EntryLayout>
  )
}
