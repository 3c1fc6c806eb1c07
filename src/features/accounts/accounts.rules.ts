import { isEmailAddress } from '#contract/email-address.ts'
import type { Problem } from '#contract/errors.ts'
import { hasInvisible } from '#contract/visible-text.ts'
import type {
  accountsErrors,
  displayNameErrors,
  emailErrors,
  passwordErrors,
  registrationFormErrors,
  usernameErrors,
} from './accounts.errors.ts'
import { isObviousPassword } from './common-passwords.rules.ts'

/** Validation of accounts, with the error codes. Runs in the server and the dashboard. */

/** The plan of administrators, who are not limited. */
export const unlimitedPlanName = 'Unlimited'

export const minPasswordLength = 8

export const maxPasswordLength = 256

const usernameLength = { min: 3, max: 64 } as const

const maxEmailLength = 254

const maxDisplayNameLength = 64

export interface RegistrationForm {
  username: string
  email: string
  password: string
  confirmPassword: string
  displayName: string
  terms: boolean
  /** Required while the server has no administrator. */
  setupLink?: string
}

export type RegistrationCode = keyof typeof accountsErrors | keyof typeof registrationFormErrors

export type RegistrationProblems = Partial<Record<keyof RegistrationForm, Problem<RegistrationCode>>>

export function usernameProblem(username: string): Problem<keyof typeof usernameErrors> | undefined {
  const { min, max } = usernameLength
  if (username.trim() === '') return { code: 'USERNAME_REQUIRED' }
  if (username.length < min) return { code: 'USERNAME_TOO_SHORT', values: { min } }
  if (!/^[A-Za-z0-9_]+$/.test(username)) return { code: 'USERNAME_CHARACTERS' }
  if (username.length > max) return { code: 'USERNAME_TOO_LONG', values: { max } }
  return undefined
}

export function emailProblem(email: string): Problem<keyof typeof emailErrors> | undefined {
  if (email.trim() === '') return { code: 'EMAIL_REQUIRED' }
  if (email.length > maxEmailLength || !isEmailAddress(email.trim())) return { code: 'EMAIL_INVALID' }
  return undefined
}

export interface PasswordPolicy {
  /** Minimum of 8, whatever an administrator stores. */
  minLength: number
  /** Upper case, lower case and a digit. */
  complex: boolean
}

export const defaultPasswordPolicy: PasswordPolicy = { minLength: minPasswordLength, complex: true }

export const leastLength = ({ minLength }: PasswordPolicy): number => Math.max(minPasswordLength, minLength)

const hasUppercase = (password: string): boolean => /\p{Lu}/u.test(password)
const hasLowercase = (password: string): boolean => /\p{Ll}/u.test(password)
const hasNumber = (password: string): boolean => /\p{Nd}/u.test(password)

/** The enabled rules of the password policy and whether a password meets each, for the checklist of a form. */
export const passwordDemands = (password: string, policy: PasswordPolicy) => ({
  length: password.length >= leastLength(policy),
  ...(policy.complex && {
    uppercase: hasUppercase(password),
    lowercase: hasLowercase(password),
    number: hasNumber(password),
  }),
})

export function passwordProblem(
  password: string,
  policy = defaultPasswordPolicy,
): Problem<keyof typeof passwordErrors> | undefined {
  const min = leastLength(policy)
  if (password === '') return { code: 'PASSWORD_REQUIRED' }
  if (password.length < min) return { code: 'PASSWORD_TOO_SHORT', values: { min } }
  if (password.length > maxPasswordLength) return { code: 'PASSWORD_TOO_LONG', values: { max: maxPasswordLength } }
  const isMet = Object.values(passwordDemands(password, policy)).every(Boolean)
  return isMet ? undefined : { code: 'PASSWORD_TOO_SIMPLE' }
}

/** Passwords that the policy may allow but everybody would try first; the server knows more of them. */
export const easyPasswordProblem = (
  password: string,
  person: { username: string; email: string },
): Problem<'PASSWORD_TOO_COMMON'> | undefined =>
  isObviousPassword(password, person) ? { code: 'PASSWORD_TOO_COMMON' } : undefined

