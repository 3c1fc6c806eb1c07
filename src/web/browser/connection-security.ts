import { createStore } from './store.ts'

/** Set by the server if its cookies require HTTPS. */
const httpsUrl = document.querySelector<HTMLMetaElement>('meta[name="signet-https"]')?.content ?? ''

const dismissedKey = 'signet.insecure-dismissed'

function wasDismissed(): boolean {
  try {
    return sessionStorage.getItem(dismissedKey) !== null
  } catch {
    return false
  }
}

/** The warning for a page loaded over plain HTTP from another machine; none on loopback. */
export type Insecurity = { kind: 'readable' } | { kind: 'no-sign-in'; httpsUrl: string }

function findInsecurity(): Insecurity | undefined {
  if (window.isSecureContext) return undefined
  // Browsers drop the session cookie here, so this warning cannot be dismissed.
  if (httpsUrl.startsWith('https:')) return { kind: 'no-sign-in', httpsUrl }
  return wasDismissed() ? undefined : { kind: 'readable' }
}

export const insecurityStore = createStore(findInsecurity())

/** Dismissed for the session of this tab. */
export function dismissInsecurity() {
  insecurityStore.set(undefined)
  try {
    sessionStorage.setItem(dismissedKey, '1')
  } catch {
    // Stays hidden until the page is reloaded.
  }
}
