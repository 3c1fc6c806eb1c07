import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { ResolveHost } from './name-servers.ts'
import { type Admission, type OutgoingUse, ReceiverCircuits } from './receiver-circuits.ts'
import { type ShareLimits, Shares } from './shares.ts'

/** Sends all requests to URLs that owners choose. */

export interface OutgoingSettings {
  /** Whether plain http is allowed besides https. */
  allowHttp: boolean
  /** Ports of this machine that may be called anyway, also by name. Only set by tests, whose receivers run here. */
  loopbackPorts?: number[]
  /** Timeouts of a request, and of a request to a receiver that may not answer. Only set by tests. */
  timeoutMs?: number
  briefTimeoutMs?: number
}

export interface OutgoingRequest {
  url: string
  /** The owner who sends it: owners have shares. */
  ownerId: string
  use: OutgoingUse
  body: string
  headers: Record<string, string>
  /** Maximum number of bytes read of the response; the rest is never received. */
  maxAnswerBytes?: number
}

/**
 * Reveals nothing about the network: a name that resolves to an internal address looks like an unreachable one.
 * `paused`: not sent, because the receiver has timed out.
 */
export type OutgoingFailure = 'refused-address' | 'unreachable' | 'timeout' | 'redirect' | 'busy' | 'paused'

export interface OutgoingAnswer {
  /** Undefined if there was a response; a redirect is both a response and a failure. */
  failure?: OutgoingFailure
  status?: number
  answer: string
  /** Whether the response was longer. */
  isCut: boolean
  /** The receiver's `Retry-After`, or the pause of a `paused` receiver, in seconds. */
  retryAfterSeconds?: number
}

export const maxRequestBytes = 20 * 1024
/** Of each request. */
export const fixedHeaders = { 'content-type': 'application/json', 'accept-encoding': 'identity' } as const
export const maxAnswerBytes = 2 * 1024
/** Timeout of the whole request: name resolution, connection, response. */
export const timeoutMs = 10_000
const briefTimeoutMs = 2000
const maxHostLength = 253
/** Per process. */
export const outgoingLimits: Readonly<Record<OutgoingUse, ShareLimits>> = {
  delivery: { max: 50, maxPerOwner: 12 },
  call: { max: 200, maxPerOwner: 20 },
}
/** Concurrent calls to one host, which several owners may use. */
export const hostLimits: ShareLimits = { max: 64, maxPerOwner: 16 }
const ports = new Set(['', '80', '443', '8443'])

export class OutgoingRequests {
  readonly #settings: OutgoingSettings
  readonly #resolve: ResolveHost
  readonly #clock: () => number
  readonly #shares = { delivery: new Shares(outgoingLimits.delivery), call: new Shares(outgoingLimits.call) }
  readonly #hosts = new Map<string, Shares>()
  readonly #circuits = new ReceiverCircuits()

  /** `clock` in epoch milliseconds. */
  constructor(settings: OutgoingSettings, resolve: ResolveHost, clock: () => number = Date.now) {
    this.#settings = settings
    this.#resolve = resolve
    this.#clock = clock
  }

  /** Whether a URL may be called, judging by its text; resolved addresses are checked when the socket connects. */
  isAllowed(text: string): boolean {
    return this.#allowedUrl(text) !== undefined
  }

