import type * as NodeCrypto from 'node:crypto'
import type * as NodeFiles from 'node:fs'
import { builtinModule, isNode } from './builtin-module.ts'
import { invalidOption } from './errors.ts'
import { bytesOf } from './wire.ts'

/** An HTTP proxy. */
export interface Proxy {
  /** Without the brackets of IPv6. */
  host: string
  port: number
  /** The value of `Proxy-Authorization`. */
  authorization: string | undefined
}

/** How to reach the server, where the global `fetch` can't. */
export interface Network {
  server: URL
  /** Hex SHA-256 in lower case; empty for the ordinary checks only. */
  fingerprints: ReadonlySet<string>
  /** PEM; undefined for Node's own authorities. */
  ca: string | undefined
  proxy: Proxy | undefined
}

interface NetworkOptions {
  sslFingerprint?: string | readonly string[] | undefined
  ca?: string | undefined
  proxy?: string | null | undefined
  fetch?: unknown
}

/**
 * Undefined if the global `fetch` does.
 * @throws {SignetError} `INVALID_CONFIGURATION`
 */
export function readNetwork(options: NetworkOptions, server: URL): Network | undefined {
  const { sslFingerprint = 'auto', ca, proxy = 'auto' } = options
  const isPinned = sslFingerprint !== 'auto' || ca !== undefined
  const isAsked = isPinned || (proxy !== 'auto' && proxy !== null && proxy !== '')
  if (isAsked && options.fetch !== undefined) {
    throw invalidOption('sslFingerprint, ca, and proxy have no effect on a fetch of your own.')
  }
  if (isAsked && !isNode()) {
    throw invalidOption(
      'sslFingerprint, ca, and proxy need Node 20.16 or later; browsers and workers have none of them.',
    )
  }
  if (isPinned && server.protocol !== 'https:') {
    throw invalidOption('sslFingerprint and ca need an https:// serverUrl.')
  }
  const network: Network = {
    server,
    fingerprints: readFingerprints(sslFingerprint),
    ca: ca === undefined ? undefined : readAuthorities(ca),
    proxy: proxy === 'auto' ? proxyOfEnvironment(options, server) : readProxy(proxy),
  }
  return isPinned || network.proxy ? network : undefined
}

/** Whether a host is this computer by its name. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)

/** Without the brackets of IPv6. */
export const bareHost = (host: string): string => host.replaceAll(/[[\]]/g, '')

function readFingerprints(value: string | readonly string[]): Set<string> {
  if (value === 'auto') return new Set()
  const texts: readonly unknown[] = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : []
  const found = texts.map((text) => (typeof text === 'string' ? text.trim().replaceAll(':', '').toLowerCase() : ''))
  if (found.length > 0 && found.every((text) => /^[0-9a-f]{64}$/.test(text))) return new Set(found)
  throw invalidOption("sslFingerprint is auto, or the hex SHA-256 of the server's certificate.")
}

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]{1,100000}-----END CERTIFICATE-----/g

function readAuthorities(ca: string): string {
  try {
    const isText = ca.includes('-----BEGIN ')
    const pem = isText ? ca : (builtinModule<typeof NodeFiles>('node:fs') as typeof NodeFiles).readFileSync(ca, 'utf8')
    const { X509Certificate } = builtinModule<typeof NodeCrypto>('node:crypto') as typeof NodeCrypto
    const certificates = pem.match(pemCertificate) ?? []
    // Node's TLS skips what it can't read.
    const areRead = certificates.map((each) => new X509Certificate(each)).length > 0
    if (areRead) return certificates.join('\n')
  } catch (cause) {
    throw invalidOption(`ca is no PEM text or file of certificates: ${(cause as Error).message}`, cause)
  }
  throw invalidOption('ca is no PEM text or file of certificates.')
}

function readProxy(proxy: string | null): Proxy | undefined {
  if (proxy === null || proxy === '') return undefined
  // What URL() would drop or encode is a mistake.
  const isPlain = typeof proxy === 'string' && /^http:\/\/[!-~]+$/i.test(proxy) && URL.canParse(proxy)
  const url = isPlain ? new URL(proxy) : undefined
  if (!url || url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.port === '0') {
    throw invalidOption('proxy is like http://proxy.example.com:3128, or auto, or null.')
  }
  const name = `${decoded(url.username)}:${decoded(url.password)}`
  return {
    host: bareHost(url.hostname),
    port: Number(url.port || 80),
    authorization: name === ':' ? undefined : `Basic ${btoa(String.fromCharCode(...bytesOf(name)))}`,
  }
}

/** `HTTPS_PROXY` or `HTTP_PROXY`, and `NO_PROXY`; in lower case they come first, even if they are empty. */
function proxyOfEnvironment(options: NetworkOptions, { protocol, hostname }: URL): Proxy | undefined {
  if (options.fetch !== undefined || !isNode() || isLoopback(hostname)) return undefined
  const { env } = (globalThis as unknown as { process: { env: Record<string, string | undefined> } }).process
  const named = (name: string): string => env[`${name}_proxy`] ?? env[`${name.toUpperCase()}_PROXY`] ?? ''
  const scheme = protocol.slice(0, -1)
  // Of a CGI program, HTTP_PROXY is a header of the request.
  const proxy = scheme === 'http' && env['REQUEST_METHOD'] !== undefined ? (env['http_proxy'] ?? '') : named(scheme)
  if (proxy === '' || isExcepted(bareHost(hostname), named('no'))) return undefined
  return readProxy(proxy.includes('://') ? proxy : `http://${proxy}`)
}

/** Names also stand for what is below them. */
function isExcepted(host: string, noProxy: string): boolean {
  const names = noProxy.split(',').map((name) => name.trim().toLowerCase().replace(/^\.+/, ''))
  return names.includes('*') || names.some((name) => name !== '' && (host === name || host.endsWith(`.${name}`)))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
