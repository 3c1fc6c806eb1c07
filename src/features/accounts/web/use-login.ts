import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { call } from '#web/api/call.ts'
import { CallFailed } from '#web/api/call-failed.ts'
import type { Account } from '#web/session/session.ts'
import { codeText } from '#web/api/code-text.ts'

export interface LoginForm {
  username: string
  password: string
  rememberMe: boolean
}

/** The password was correct; the second factor is still required. */
export interface PendingLogin {
  token: string
  enter: (user: Account) => void | Promise<void>
}

type LoginProblems = Partial<Record<'username' | 'password', string>>

export function loginFailure(error: unknown): string {
  if (!(error instanceof CallFailed) || error.status === 0) return t`An unexpected error occurred`
  return codeText(error) || (error.status < 300 ? t`Login failed` : t`Login failed. Please try again.`)
}

function loginProblems({ username, password }: LoginForm): LoginProblems {
  const problems: LoginProblems = {}
  if (username.trim() === '') problems.username = t`Username is required`
  if (password === '') problems.password = t`Password is required`
  return problems
}

/** The steps of signing in: the password, then possibly a code. The caller handles the result. */
export function useLogin(onSignedIn: (user: Account, form: LoginForm) => void | Promise<void>) {
  // Their texts are made while rendering: the language may change.
  const [submitted, setSubmitted] = useState<LoginForm>()
  const [failure, setFailure] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const [pending, setPending] = useState<PendingLogin>()

  const submit = async (form: LoginForm) => {
    const found = loginProblems(form)
    setSubmitted(form)
    setFailure(undefined)
    if (Object.keys(found).length > 0) {
      document.querySelector<HTMLInputElement>(`input[name="${found.username ? 'username' : 'password'}"]`)?.focus()
      return
    }
    setBusy(true)
    try {
      const body = { ...form, username: form.username.trim() }
      const { user, pendingToken } = await call('POST /login', { body })
      if (user) return await onSignedIn(user, body)
      // A page from something between the browser and the server.
      if (!pendingToken) throw new CallFailed(200, {})
      setBusy(false)
      setPending({ token: pendingToken, enter: (signedIn) => onSignedIn(signedIn, body) })
    } catch (error) {
      setFailure(error)
      setBusy(false)
    }
  }
  const startAgain = (error?: unknown) => {
    setPending(undefined)
    setFailure(error)
  }
  return {
    problems: submitted ? loginProblems(submitted) : {},
    failure: failure ? loginFailure(failure) : undefined,
    busy,
    submit,
    pending,
    startAgain,
  }
}
