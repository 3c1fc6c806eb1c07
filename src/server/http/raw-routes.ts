import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import { type AccessLog, type LoggedRequest, requestFields } from './access-log.ts'
import { allowOrigin, answerPreflight } from './cross-origin.ts'
import { failureBody, failureOf } from './failures.ts'
import type { FastPath } from './fast-path.ts'
import { hasOneHost } from './host-header.ts'
import { keptText } from './kept-text.ts'
import type { PageBrandOf } from './page-brand.ts'
import type { ParserFailures } from './parser-failures.ts'
import type { PlainRequest } from './plain-request.ts'
import { setHeaders } from './security-headers.ts'
import type { Services } from '../services.ts'

/** A request on a hot path: its raw bytes and its sender. */
export interface RawRequest {
  id: string
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  ip: string
  /** The app that is called, as soon as it is known. */
  appId: string | undefined
}

export interface RawReply {
  status: number
  /** Alternating names and values. */
  headers: string[]
  /** A string, so that Node sends it in one piece with the head. */
  body: string
}

/** A POST that bypasses the framework (docs/decisions/007). */
export interface RawRoute {
  path: string
  /** In bytes. */
  maxBodyBytes: number
  handle: (request: RawRequest) => Promise<RawReply>
}

export interface RawRouteDependencies {
  services: Services
  routes: readonly RawRoute[]
  /** Headers of every reply on the platform's own host, and on other hosts: alternating names and values. */
  headers: Record<'ownHost' | 'otherHost', readonly string[]>
  /** The reseller who owns the verified domain of a host, if any. */
  brandOf: PageBrandOf
  failures: ParserFailures
  nextId: () => string
  /** Undefined unless requests are logged. */
  accessLog: AccessLog | undefined
  /** Called for each reply; for the metrics. */
  observe: (path: string, status: number, seconds: number) => void
}

/** Serves the raw routes and passes all other requests on. */
export function withRawRoutes(dependencies: RawRouteDependencies, others: RequestListener): RequestListener {
  const { services, routes, failures, nextId, accessLog } = dependencies
  const byPath = new Map(routes.map((route) => [route.path, route]))
  const peers = new Peers(services)

  return (request, response) => {
    accessLog?.begin(request, response)
    // The next request of this client should open a new connection, which a proxy sends to another server.
    if (services.readiness.isDraining) response.shouldKeepAlive = false
    if (!hasOneHost(request)) return failures.reject(response, 400)
    if (peers.cameByPlainHttp(request)) return void sendToHttps(dependencies, request, response)
    const headers = dependencies.headers[peers.hostKind(request)]
    const { method, url = '' } = request
    const route = method === 'POST' || method === 'OPTIONS' ? byPath.get(url) : undefined
    if (!route || method === 'OPTIONS') {
      // Set here instead of in a hook, so that replies sent before the hooks carry it, too.
      setHeaders(response, headers)
      if (!route) return others(request, response)
      return answerPreflight(request, response, services.settings.latest.api)
    }
    allowOrigin(request, response, services.settings.latest.api)
    const ip = peers.addressOf(request)
    const raw = { id: nextId(), path: route.path, headers: request.headers, body: noBody, ip, appId: undefined }
    accessLog?.describe(request, () => loggedRawRequest(raw))
    answer(dependencies, route, raw, readBody(request, route.maxBodyBytes))
      .then((reply) => reply && send(response, reply, [...headers, 'x-request-id', raw.id]))
      .catch(() => response.destroy())
  }
}

/** The same routes for plain requests. Requests that are logged one by one need Node's objects. */
export function fastRawRoutes(dependencies: RawRouteDependencies): FastPath | undefined {
  const { services, routes, nextId, accessLog } = dependencies
  if (accessLog) return undefined
  const byPath = new Map(routes.map((route) => [route.path, route]))
  const peers = new Peers(services)
  const heads = { ownHost: linesOf(dependencies.headers.ownHost), otherHost: linesOf(dependencies.headers.otherHost) }
  const peerOf = ({ headers, path }: PlainRequest, socket: Socket): Peer => ({ headers, socket, url: path })
  return {
    maxBodyBytes: (path) => byPath.get(path)?.maxBodyBytes,
    accepts: (request, socket) => !peers.cameByPlainHttp(peerOf(request, socket)),
    async answer(request, socket) {
      const { path, headers, body } = request
      const peer = peerOf(request, socket)
      const raw = { id: nextId(), path, headers, body, ip: peers.addressOf(peer), appId: undefined }
      const reply = await answer(dependencies, byPath.get(path) as RawRoute, raw, body)
      if (!reply) return undefined
      const head = `${heads[peers.hostKind(peer)]}x-request-id: ${raw.id}\r\n${linesOf(reply.headers)}`
      return { status: reply.status, head, body: reply.body, isLast: services.readiness.isDraining }
    },
  }
}

function linesOf(headers: readonly string[]): string {
  let lines = ''
  for (let at = 0; at < headers.length; at += 2) lines += `${headers[at]}: ${headers[at + 1]}\r\n`
  return lines
}

/** Undefined if nobody is left to answer. */
async function answer(
  dependencies: RawRouteDependencies,
  route: RawRoute,
  raw: RawRequest,
  body: Buffer | Promise<Buffer>,
): Promise<RawReply | undefined> {
  const { services } = dependencies
  const startedAt = performance.now()
  try {
    let reply: RawReply
    try {
      raw.body = body instanceof Buffer ? body : await body
      reply = await route.handle(raw)
    } catch (error) {
      if (error instanceof Aborted) return undefined
      reply = failureReply(services, error, raw)
    }
    // Provided by the metrics, which are registered after the routes.
    dependencies.observe(route.path, reply.status, (performance.now() - startedAt) / 1000)
    return reply
  } catch (error) {
    services.log.error({ err: error, ...requestFields(services, loggedRawRequest(raw)) }, 'could not answer')
    throw error
  }
}

