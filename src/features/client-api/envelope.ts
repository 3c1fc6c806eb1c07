import { type CallError, reject } from '#contract/errors.ts'
import { type ProgramApp, programAppKey, programApps } from '#features/apps/program-apps.ts'
import { signInGroup } from '#protocol/group-signature.ts'
import { replyMessage } from '#protocol/reply-message.ts'
import { requestHash, sha256 } from '#protocol/request-hash.ts'
import { encapsulatedKeyOf, openSealedBody } from '#protocol/sealed-body.ts'
import { parseJsonBody } from '#server/http/json-body.ts'
import { keptText } from '#server/http/kept-text.ts'
import { plainHeaders, type RawReply, type RawRequest } from '#server/http/raw-routes.ts'
import type { Services } from '#server/services.ts'
import { clientErrors } from './client-api.errors.ts'
import type { RecentNonces } from './recent-nonces.ts'

/** The parts of a program's request outside its body. */
export interface Envelope {
  path: string
  appHeader: string
  app: ProgramApp
  nonce: string
  time: string
  /** SHA-256 of the session token, base64url; undefined before `init`. */
  tokenHash: string | undefined
  /** The same as bytes. */
  session: Buffer | undefined
  /** No session has such a token. */
  hasMalformedToken: boolean
  body: Buffer
  sealed: boolean
}

const nonceShape = /^[A-Za-z0-9_-]{22,64}$/
const timeShape = /^[0-9]{1,15}$/
const tokenShape = /^[A-Za-z0-9_-]{43}$/
const appShape = /^([A-Za-z0-9]{10})\/([A-Za-z0-9_.!~*'()%-]{1,150})$/
/** Maximum clock skew of a program. */
export const windowMs = 120_000

/** The app named by a request, immediately if it is in memory. `onMiss` runs before the database is queried. */
export function findApp(
  services: Services,
  request: RawRequest,
  onMiss: () => void,
): ProgramApp | Promise<ProgramApp | null> | null {
  const header = single(request.headers['x-signet-app'])
  const known = namedApps.get(header)
  const named = known ?? readAppHeader(header)
  if (!named) return null
  const apps = programApps(services)
  const cached = apps.cached(named.key)
  if (cached) {
    if (!known) rememberNamed(header)
    return cached
  }
  onMiss()
  return apps.find(named.ownerId, named.name)
}

interface NamedApp {
  ownerId: string
  name: string
  /** Of `ProgramApps`. */
  key: string
}

function readAppHeader(header: string): NamedApp | undefined {
  const [, ownerId, encodedName] = appShape.exec(header) ?? []
  const name = encodedName === undefined ? undefined : decodedName(encodedName)
  return ownerId && name ? { ownerId, name, key: programAppKey(ownerId, name) } : undefined
}

/** Texts of the header that name known apps: all programs of an app send the same one. */
const namedApps = new Map<string, NamedApp>()
const maxNamedApps = 5000

function rememberNamed(header: string): void {
  if (namedApps.size >= maxNamedApps) namedApps.clear()
  const kept = keptText(header)
  namedApps.set(kept, readAppHeader(kept) as NamedApp)
}

/**
 * Errors of this stage are unsigned: without an app there is no key, and without a nonce no request to bind the reply
 * to.
 */
export function readEnvelope(app: ProgramApp | null, request: RawRequest): Envelope {
  if (!app) reject(clientErrors, 'APP_NOT_FOUND')
  const appHeader = single(request.headers['x-signet-app'])
  const nonce = single(request.headers['x-signet-nonce'])
  const time = single(request.headers['x-signet-time'])
  if (!nonceShape.test(nonce)) malformed('X-Signet-Nonce')
  if (!timeShape.test(time)) malformed('X-Signet-Time')
  const token = single(request.headers['x-signet-session'])
  const { path, body } = request
  const session = token === '' ? undefined : sha256(token)
  return {
    path,
    appHeader,
    app,
    nonce,
    time,
    tokenHash: session?.toString('base64url'),
    session,
    hasMalformedToken: token !== '' && !tokenShape.test(token),
    body,
    sealed: request.headers['content-type'] === 'application/octet-stream',
  }
}

/** What can be rejected with a signature, because the request has a nonce that binds the reply to it. */
export function checkToken({ hasMalformedToken }: Envelope): void {
  if (hasMalformedToken) malformed('X-Signet-Session')
}

/** The program's clock may be off by two minutes; otherwise, the signed error contains the correct time. */
export function checkClock({ time }: Envelope, nowMs: number): void {
  if (Math.abs(Number(time) - nowMs) > windowMs) reject(clientErrors, 'CLOCK_SKEW')
}

/**
 * Parses the JSON body, opening it first if it is sealed. A sealed body is bound to its nonce, so it can be used
 * only once; `sealed` holds the one-time keys seen by this process, so that a reused key is rejected.
 */
export function readBody(envelope: Envelope, sealed: RecentNonces, now: number): unknown {
  const bytes = envelope.sealed ? opened(envelope) : envelope.body
  const isReused = envelope.sealed && !sealed.take({ scope: '', nonce: encapsulatedKeyOf(envelope.body), now })
  if (isReused) reject(clientErrors, 'NONCE_REUSED')
  if (bytes.length === 0) return {}
  try {
    return parseJsonBody(bytes)
  } catch (error) {
    const { code, message } = error as CallError
    return malformed(code === 'INVALID_JSON' ? 'the body is not JSON' : message)
  }
}

function opened({ app, path, appHeader, nonce, time, session, body }: Envelope): Buffer {
  for (const privateKey of app.boxKeys) {
    try {
      return openSealedBody({ privateKey, path, app: appHeader, nonce, time, session, sealed: body })
    } catch {
      // Sealed for another of the app's keys, or for none.
    }
  }
  return reject(clientErrors, 'CANNOT_OPEN_SEALED_BODY')
}

/**
 * Signs all replies, including errors, with one signature for all replies that are ready together. If
 * signing fails, no reply is sent as if it were valid.
 */
export async function signedReply(
  { path: requestPath, app, appHeader, nonce, time, session, body: requestBody }: Envelope,
  { status, fields, now }: { status: number; fields: object; now: number },
): Promise<RawReply> {
  const body = JSON.stringify(fields)
  const serverTime = String(now)
  const hash = requestHash({ path: requestPath, app: appHeader, nonce, time, session, body: requestBody })
  const message = replyMessage({ app: appHeader, kid: app.kid, requestHash: hash, serverTime, status, body })
  const { signature, path } = await signInGroup(app.signingKey, message)
  const headers = plainHeaders(Buffer.byteLength(body))
  headers.push('x-signet-key', app.kid, 'x-signet-time', serverTime)
  headers.push('x-signet-signature', signature, 'x-signet-certificate', app.certificate)
  if (path !== '') headers.push('x-signet-path', path)
  return { status, headers, body }
}

function decodedName(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

const single = (header: string | string[] | undefined): string => (typeof header === 'string' ? header : '')

function malformed(problem: string): never {
  reject(clientErrors, 'MALFORMED_REQUEST', { values: { problem } })
}
