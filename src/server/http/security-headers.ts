import type { ServerResponse } from 'node:http'
import type { Config } from '../config/config.ts'

/**
 * The nonce of the page lets one library style its scroll lock; of inline scripts only those with these hashes run.
 * `frame` is the only origin allowed in a frame.
 */
export const pagePolicy = (nonce: string, scriptHashes: readonly string[], frame?: string): string =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...scriptHashes.map((hash) => `'${hash}'`)].join(' '),
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: https:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    `frame-src ${frame ?? "'none'"}`,
    "object-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

const apiPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

const oneYear = 'max-age=31536000'

/**
 * Headers of every reply in Node's form: alternating names and values. On a host other than the platform's
 * own, such as a reseller's domain, they make no statement about its subdomains.
 */
export const securityHeaders = ({ publicUrl }: Pick<Config, 'publicUrl'>, isOwnHost = true): string[] => [
  'x-content-type-options',
  'nosniff',
  'referrer-policy',
  'no-referrer',
  'cross-origin-opener-policy',
  'same-origin',
  'cross-origin-resource-policy',
  'same-origin',
  'permissions-policy',
  'camera=(), microphone=(), geolocation=(), payment=()',
  'content-security-policy',
  apiPolicy,
  // Cacheable files and pages override this.
  'cache-control',
  'no-store',
  ...(publicUrl.startsWith('https:')
    ? ['strict-transport-security', isOwnHost ? `${oneYear}; includeSubDomains` : oneYear]
    : []),
]

export function setHeaders(response: ServerResponse, headers: readonly string[]): void {
  for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at] as string, headers[at + 1] as string)
}
