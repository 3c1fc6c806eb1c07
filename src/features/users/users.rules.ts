/** What an end user may be called: anything visible, since sellers' customers pick their own names. */
export const longestUsername = 64

export function usernameIsValid(username: string): boolean {
  const { length } = [...username]
  return length >= 3 && length <= longestUsername && /^[^\s\p{C}]+(?: [^\s\p{C}]+)*$/u.test(username)
}