  /** One POST request. Never throws: errors are part of the result. */
  async post(request: OutgoingRequest): Promise<OutgoingAnswer> {
    const url = this.#allowedUrl(request.url)
    if (!url || Buffer.byteLength(request.body) > maxRequestBytes) return failed('refused-address')
    const { ownerId, use } = request
    const hostKey = `${use} ${url.hostname}`
    const [ofAll, ofHost] = [this.#shares[use], this.#hosts.get(hostKey) ?? new Shares(hostLimits)]
    const receiver = `${ownerId} ${url.hostname}`
    const isKnown = this.#circuits.hasAnswered(receiver)
    // The job runner limits deliveries to its shares.
    if (use === 'call' && ![ofAll, ofHost].every((shares) => shares.canTake(ownerId, isKnown))) return failed('busy')
    const admission: Admission =
      use === 'delivery' ? this.#circuits.admit(receiver, this.#now()) : { isProbe: false, isBrief: false }
    if (admission.wait !== undefined) return { ...failed('paused'), retryAfterSeconds: admission.wait }
    const isBrief = admission.isBrief || (ofAll.isCrowded && !isKnown)
    this.#hosts.set(hostKey, ofHost)
    for (const shares of [ofAll, ofHost]) shares.take(ownerId)
    try {
      const answer = await this.#send(url, request, isBrief)
      this.#circuits.report(receiver, { ...answer, use, isProbe: admission.isProbe }, this.#now())
      return answer
    } finally {
      for (const shares of [ofAll, ofHost]) shares.release(ownerId)
      if (ofHost.total === 0) this.#hosts.delete(hostKey)
    }
  }

  #now(): number {
    return Math.floor(this.#clock() / 1000)
  }

  #allowedUrl(text: string): URL | undefined {
    if (!URL.canParse(text)) return undefined
    const url = new URL(text)
    const { protocol, username, password, hash, hostname, port } = url
    if (username || password || hash || hostname === '' || hostname.length > maxHostLength) return undefined
    const address = literalAddress(hostname) ?? (isLoopbackName(hostname) ? '127.0.0.1' : undefined)
    if (this.#isOwnPort(address ?? '127.0.0.1', port)) return /^https?:$/.test(protocol) ? url : undefined
    if (protocol !== 'https:' && !(protocol === 'http:' && this.#settings.allowHttp)) return undefined
    return ports.has(port) && (!address || isPublicAddress(address)) ? url : undefined
  }

  #isOwnPort(address: string, port: string): boolean {
    const isNamed = this.#settings.loopbackPorts?.includes(Number(port)) ?? false
    return isNamed && (address === '127.0.0.1' || address === '::1')
  }

  #send(url: URL, { body, headers, ...limits }: OutgoingRequest, isBrief: boolean): Promise<OutgoingAnswer> {
    const maxBytes = limits.maxAnswerBytes ?? maxAnswerBytes
    const settings = this.#settings
    const givenMs = isBrief ? (settings.briefTimeoutMs ?? briefTimeoutMs) : (settings.timeoutMs ?? timeoutMs)
    return new Promise((resolve) => {
      let request: ClientRequest | undefined
      const end = (answer: OutgoingAnswer) => {
        clearTimeout(timer)
        resolve(answer)
        request?.destroy()
      }
      const timer = setTimeout(() => end(failed('timeout')), givenMs)
      try {
        request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
          method: 'POST',
          headers: {
            ...fixedHeaders,
            ...headers,
            'content-length': Buffer.byteLength(body),
          },
          // A new connection for each request, so that each one is checked.
          agent: false,
          lookup: this.#lookup(url),
          maxHeaderSize: 16 * 1024,
        })
      } catch {
        // A header that is not valid in a request.
        return end(failed('refused-address'))
      }
      request.on('error', () => end(failed('unreachable')))
      request.on('response', (response) => readAnswer(response, maxBytes, end))
      // 101: nothing that belongs to an answer follows. Without a listener, Node reports neither a response nor an error.
      request.on('upgrade', ({ statusCode = 0 }) => end({ status: statusCode, answer: '', isCut: false }))
      request.end(body)
    })
  }

  /** Called by the socket itself: the checked address is the one it connects to, without a second lookup. */
  #lookup({ port }: URL): LookupFunction {
    return (host, options, callback) => {
      const fail = () => callback(new Error('This address can not be called'), '', 4)
      this.#resolve(host).then((addresses) => {
        const isAllowed = (address: string) => isPublicAddress(address) || this.#isOwnPort(address, port)
        if (addresses.length === 0 || !addresses.every(isAllowed)) return fail()
        const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
        if (options.all) return callback(null, found)
        return callback(null, found[0]?.address ?? '', found[0]?.family)
      }, fail)
    }
  }
}

const failed = (failure: OutgoingFailure): OutgoingAnswer => ({ failure, answer: '', isCut: false })

function readAnswer(response: IncomingMessage, maxBytes: number, end: (answer: OutgoingAnswer) => void): void {
  const chunks: Buffer[] = []
  let length = 0
  const status = response.statusCode ?? 0
  const wait = response.headers['retry-after'] ?? ''
  const finish = () => {
    // Cut at a byte, which may be in the middle of a character.
    const answer = Buffer.concat(chunks)
      .subarray(0, maxBytes)
      .toString()
      .replace(/\uFFFD$/, '')
    end({
      ...(status >= 300 && status < 400 && { failure: 'redirect' as const }),
      status,
      // Neither database engine stores NUL in text.
      answer: answer.replaceAll('\0', ''),
      isCut: length > maxBytes,
      ...(/^\d{1,6}$/.test(wait) && { retryAfterSeconds: Number(wait) }),
    })
  }
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
    if (length > maxBytes) finish()
  })
  response.on('end', finish)
  response.on('error', () => end(failed('unreachable')))
}

/** Names that always refer to this machine (RFC 6761). */
const isLoopbackName = (hostname: string): boolean => /(^|\.)localhost\.?$/.test(hostname)

/** Host names are unchanged; addresses lose their brackets. */
function literalAddress(hostname: string): string | undefined {
  const text = hostname.replace(/^\[(.*)\]$/, '$1')
  return ipaddr.isValid(text) ? text : undefined
}

/** Whether the address is globally routable, so that it means the same machine everywhere. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  if (address instanceof ipaddr.IPv4) return isPublicIPv4(address)
  const inside = embeddedIPv4(address)
  if (inside) return isPublicIPv4(inside)
  // Only 2000::/3 has ever been allocated; the library also classifies the rest as unicast.
  return address.range() === 'unicast' && ((address.parts[0] ?? 0) & 0xe000) === 0x2000
}

/** Azure's metadata server, the only one in public address space. */
const azureMetadata = '168.63.129.16'

const isPublicIPv4 = (address: ipaddr.IPv4): boolean =>
  address.range() === 'unicast' && address.toString() !== azureMetadata

/** The IPv4 address embedded in a NAT64 (64:ff9b::/96) or 6to4 (2002::/16) address. */
function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const { parts } = address
  const from = (first: number) => {
    const [high = 0, low = 0] = [parts[first], parts[first + 1]]
    return new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255])
  }
  if (address.match(ipaddr.IPv6.parse('64:ff9b::'), 96)) return from(6)
  return address.match(ipaddr.IPv6.parse('2002::'), 16) ? from(1) : undefined
}
