import { CallError, type ErrorDefinitions, reject } from '#contract/errors.ts'
import { trimPasted } from '#contract/visible-text.ts'
import { requestFields } from '#server/http/access-log.ts'
import { failureOf } from '#server/http/failures.ts'
import {
  failureReply,
  loggedRawRequest,
  type RawReply,
  type RawRequest,
  type RawRoute,
  retryHeaders,
} from '#server/http/raw-routes.ts'
import { rejectDuringMaintenance } from '#server/settings/maintenance.ts'
import { type Limit, networkOf } from '#server/rate-limits.ts'
import { schemaCheck } from '#server/http/schema-check.ts'
import type { Services } from '#server/services.ts'
import { type CallOutcome, recordCall } from './activity.ts'
import { callWebhook } from './api/call-webhook.ts'
import { changePassword } from './api/change-password.ts'
import { download } from './api/download.ts'
import { heartbeat } from './api/heartbeat.ts'
import { init } from './api/init.ts'
import { license } from './api/license.ts'
import { login } from './api/login.ts'
import { log } from './api/log.ts'
import { logout } from './api/logout.ts'
import { register } from './api/register.ts'
import { renew } from './api/renew.ts'
import { requestPasswordReset } from './api/request-password-reset.ts'
import { setUserVariable } from './api/set-user-variable.ts'
import { upgrade } from './api/upgrade.ts'
import { userVariable } from './api/user-variable.ts'
import { variable } from './api/variable.ts'
import {
  changingCalls,
  clientBodies,
  type ClientCall,
  type ProgramContext,
  type ProgramHandler,
  runningCalls,
  signInCalls,
} from './client-calls.ts'
import { clientErrors } from './client-api.errors.ts'
import {
  checkClock,
  checkToken,
  type Envelope,
  findApp,
  readBody,
  readEnvelope,
  signedReply,
  windowMs,
} from './envelope.ts'
import type { LiveSession, LiveSessions } from './live-sessions.ts'
import { RecentNonces } from './recent-nonces.ts'
import { rejectedRequests } from './rejected-requests.ts'
import { SessionStarts } from './session-starts.ts'
import { type ClaimedWrite, claimedWrite } from './used-nonces.ts'

const handlers: { [C in ClientCall]: ProgramHandler<C> } = {
  init,
  license,
  login,
  register,
  renew,
  'request-password-reset': requestPasswordReset,
  heartbeat,
  variable,
  'user-variable': userVariable,
  'set-user-variable': setUserVariable,
  log,
  download,
  upgrade,
  'change-password': changePassword,
  'call-webhook': callWebhook,
  logout,
}
export const maxBodyBytes = 64 * 1024

/** The calls of protected programs. Once the app is known, every reply is signed. */
export function clientRoutes(services: Services, sessions: LiveSessions): RawRoute[] {
  const starts = new SessionStarts(services.db)
  const nonces = new RecentNonces()
  const sealed = new RecentNonces()
  return (Object.keys(handlers) as ClientCall[]).map((call) => ({
    path: `/api/1.0/client/${call}`,
    maxBodyBytes,
    handle: requestHandler(call, { services, sessions, starts, nonces, sealed }),
  }))
}

interface Dependencies {
  services: Services
  sessions: LiveSessions
  starts: SessionStarts
  nonces: RecentNonces
  /** One-time keys of sealed bodies. */
  sealed: RecentNonces
}

function requestHandler<C extends ClientCall>(call: C, dependencies: Dependencies) {
  const { services, sessions, starts, nonces, sealed } = dependencies
  const check = schemaCheck(clientBodies[call], 'body')
  const fieldNames = Object.keys(clientBodies[call].properties)
  const isRunning = runningCalls.has(call)
  const isChanging = changingCalls.has(call)
  const handle = handlers[call] as unknown as (context: ProgramContext) => object | Promise<object>

  return async (request: RawRequest): Promise<RawReply> => {
    const admitted = admitEnvelope(services, request)
    const envelope = admitted instanceof Promise ? await admitted : admitted
    request.appId = envelope.app.row.id
    const now = services.clock()
    const outcome: CallOutcome = { call, envelope, session: undefined, body: undefined, ip: request.ip, now }
    try {
      checkClock(envelope, now)
      checkToken(envelope)
      const byNetwork = (purpose: string) =>
        limitNetwork(services, purpose, `${envelope.app.row.id} ${networkOf(request.ip)}`)
      if (!isRunning) byNetwork(`program ${call}`)
      rejectDuringMaintenance(services)
      checkApp(envelope)
      const found = call === 'init' ? undefined : findSession(sessions, envelope, { now, isRunning, byNetwork })
      const session = found instanceof Promise ? await found : found
      // For an expired session, the log names its user.
      outcome.session = session
      if (session) requireLive(session, now, call)
      if (isRunning && session?.user) limitSession(services, session)
      else if (isRunning) byNetwork('session without a user')
      const { app } = envelope
      const nonce = { scope: session?.row.token_hash ?? app.row.id, nonce: envelope.nonce, now }
      if (!nonces.take(nonce)) reject(clientErrors, 'NONCE_REUSED')
      outcome.body = trimKeys(knownFields(check(readBody(envelope, sealed, now)), fieldNames))
      const context = {
        services,
        write: isChanging ? claimedWrite(services.db, nonce) : rejectToWrite,
        starts,
        sessions,
        app,
        nonce,
        body: outcome.body,
        session,
        ip: request.ip,
        requestId: request.id,
        now: Math.floor(now / 1000),
      } as ProgramContext
      const handled = handle(context)
      const reply = handled instanceof Promise ? await handled : handled
      recordCall(services, outcome)
      return await signedReply(envelope, { status: 200, fields: { success: true, message: '', ...reply }, now })
    } catch (error) {
      return rejection(services, { error, outcome, request })
    }
  }
}

