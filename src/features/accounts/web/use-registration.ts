import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '#web/call.ts'
import { CallFailed } from '#web/call-failed.ts'
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
import { translatedText } from './account-texts.ts'

function registrationFailure(error: unknown): string {
  if (error instanceof CallFailed && error.status === 409) return t`Username or email already exists`
  if (error instanceof CallFailed && error.message !== '') {
    const message = translatedText(error.message)
    return t`Failed to create account: ${message}`
  }
  return t`Failed to create account. Please try again.`
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
      const { user } = await call('POST /register', { body })
      enterSession(user)
      await navigate({ to: paths.settings(), replace: true })
      notify.success(t`Account created successfully! You are now logged in.`)
    } catch (error) {
      setFailure(registrationFailure(error))
      setBusy(false)
    }
  }
  return { problems, failure, busy, submit, makesAdmin: setupToken !== undefined }
}
