import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { call } from '#web/call.ts'
import { CallFailed } from '#web/call-failed.ts'
import { successText } from '#web/errors.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { notify } from '#web/notify.ts'
import { paths } from '#web/paths.ts'
import { useSearchParams } from '#web/search-params.ts'
import { enterSession } from '#web/session.ts'
import { type RegistrationForm, registrationProblems, setupTokenOf } from '../accounts.rules.ts'

const empty: RegistrationForm = {
  username: '',
  email: '',
  password: '',
  confirmPassword: '',
  displayName: '',
  terms: false,
}

const isTaken = (error: unknown) => error instanceof CallFailed && error.code === 'ACCOUNT_TAKEN'

export function useRegistration() {
  const navigate = useNavigate()
  const setupToken = setupTokenOf(useSearchParams())
  const form = useSaveForm({
    start: empty,
    isNew: true,
    problems: registrationProblems,
    send: ({ body: { username, email, password, displayName } }) =>
      call('POST /register', {
        body: { username, email: email.trim(), password, displayName: displayName.trim(), setupToken },
      }),
    failure: t`Failed to create account. Please try again.`,
    // Where a name is taken the text says all (part 1 §8).
    failureWithCause: (message, error) => (isTaken(error) ? message : t`Failed to create account: ${message}`),
    onSaved: async (reply) => {
      enterSession(reply.user)
      await navigate({ to: paths.settings(), replace: true })
      notify.success(successText(reply))
    },
  })
  return { form, makesAdmin: setupToken !== undefined }
}
