import { defaultPasswordPolicy, type PasswordPolicy } from '../accounts.rules.ts'

/** The password policy, set by the server in the page; the Vite dev server leaves the placeholder. */
function written(): PasswordPolicy {
  const text = document.querySelector<HTMLMetaElement>('meta[name="signet-passwords"]')?.content ?? ''
  return text.startsWith('{') ? (JSON.parse(text) as PasswordPolicy) : defaultPasswordPolicy
}

let current: PasswordPolicy | undefined

export const passwordPolicy = (): PasswordPolicy => (current ??= written())

/** Called after an administrator has changed it on this page. */
export function setPasswordPolicy(policy: PasswordPolicy): void {
  current = policy
}
