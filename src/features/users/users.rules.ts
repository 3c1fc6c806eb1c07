import type { Problem } from '#contract/errors.ts'
import { hasInvisible } from '#contract/visible-text.ts'
import { emailProblem, maxPasswordLength, minPasswordLength } from '#features/accounts/accounts.rules.ts'
import type { userFormErrors } from './users.errors.ts'

type UserProblem = Problem<keyof typeof userFormErrors>

/** Usernames allow any visible characters, because sellers' customers choose them. */
export const usernameLength = { min: 3, max: 64 } as const

/** Usernames are unique in an app, ignoring case (R-TEN-08). */
export const usernameKey = (username: string): string => username.normalize('NFC').toLowerCase()

export function usernameIsValid(username: string): boolean {
  const { length } = [...username]
  const fits = length >= usernameLength.min && length <= usernameLength.max
  return fits && /^\S+(?: \S+)*$/.test(username) && !hasInvisible(username)
}

export function endUsernameProblem(username: string): UserProblem | undefined {
  if (username.trim() === '') return { code: 'USERNAME_REQUIRED' }
  return usernameIsValid(username) ? undefined : { code: 'USERNAME_INVALID', values: usernameLength }
}

/** Customers choose their own passwords for a program, so only the length is checked. */
export function endUserPasswordProblem(
  password: string,
): Problem<'PASSWORD_REQUIRED' | 'PASSWORD_TOO_SHORT' | 'PASSWORD_TOO_LONG'> | undefined {
  if (password === '') return { code: 'PASSWORD_REQUIRED' }
  if (password.length < minPasswordLength) {
    return { code: 'PASSWORD_TOO_SHORT', values: { min: minPasswordLength } }
  }
  if (password.length > maxPasswordLength) {
    return { code: 'PASSWORD_TOO_LONG', values: { max: maxPasswordLength } }
  }
  return undefined
}

/** An email address is always optional. */
export const userEmailProblem = (email = ''): UserProblem | undefined =>
  email.trim() !== '' && emailProblem(email) ? { code: 'EMAIL_INVALID' } : undefined

interface UserForm {
  username: string
  password: string
  email?: string | undefined
}

/** The first problem of a new user, with its field. */
export const newUserProblem = ({ username, password, email }: UserForm): UserProblem | undefined =>
  firstProblem({
    username: endUsernameProblem(username),
    password: endUserPasswordProblem(password),
    email: userEmailProblem(email),
  })

/** The same for an edit; omitted fields keep their value. */
export const userChangeProblem = ({ password, email }: Partial<UserForm>): UserProblem | undefined =>
  firstProblem({
    password: password === undefined ? undefined : endUserPasswordProblem(password),
    email: userEmailProblem(email),
  })

function firstProblem(problems: Record<string, UserProblem | undefined>): UserProblem | undefined {
  for (const [field, problem] of Object.entries(problems)) if (problem) return { ...problem, field }
  return undefined
}
