/** Who may be an account, and the texts that say why not (part 1 §5). Runs in the server and the dashboard. */

export const minimumPasswordLength = 8

export const maximumPasswordLength = 256

export interface RegistrationForm {
  username: string
  email: string
  password: string
  confirmPassword: string
  displayName: string
  terms: boolean
}

export type RegistrationProblems = Partial<Record<keyof RegistrationForm, string>>

// One label or more before the last dot; linear, because every class excludes its separator.
const emailShape = /^[^\s@<>"',;:()\\]+@[^\s@.<>"',;:()\\]+(?:\.[^\s@.<>"',;:()\\]+)+$/

export function usernameProblem(username: string): string | undefined {
  if (username.trim() === '') return 'Username is required'
  if (username.length < 3) return 'Username must be at least 3 characters'
  if (!/^[A-Za-z0-9_]+$/.test(username)) return 'Username can only contain letters, numbers, and underscores'
  if (username.length > 64) return 'Username must be at most 64 characters'
  return undefined
}

export function emailProblem(email: string): string | undefined {
  if (email.trim() === '') return 'Email is required'
  if (email.length > 254 || !emailShape.test(email.trim())) return 'Please enter a valid email address'
  return undefined
}

export interface PasswordPolicy {
  /** Never below 8, whatever an administrator stores (conflicts C16). */
  minimumLength: number
  /** Upper case, lower case and a digit. */
  complex: boolean
}

export const defaultPasswordPolicy: PasswordPolicy = { minimumLength: minimumPasswordLength, complex: true }

export function passwordProblem(password: string, policy = defaultPasswordPolicy): string | undefined {
  if (password === '') return 'Password is required'
  const minimum = Math.max(minimumPasswordLength, policy.minimumLength)
  if (password.length < minimum) return `Password must be at least ${minimum} characters`
  if (password.length > maximumPasswordLength) return `Password must be at most ${maximumPasswordLength} characters`
  if (policy.complex && !(/\p{Lu}/u.test(password) && /\p{Ll}/u.test(password) && /\p{Nd}/u.test(password))) {
    return 'Password must contain uppercase, lowercase, and number'
  }
  return undefined
}

/** The texts of the Change Password dialog, which differ in one word (part 1 §5 Other account rules). */
export function newPasswordProblem(password: string, policy = defaultPasswordPolicy): string | undefined {
  const minimum = Math.max(minimumPasswordLength, policy.minimumLength)
  if (password.length < minimum) return `Password must be at least ${minimum} characters long`
  return passwordProblem(password, policy)
}

export function displayNameProblem(displayName: string): string | undefined {
  if (displayName.trim() === '') return 'Display name is required'
  if (displayName.length > 64) return 'Display name must be at most 64 characters'
  return undefined
}

export function registrationProblems(form: RegistrationForm, policy = defaultPasswordPolicy): RegistrationProblems {
  const problems: RegistrationProblems = {}
  const note = (field: keyof RegistrationForm, problem: string | undefined) => {
    if (problem) problems[field] = problem
  }
  note('username', usernameProblem(form.username))
  note('email', emailProblem(form.email))
  note('password', passwordProblem(form.password, policy))
  if (form.confirmPassword === '') problems.confirmPassword = 'Please confirm your password'
  else if (form.confirmPassword !== form.password) problems.confirmPassword = 'Passwords do not match'
  note('displayName', displayNameProblem(form.displayName))
  if (!form.terms) problems.terms = 'You must agree to the terms and conditions'
  return problems
}

/** How long a dashboard session lives (part 1 §4; conflicts C15). All in seconds. */

export const rememberedSeconds = 30 * 86_400

export const idleSeconds = 3600

/**
 * Remembered: 30 days after sign-in. Otherwise one hour after the last use, and at the latest
 * `timeoutHours` after sign-in.
 */
export function sessionExpiry(
  session: { createdAt: number; lastUsedAt: number; rememberMe: boolean },
  timeoutHours: number,
): number {
  if (session.rememberMe) return session.createdAt + rememberedSeconds
  return Math.min(session.lastUsedAt + idleSeconds, session.createdAt + timeoutHours * 3600)
}

/** A use is written down at most once a minute. */
export const shouldNoteUse = (lastUsedAt: number, now: number): boolean => now - lastUsedAt >= 60

const setupParameter = 'setup'

/** The one-time link of a first start, as the server prints it. */
export const setupLink = (publicUrl: string, token: string): string =>
  `${publicUrl}/register?${setupParameter}=${token}`

/** What `setupLink` put into the address of the page. */
export const setupTokenOf = (search: Record<string, string | undefined>): string | undefined =>
  search[setupParameter] || undefined