/** Like `passwordProblem`, but the text of the Change Password dialog has one more word. */
export function newPasswordProblem(
  password: string,
  policy = defaultPasswordPolicy,
): Problem<keyof typeof passwordErrors | 'NEW_PASSWORD_TOO_SHORT'> | undefined {
  const min = leastLength(policy)
  if (password.length < min) return { code: 'NEW_PASSWORD_TOO_SHORT', values: { min } }
  return passwordProblem(password, policy)
}

export function displayNameProblem(displayName: string): Problem<keyof typeof displayNameErrors> | undefined {
  if (displayName.trim() === '') return { code: 'DISPLAY_NAME_REQUIRED' }
  if (displayName.length > maxDisplayNameLength) {
    return { code: 'DISPLAY_NAME_TOO_LONG', values: { max: maxDisplayNameLength } }
  }
  return hasInvisible(displayName.trim()) ? { code: 'DISPLAY_NAME_CHARACTERS' } : undefined
}

type AccountForm = Pick<RegistrationForm, 'username' | 'email' | 'password' | 'displayName'>

const accountProblems = (form: AccountForm, policy: PasswordPolicy) => ({
  username: usernameProblem(form.username),
  email: emailProblem(form.email),
  password: passwordProblem(form.password, policy),
  displayName: displayNameProblem(form.displayName),
})

/** The first problem of a new account, with its field. */
export function accountProblem(
  form: AccountForm,
  policy: PasswordPolicy,
): Problem<keyof typeof accountsErrors> | undefined {
  for (const [field, problem] of Object.entries(accountProblems(form, policy)))
    if (problem) return { ...problem, field }
  return undefined
}

/** Problems of the registration screen, by field. */
export function registrationProblems(form: RegistrationForm, policy: PasswordPolicy): RegistrationProblems {
  const problems = {
    ...accountProblems(form, policy),
    password: passwordProblem(form.password, policy) ?? easyPasswordProblem(form.password, form),
    confirmPassword: confirmationProblem(form),
    terms: form.terms ? undefined : ({ code: 'TERMS_NOT_ACCEPTED' } as const),
  }
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem))
}

export function confirmationProblem({
  password,
  confirmPassword,
}: Pick<RegistrationForm, 'password' | 'confirmPassword'>): Problem<keyof typeof registrationFormErrors> | undefined {
  if (confirmPassword === '') return { code: 'CONFIRMATION_REQUIRED' }
  return confirmPassword === password ? undefined : { code: 'CONFIRMATION_DIFFERS' }
}

/** Lifetimes of dashboard sessions, in seconds. */

export const rememberedSeconds = 30 * 86_400

export const idleSeconds = 3600

export const rememberedIdleSeconds = 7 * 86_400

/**
 * Remembered sessions: one week after the last use, and 30 days after sign-in at the latest. Others: one hour after the
 * last use, and `timeoutHours` after sign-in at the latest.
 */
export function sessionExpiry(
  session: { createdAt: number; lastUsedAt: number; rememberMe: boolean },
  timeoutHours: number,
): number {
  if (session.rememberMe) {
    return Math.min(session.lastUsedAt + rememberedIdleSeconds, session.createdAt + rememberedSeconds)
  }
  return Math.min(session.lastUsedAt + idleSeconds, session.createdAt + timeoutHours * 3600)
}

/** A use is stored at most once a minute. */
export const shouldRecordUse = (lastUsedAt: number, now: number): boolean => now - lastUsedAt >= 60

const setupParameter = 'setup'

/** The one-time link of the first start, as printed by the server. */
export const setupLink = (publicUrl: string, token: string): string =>
  `${publicUrl}/register?${setupParameter}=${token}`

/** The token in a pasted link, or the pasted text itself; undefined for an empty field. */
export const pastedSetupToken = (text: string): string | undefined =>
  (/[?&]setup=([^&#\s]+)/.exec(text)?.[1] ?? text.trim()) || undefined

/** The token that `setupLink` put into the URL of the page. */
export const setupTokenOf = (search: Record<string, string | undefined>): string | undefined =>
  search[setupParameter] || undefined
