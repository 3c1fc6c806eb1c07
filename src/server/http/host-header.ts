import type { IncomingMessage } from 'node:http'

/** A name or an address, with or without a port; empty where the target has no authority. */
const hostPattern = /^(?:(?:[\w.-]+|\[[\w:.%-]+\])(?::\d{0,5})?)?$/

/**
 * Whether a request names exactly one host, and its target no other one (RFC 9112 §3.2). Node takes the first of
 * several: a proxy that takes the last would see a request to somebody else.
 */
export function hasOneHost({ rawHeaders, headers: { host }, httpVersion, url = '' }: IncomingMessage): boolean {
  if (host === undefined) return httpVersion === '1.0'
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count === 1 && hostPattern.test(host) && targetFits(url, host)
}

function targetFits(target: string, host: string): boolean {
  if (target.startsWith('/') || target === '*') return true
  const authority = /^https?:\/\/([^/?#]+)/i.exec(target)?.[1]
  return authority?.toLowerCase() === host.toLowerCase()
}
