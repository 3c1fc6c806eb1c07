/** What an end user may be called: anything visible, since sellers' customers pick their own names. */
export const maxUsernameLength = 64

export function usernameIsValid(username: string): boolean {
  const { length } = [...username]
  return length >= 3 && length <= maxUsernameLength && /^[^\s\p{C}]+(?: [^\s\p{C}]+)*$/u.test(username)
}

/** Why nobody can be called that (part 1 §5 Users). */
export function endUsernameProblem(username: string): string | undefined {
  if (username.trim() === '') return 'Username is required'
  if (!usernameIsValid(username)) return `The username must have 3 to ${maxUsernameLength} visible characters`
  return undefined
}

/** A seller's customers choose passwords for a program, so only the length counts. */
export const endUserPasswordPolicy = { minimumLength: 8, complex: false } as const

export type UserStatus = 'Banned' | 'Paused' | 'Active' | 'Expired'

/** Banned, then Paused, then Active, otherwise Expired (part 1 §4). */
export function userStatus(user: { banned: boolean; paused: boolean; hasActiveSubscription: boolean }): UserStatus {
  if (user.banned) return 'Banned'
  if (user.paused) return 'Paused'
  return user.hasActiveSubscription ? 'Active' : 'Expired'
}
