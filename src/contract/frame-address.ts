/** Which page of somebody else may stand in a frame of the dashboard. */

export type FrameAddressFault =
  | 'STATUS_PAGE_INVALID'
  | 'STATUS_PAGE_CREDENTIALS'
  | 'STATUS_PAGE_OWN'
  | 'STATUS_PAGE_HTTP'

export interface FrameSurroundings {
  /** Of the dashboard. */
  publicUrl: string
  enforceHTTPS: boolean
}

/** Letters that mean something in a policy (`*`, `;`, `,`, `'`) may stand in a host, as far as `URL` is concerned. */
const plainHost = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*\.?|\[[0-9a-f:.]+\])$/

const hostOf = ({ host, hostname }: URL): string => host.replace(hostname, hostname.replace(/\.$/, ''))

/** Why an address can't be framed; undefined when it can, or is empty. */
export function frameAddressFault(
  text: string,
  { publicUrl, enforceHTTPS }: FrameSurroundings,
): FrameAddressFault | undefined {
  if (text === '') return undefined
  // What `URL` would pass over or put right is not what somebody reads.
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return 'STATUS_PAGE_INVALID'
  const address = new URL(text)
  if (address.username !== '' || address.password !== '') return 'STATUS_PAGE_CREDENTIALS'
  if (!plainHost.test(address.hostname)) return 'STATUS_PAGE_INVALID'
  if (hostOf(address) === hostOf(new URL(publicUrl))) return 'STATUS_PAGE_OWN'
  if (address.protocol === 'http:' && enforceHTTPS) return 'STATUS_PAGE_HTTP'
  return undefined
}
