import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { call } from '#web/api/call.ts'
import { CallFailed } from '#web/api/call-failed.ts'
import { successText } from '#web/api/errors.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { notify } from '#web/browser/notify.ts'
import { paths } from '#web/navigation/paths.ts'
import { useSearchParams } from '#web/navigation/search-params.ts'
import { enterSession } from '#web/session/session.ts'
import { pastedSetupToken, type RegistrationForm, registrationProblems, setupTokenOf } from '../accounts.rules.ts'
import { passwordPolicy } from './password-policy.ts'
import { registrationState } from './registration-state.ts'

const empty: Required<RegistrationForm> = {
  username: '',
  email: '',
  password: '',
  confirmPassword: '',
  displayName: '',
  terms: false,
  setupLink: '',
}

const isTaken = (error: unknown) => error instanceof CallFailed && error.code === 'ACCOUNT_TAKEN'

export function useRegistration() {
  const navigate = useNavigate()
  const setupToken = setupTokenOf(useSearchParams())
  const form = useSaveForm({
    start: empty,
    isNew: true,
    problems: (values) => registrationProblems(values, passwordPolicy()),
    send: ({ body: { username, email, password, displayName, setupLink } }) =>
      call('POST /register', {
        body: {
          username,
          email: email.trim(),
          password,
          displayName: displayName.trim(),
          setupToken: setupToken ?? pastedSetupToken(setupLink),
        },
      }),
    failure: t`Failed to create account. Please try again.`,
    // For a taken name, the message is sufficient.
    failureWithCause: (message, error) => (isTaken(error) ? message : t`Failed to create account: ${message}`),
    onSaved: async (reply) => {
      enterSession(reply.user)
      await navigate({ to: paths.overview(), replace: true })
      notify.success(successText(reply))
    },
  })
  const state = registrationState()
  return {
    form,
    makesAdmin: setupToken !== undefined,
    asksForLink: setupToken === undefined && state === 'no-admin',
    isClosed: setupToken === undefined && state === 'closed',
  }
}
