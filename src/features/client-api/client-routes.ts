import { type Refusals, refuse } from '#contract/refusals.ts'
import { failureOf } from '#server/failures.ts'
import { type RawReply, type RawRequest, type RawRoute, retryHeaders } from '#server/raw-routes.ts'
import { refuseDuringMaintenance } from '#server/maintenance.ts'
import { networkOf } from '#server/rate-limits.ts'
import { schemaCheck } from '#server/schema-check.ts'
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
import { requestPasswordReset } from './api/request-password-reset.ts'
import { setUserVariable } from './api/set-user-variable.ts'
import { upgrade } from './api/upgrade.ts'
import { userVariable } from './api/user-variable.ts'
import { variable } from './api/variable.ts'
import {
  clientBodies,
  type ClientCall,
  type ProgramContext,
  type ProgramHandler,
  runningCalls,
} from './client-calls.ts'
import { clientRefusals } from './client-api.refusals.ts'
import { checkClock, type Envelope, readBody, readEnvelope, signedReply, windowMs } from './envelope.ts'
import { type LiveSession, type LiveSessions, replayMs } from './live-sessions.ts'
import { RecentNonces } from './recent-nonces.ts'
import { UsedNonces } from './used-nonces.ts'

const handlers: { [C in ClientCall]: ProgramHandler<C> } = {
  init,
  license,
  login,
  register,
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
const maxBodyBytes = 64 * 1024

/** The calls of protected programs. From the moment the app is known every answer is signed (R-CLI-01). */
export function clientRoutes(services: Services, sessions: LiveSessions): RawRoute[] {
  const starts = new RecentNonces(replayMs)
  const sealed = new RecentNonces(replayMs)
  const used = new UsedNonces(services.db, replayMs)
  return (Object.keys(handlers) as ClientCall[]).map((call) => ({
    path: `/api/1.0/client/${call}`,
    maxBodyBytes,
    handle: requestHandler(call, { services, sessions, starts, sealed, used }),
  }))
}

interface Dependencies {
  services: Services
  sessions: LiveSessions
  /** Nonces of `init`, which has no session to keep them. */
  starts: RecentNonces
  /** The one-time keys of sealed bodies. */
  sealed: RecentNonces
  used: UsedNonces
}

function requestHandler<C extends ClientCall>(call: C, dependencies: Dependencies) {
  const { services, sessions, starts, sealed, used } = dependencies
  const check = schemaCheck(clientBodies[call], 'body')
  const isRunning = runningCalls.has(call)
  const handle = handlers[call] as unknown as (context: ProgramContext) => Promise<object>

  return async (request: RawRequest): Promise<RawReply> => {
    const envelope = await readEnvelope(services, request)
    const now = services.clock()
    const outcome: CallOutcome = { call, envelope, session: undefined, body: undefined, ip: request.ip, now }
    try {
      checkClock(envelope, now)
      const byNetwork = (purpose: string) =>
        limitNetwork(services, purpose, `${envelope.app.row.id} ${networkOf(request.ip)}`)
      if (!isRunning) byNetwork(`program ${call}`)
      refuseDuringMaintenance(services)
      checkApp(envelope)
      const session = call === 'init' ? undefined : await findSession(sessions, envelope, { now, isRunning, byNetwork })
      // Of a session that is over the log says whose it was.
      outcome.session = session
      if (session) requireLive(session, now)
      if (isRunning && session?.user) limitSession(services, session)
      else if (isRunning) byNetwork('session without a user')
      const { nonce, app } = envelope
      const scope = session?.row.token_hash ?? app.row.id
      if (!(await used.take(session?.nonces ?? starts, { scope, nonce, now }))) refuse(clientRefusals, 'NONCE_REUSED')
      const takeKey = (oneTimeKey: string) => used.take(sealed, { scope: 'sealed', nonce: oneTimeKey, now })
      outcome.body = check(await readBody(envelope, takeKey))
      const context = {
        services,
        sessions,
        app: envelope.app,
        body: outcome.body,
        session,
        ip: request.ip,
        requestId: request.id,
        now: Math.floor(now / 1000),
      } as ProgramContext
      const reply = await handle(context)
      recordCall(services, outcome)
      return await signedReply(envelope, { status: 200, fields: { success: true, message: '', ...reply }, now })
    } catch (error) {
      const { status, code, message, details } = failureOf(error)
      recordCall(services, { ...outcome, code, message })
      if (status >= 500) services.log.error({ err: error, requestId: request.id }, 'a program could not be answered')
      const fields = { ...details, success: false, message, code, requestId: request.id }
      const reply = await signedReply(envelope, { status, fields, now })
      reply.headers.push(...retryHeaders(details))
      return reply
    }
  }
}

function checkApp({ app }: Envelope): void {
  if (app.ownerBanned) refuse(clientRefusals, 'OWNER_BANNED')
  if (app.row.app_status === 0) refuse(clientRefusals, 'APP_DISABLED')
}

interface SessionLookup {
  /** Epoch milliseconds. */
  now: number
  isRunning: boolean
  byNetwork: (purpose: string) => void
}

/** The session of a token. Tokens that may be made up count for their network, before the database is asked. */
async function findSession(
  sessions: LiveSessions,
  { app, tokenHash }: Envelope,
  { now: nowMs, isRunning, byNetwork }: SessionLookup,
): Promise<LiveSession> {
  if (tokenHash === undefined) refuse(clientRefusals, 'SESSION_REQUIRED')
  const now = Math.floor(nowMs / 1000)
  if (!sessions.isKnown(app.row.id, tokenHash)) byNetwork('unknown session')
  const session = await sessions.find(app.row.id, tokenHash, { now, signedIn: isRunning })
  return session ?? refuse(clientRefusals, 'SESSION_ENDED')
}

/** `nowMs` in epoch milliseconds. */
function requireLive(session: LiveSession, nowMs: number): void {
  const now = Math.floor(nowMs / 1000)
  const ended = session.row.ended_code ?? session.refusal
  if (ended !== undefined) refuse(clientRefusals as Refusals, ended in clientRefusals ? ended : 'SESSION_ENDED')
  if (session.row.expires_at <= now) refuse(clientRefusals, 'SESSION_EXPIRED')
  // The clock was set back: requests from before would fit the clock window again while their nonces are forgotten.
  if (session.row.last_heartbeat_at - now > windowMs / 1000) refuse(clientRefusals, 'SESSION_EXPIRED')
}

/** Many customers share one network (R-RATE-02). */
function limitNetwork({ rateLimits, config, clock }: Services, purpose: string, subject: string): void {
  rateLimits.take({ purpose, subject, max: config.limits.programStartsPerMinute, seconds: 60 }, clock())
}

/** A running program counts for itself. */
function limitSession({ rateLimits, config, clock }: Services, { row }: LiveSession): void {
  const max = config.limits.heartbeatsPerMinute
  rateLimits.take({ purpose: 'running session', subject: row.token_hash, max, seconds: 60 }, clock())
}