const noBody = Buffer.alloc(0)

export const loggedRawRequest = ({ id: requestId, path, ip, appId }: RawRequest): LoggedRequest => ({
  requestId,
  method: 'POST',
  path,
  ip,
  appId,
})

const healthChecks = new Set(['/healthz', '/readyz', '/metrics'])

type Peer = Pick<IncomingMessage, 'headers' | 'socket' | 'url'>

/** Who sent a request, and to which host. */
class Peers {
  readonly #services: Services
  readonly #ownHost: string
  readonly #trust: ((address: string, hop: number) => boolean) | undefined

  constructor(services: Services) {
    const { publicUrl, trustedProxies } = services.config
    this.#services = services
    this.#ownHost = new URL(publicUrl).hostname
    this.#trust = trustedProxies.length > 0 ? proxyAddr.compile(trustedProxies) : undefined
  }

  addressOf(request: Peer): string {
    const { remoteAddress } = request.socket
    return this.#trust ? keptText(proxyAddr(request as IncomingMessage, this.#trust)) : (remoteAddress ?? '')
  }

  hostKind(request: Peer): 'ownHost' | 'otherHost' {
    return hostnameOf(request) === this.#ownHost ? 'ownHost' : 'otherHost'
  }

  /**
   * Whether a trusted proxy reports an unencrypted request while administrators enforce HTTPS. Without a trusted proxy
   * this cannot be known, and a plain installation must stay reachable.
   */
  cameByPlainHttp({ headers, socket, url = '' }: Peer): boolean {
    const { config, settings } = this.#services
    if (headers['x-forwarded-proto'] !== 'http' || !config.publicUrl.startsWith('https:')) return false
    if (!settings.latest.security.enforceHTTPS || healthChecks.has(url)) return false
    return this.#trust?.(socket.remoteAddress ?? '', 0) ?? false
  }
}

/** Without the port. */
const hostnameOf = ({ headers: { host = '' } }: Peer): string => host.replace(/:\d*$/, '').toLowerCase()

/**
 * Redirects pages to HTTPS, on a reseller's verified domain to that domain. Calls of programs are not redirected, so
 * that the wrong setting is noticed.
 */
async function sendToHttps(
  { services: { config }, brandOf }: RawRouteDependencies,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, url = '' } = request
  if (method !== 'GET' && method !== 'HEAD') return void response.writeHead(403, notCached).end()
  const host = hostnameOf(request)
  const origin = (await brandOf(host)) ? `https://${host}` : config.publicUrl
  response.writeHead(308, { location: origin + withoutOrigin(url), ...notCached }).end()
}

/** A cache that ignores the scheme would otherwise redirect HTTPS requests to themselves. */
const notCached = { 'cache-control': 'no-store' }

/** Some proxies send the whole address as the target of a request. */
const withoutOrigin = (target: string): string => {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '')
  return path.startsWith('/') ? path : `/${path}`
}

/** The client disconnected before its request was complete: there is nobody to answer, and nothing is wrong here. */
class Aborted extends Error {}

class BodyTooLarge extends Error {
  readonly code = 'FST_ERR_CTP_BODY_TOO_LARGE'
}

/** A body of more than this many times the limit is cut off. What is read of it stays in memory until V8 collects it. */
const floodFactor = 4

function readBody(request: IncomingMessage, largest: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length']) > largest * floodFactor) return reject(new BodyTooLarge())
    const batches: Buffer[] = []
    let length = 0
    request.on('data', (batch: Buffer) => {
      length += batch.length
      if (length <= largest) batches.push(batch)
      // A body slightly over the limit is read to its end, so that the sender receives the reply; a much larger one is
      // cut off.
      else if (length > largest * floodFactor) reject(new BodyTooLarge())
    })
    request.on('end', () => {
      if (length > largest) reject(new BodyTooLarge())
      else resolve(batches.length === 1 ? (batches[0] as Buffer) : Buffer.concat(batches))
    })
    request.on('error', () => reject(new Aborted()))
  })
}

function send(response: ServerResponse, { status, headers, body }: RawReply, more: readonly string[]): void {
  const close = status === 413 ? ['connection', 'close'] : []
  response.writeHead(status, [...more, ...headers, ...close])
  response.end(body)
}

/** Errors before there is a key to sign the reply. */
export function failureReply(services: Services, error: unknown, request: RawRequest): RawReply {
  const failure = failureOf(error)
  const { status } = failure
  const fields = status >= 500 && requestFields(services, loggedRawRequest(request))
  if (fields) services.log.error({ err: error, ...fields, status }, 'request failed')
  const body = JSON.stringify(failureBody(failure, request.id))
  return { status, headers: [...plainHeaders(Buffer.byteLength(body)), ...retryHeaders(failure.details)], body }
}

export const plainHeaders = (bytes: number): string[] => [
  'content-type',
  'application/json; charset=utf-8',
  'content-length',
  String(bytes),
]

/** Retry-After of an error, if it has one. */
export const retryHeaders = ({ retryAfterSeconds }: Record<string, unknown>): string[] =>
  retryAfterSeconds === undefined ? [] : ['retry-after', String(retryAfterSeconds)]
