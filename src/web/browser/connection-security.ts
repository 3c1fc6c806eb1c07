import { createStore } from './store.ts'

/** The server writes it into the page where its cookies are for HTTPS alone. */
const httpsUrl = document.querySelector<HTMLMetaElement>('meta[name="signet-https"]')?.content ?? ''

const dismissedKey = 'signet.insecure-dismissed'

function wasDismissed(): boolean {
  try {
    return sessionStorage.getItem(dismissedKey) !== null
  } catch {
    return false
  }
}

/** What to say about a page that came over plain HTTP from another machine; nothing on loopback. */
export type Insecurity = { kind: 'readable' } | { kind: 'no-sign-in'; httpsUrl: string }

function findInsecurity(): Insecurity | undefined {
  if (window.isSecureContext) return undefined
  // Browsers drop the session's cookie here: that can't be dismissed.
  if (httpsUrl.startsWith('https:')) return { kind: 'no-sign-in', httpsUrl }
  return wasDismissed() ? undefined : { kind: 'readable' }
}

export const insecurityStore = createStore(findInsecurity())

/** For as long as this tab's session lasts. */
export function dismissInsecurity() {
  insecurityStore.set(undefined)
  try {
    sessionStorage.setItem(dismissedKey, '1')
  } catch {
    // It stays away until the page is loaded again.
  }
}
