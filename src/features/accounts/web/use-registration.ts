import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '#web/call.ts'
import { CallFailed } from '#web/call-failed.ts'
import { failureText, failureTextWithCause, successText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { paths } from '#web/paths.ts'
import { useSearchParams } from '#web/search-params.ts'
import { enterSession } from '#web/session.ts'
import {
  type RegistrationForm,
  type RegistrationProblems,
  registrationProblems,
  setupTokenOf,
} from '../accounts.rules.ts'

function registrationFailure(error: unknown): string {
  const fallback = t`Failed to create account. Please try again.`
  // Where a name is taken the text says all (part 1 §8).
  if (error instanceof CallFailed && error.code === 'ACCOUNT_TAKEN') return failureText(error, fallback)
  return failureTextWithCause(error, fallback, (message) => t`Failed to create account: ${message}`)
}

/** In the order of the screen, for the focus. */
const fields = ['username', 'email', 'displayName', 'password', 'confirmPassword', 'terms'] as const

export function useRegistration(form: RegistrationForm) {
  const [submitted, setSubmitted] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  const navigate = useNavigate()
  const setupToken = setupTokenOf(useSearchParams())
  // Silent until the first attempt; from then on each problem goes as soon as it is solved.
  const problems: RegistrationProblems = submitted ? registrationProblems(form) : {}

  const submit = async () => {
    setSubmitted(true)
    setFailure(undefined)
    const found = registrationProblems(form)
    const first = fields.find((field) => found[field])
    if (first) {
      document.querySelector<HTMLInputElement>(`input[name="${first}"]`)?.focus()
      return
    }
    setBusy(true)
    try {
      const { username, email, password, displayName } = form
      const body = { username, email: email.trim(), password, displayName: displayName.trim(), setupToken }
      const reply = await call('POST /register', { body })
      enterSession(reply.user)
      await navigate({ to: paths.settings(), replace: true })
      notify.success(successText(reply))
    } catch (error) {
      setFailure(registrationFailure(error))
      setBusy(false)
    }
  }
  return { problems, failure, busy, submit, makesAdmin: setupToken !== undefined }
}
