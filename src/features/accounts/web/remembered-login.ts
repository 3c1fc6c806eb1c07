import { readStoredJson, writeStored } from '#web/browser/stored.ts'

interface RememberedLogin {
  username: string
  rememberMe: boolean
}

/** The username and the remember-me choice of the last sign-in. */
export const readRememberedLogin = () => readStoredJson<RememberedLogin>('login', { username: '', rememberMe: false })

/** Picks the two values explicitly: the form also contains the password, which must never be stored. */
export function rememberLogin({ username, rememberMe }: RememberedLogin) {
  writeStored('login', rememberMe ? JSON.stringify({ username, rememberMe }) : undefined)
}
