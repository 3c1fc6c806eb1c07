import { defaultPasswordPolicy, type PasswordPolicy } from '../accounts.rules.ts'

/** What the platform demands of passwords, as the server wrote it into the page; Vite leaves the place unfilled. */
function written(): PasswordPolicy {
  const text = document.querySelector<HTMLMetaElement>('meta[name="signet-passwords"]')?.content ?? ''
  return text.startsWith('{') ? (JSON.parse(text) as PasswordPolicy) : defaultPasswordPolicy
}

let current: PasswordPolicy | undefined

export const passwordPolicy = (): PasswordPolicy => (current ??= written())

/** After an administrator changed it on this page. */
export function setPasswordPolicy(policy: PasswordPolicy): void {
  current = policy
}