/** Customers paste keys with what a mail or a chat adds around them. */
function trimKeys(body: unknown): unknown {
  const fields = body as { key?: string; licenseKey?: string }
  if (fields.key !== undefined) fields.key = trimPasted(fields.key)
  if (fields.licenseKey !== undefined) fields.licenseKey = trimPasted(fields.licenseKey)
  return fields
}

/** Without the fields that the call doesn't have, which nothing has checked: the log would record them. */
function knownFields(body: unknown, names: readonly string[]): Record<string, unknown> {
  const sent = body as Record<string, unknown>
  return Object.fromEntries(names.filter((name) => Object.hasOwn(sent, name)).map((name) => [name, sent[name]]))
}

/**
 * Reads the envelope of a request, immediately if its app is in memory. Failures that are unsigned and need a database
 * query are limited per network.
 */
function admitEnvelope(services: Services, request: RawRequest): Envelope | Promise<Envelope> {
  const limit = (): Limit => ({
    purpose: 'malformed program requests',
    subject: networkOf(request.ip),
    max: services.config.limits.rejectedRequestsPerMinute,
    seconds: 60,
  })
  const count = (error: unknown): never => {
    if (failureOf(error).status < 500) services.rateLimits.take(limit(), services.clock())
    throw error
  }
  try {
    const app = findApp(services, request, () => services.rateLimits.check(limit(), services.clock()))
    if (app instanceof Promise) return app.then((known) => readEnvelope(known, request)).catch(count)
    return readEnvelope(app, request)
  } catch (error) {
    return count(error)
  }
}

interface Failure {
  error: unknown
  outcome: CallOutcome
  request: RawRequest
}

/** Signs and logs a rejection, unless its network or app has had too many of them. */
async function rejection(services: Services, { error, outcome, request }: Failure): Promise<RawReply> {
  const { envelope, session, ip, now } = outcome
  const { status, code, message, details } = failureOf(error)
  if (status >= 500) {
    const line = { ...requestFields(services, loggedRawRequest(request)), status }
    // A declared error, such as maintenance, is not a failure to investigate.
    if (error instanceof CallError) services.log.info({ ...line, code }, 'request rejected')
    else services.log.error({ err: error, ...line }, 'could not answer a program')
  }
  const notAdmitted = rejectedRequests(services).admit({ appId: envelope.app.row.id, ip, session, now })
  if (notAdmitted) return failureReply(services, notAdmitted, request)
  recordCall(services, { ...outcome, code, message, requestId: request.id })
  const fields = { ...details, success: false, message, code, requestId: request.id }
  const reply = await signedReply(envelope, { status, fields, now })
  reply.headers.push(...retryHeaders(details))
  return reply
}

/** A call that only reads claims no nonce, so it must not change anything. */
const rejectToWrite: ClaimedWrite = () => Promise.reject(new Error('This call may not change anything'))

function checkApp({ app }: Envelope): void {
  if (app.ownerBanned) reject(clientErrors, 'OWNER_BANNED')
  if (app.row.app_status === 0) reject(clientErrors, 'APP_DISABLED')
}

interface SessionLookup {
  /** Epoch milliseconds. */
  now: number
  isRunning: boolean
  byNetwork: (purpose: string) => void
}

/**
 * The session of a token, immediately if it is in memory. Unknown tokens are rate-limited per network before the
 * database is queried.
 */
function findSession(
  sessions: LiveSessions,
  { app, tokenHash }: Envelope,
  { now: nowMs, isRunning, byNetwork }: SessionLookup,
): LiveSession | Promise<LiveSession> {
  if (tokenHash === undefined) reject(clientErrors, 'SESSION_REQUIRED')
  const now = Math.floor(nowMs / 1000)
  if (!sessions.isKnown(app.row.id, tokenHash)) byNetwork('unknown session')
  const found = sessions.find(app.row.id, tokenHash, { now, signedIn: isRunning })
  return found instanceof Promise ? found.then((session) => session ?? reject(clientErrors, 'SESSION_ENDED')) : found
}

/**
 * `nowMs` in epoch milliseconds. A sign-in checks a ban itself, under locks that exclude concurrent bans; a renewal is
 * for sessions that have expired.
 */
function requireLive(session: LiveSession, nowMs: number, call: ClientCall): void {
  const now = Math.floor(nowMs / 1000)
  const codes = [session.row.ended_code ?? undefined, session.rejection]
  const ended = codes.find((code) => code !== undefined && !(signInCalls.has(call) && code === 'USER_BANNED'))
  if (ended !== undefined) reject(clientErrors as ErrorDefinitions, ended in clientErrors ? ended : 'SESSION_ENDED')
  if (call === 'renew') return
  if (session.row.expires_at <= now) reject(clientErrors, 'SESSION_EXPIRED')
  // The clock was set back: earlier requests would be inside the clock window again, but their nonces are forgotten.
  if (session.row.last_heartbeat_at - now > windowMs / 1000) reject(clientErrors, 'SESSION_EXPIRED')
}

/** Many customers may share one network. */
function limitNetwork({ rateLimits, config, clock }: Services, purpose: string, subject: string): void {
  rateLimits.take({ purpose, subject, max: config.limits.programStartsPerMinute, seconds: 60 }, clock())
}

function limitSession({ rateLimits, config, clock }: Services, { row }: LiveSession): void {
  const max = config.limits.heartbeatsPerMinute
  rateLimits.take({ purpose: 'running session', subject: row.token_hash, max, seconds: 60 }, clock())
}
