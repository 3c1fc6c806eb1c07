import { readStoredJson, writeStored } from './stored.ts'

interface RememberedLogin {
  username: string
  rememberMe: boolean
}

/** The username and the remember-me choice of the last sign-in (part 1 §2 /login). Never the password. */
export const readRememberedLogin = () => readStoredJson<RememberedLogin>('login', { username: '', rememberMe: false })

export function rememberLogin(login: RememberedLogin) {
  writeStored('login', login.rememberMe ? JSON.stringify(login) : undefined)
}
