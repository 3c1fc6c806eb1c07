/** Rules for the external page that the dashboard may frame. */

export type FrameAddressFault =
  | 'STATUS_PAGE_INVALID'
  | 'STATUS_PAGE_CREDENTIALS'
  | 'STATUS_PAGE_OWN'
  | 'STATUS_PAGE_HTTP'

export interface FrameSurroundings {
  /** Origin of the dashboard. */
  publicUrl: string
  enforceHTTPS: boolean
}

/** `URL` allows characters in a host that have a meaning in a Content-Security-Policy (`*`, `;`, `,`, `'`). */
const plainHost = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*\.?|\[[0-9a-f:.]+\])$/

const hostOf = ({ host, hostname }: URL): string => host.replace(hostname, hostname.replace(/\.$/, ''))

/** Why an address cannot be framed; undefined if it can, or is empty. */
export function frameAddressFault(
  text: string,
  { publicUrl, enforceHTTPS }: FrameSurroundings,
): FrameAddressFault | undefined {
  if (text === '') return undefined
  // Rejects addresses that `URL` would normalize, because people read the original text.
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return 'STATUS_PAGE_INVALID'
  const address = new URL(text)
  if (address.username !== '' || address.password !== '') return 'STATUS_PAGE_CREDENTIALS'
  if (!plainHost.test(address.hostname)) return 'STATUS_PAGE_INVALID'
  if (hostOf(address) === hostOf(new URL(publicUrl))) return 'STATUS_PAGE_OWN'
  if (address.protocol === 'http:' && enforceHTTPS) return 'STATUS_PAGE_HTTP'
  return undefined
}
