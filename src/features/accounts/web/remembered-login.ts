import { readStoredJson, writeStored } from '#web/browser/stored.ts'

interface RememberedLogin {
  username: string
  rememberMe: boolean
}

/** The username and the remember-me choice of the last sign-in. */
export const readRememberedLogin = () => readStoredJson<RememberedLogin>('login', { username: '', rememberMe: false })

/** Takes its two values apart on purpose: the form also holds the password, which is never stored. */
export function rememberLogin({ username, rememberMe }: RememberedLogin) {
  writeStored('login', rememberMe ? JSON.stringify({ username, rememberMe }) : undefined)
}
