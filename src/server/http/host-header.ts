import type { IncomingMessage } from 'node:http'

/** A host name or address with an optional port; empty if the target has no authority. */
const hostPattern = /^(?:(?:[\w.-]+|\[[\w:.%-]+\])(?::\d{0,5})?)?$/

export const isHost = (text: string): boolean => hostPattern.test(text)

/**
 * Whether a request names exactly one host, and its target no other (RFC 9112 §3.2). With several Host headers, Node
 * uses the first; a proxy that uses the last would route by another host.
 */
export function hasOneHost({ rawHeaders, headers: { host }, httpVersion, url = '' }: IncomingMessage): boolean {
  if (host === undefined) return httpVersion === '1.0'
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count === 1 && isHost(host) && targetFits(url, host)
}

function targetFits(target: string, host: string): boolean {
  if (target.startsWith('/') || target === '*') return true
  const authority = /^https?:\/\/([^/?#]+)/i.exec(target)?.[1]
  return authority?.toLowerCase() === host.toLowerCase()
}
