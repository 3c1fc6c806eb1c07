import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { areaPrefix, type CallDefinition } from '#contract/define-call.ts'
import { commonRefusals, sellerKeyRefusals } from '#contract/common-refusals.ts'
import { acceptedLanguage } from '#contract/language.ts'
import { CallRefused, refuse } from '#contract/refusals.ts'
import { databaseIsUnavailable } from '#database/unavailable.ts'
import { RequestAborted } from '#database/report-queue.ts'
import type { Actor } from './actors.ts'
import { comesFromElsewhere, csrfHeader, type CsrfTokens } from './csrf.ts'
import type { CallContext, Endpoint, SessionCookies, StreamedReply, WriteHandler } from './endpoint.ts'
import { deviceLifetimeSeconds } from '../auth/device-cookies.ts'
import { answerFailure } from './failures.ts'
import { metricName } from './health.ts'
import {
  appOfCall,
  callerOf,
  type IdentityDependencies,
  refuseKeyParameter,
  refuseOtherApp,
  requirePlan,
} from './guard.ts'
import { idempotencyKey, once, requestHashOf } from './idempotency.ts'
import { allowOrigin } from './cross-origin.ts'
import { refuseDuringMaintenance } from '../maintenance.ts'
import { networkOf } from '../rate-limits.ts'
import { refuseLargeRequest } from './request-size.ts'
import { emptyQueryReader, inputReader } from './input-reader.ts'
import { type SchemaCheck, schemaCheck } from './schema-check.ts'
import { eventStreams } from './event-stream.ts'
import { fileAnswer, type ServedFile } from './served-file.ts'
import type { Services } from '../services.ts'
import { type CookieNames, cookieToken, csrfBinding, setCookie } from './session-cookies.ts'
import { uploadForm } from './upload-form.ts'
import { WaitingCaller } from './request-abort.ts'

/** No refusal is made outside a contract: the dashboard would have no text for it. Tests fail on this line. */
export const undeclaredRefusal = 'refused with a code that the contract does not name'

const defaultBodyKiB = 100
/** Who may be anybody sends no more than a form. */
const anonymousBodyKiB = 16

/** A page of the dashboard asks several things at once, and polls: a session may call so often as a seller key may. */
const websiteFactor = 20

/** Nobody reads it; the log and the metrics do. */
const callerLeftStatus = 499

export interface RouteDependencies extends IdentityDependencies {
  csrf: CsrfTokens
  cookies: CookieNames
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls, as of a moment when the whole request had come. */
    actor: Actor | null
    /** The app that is called, as soon as it is known; for the log. */
    appId: string | null
  }
}

export const pathOf = (call: CallDefinition): string => areaPrefix[call.area ?? 'website'] + call.path

/** Puts one call on the server: who may → input → one action in one transaction → reply. */
export function addCallRoute(
  server: FastifyInstance,
  services: Services,
  dependencies: RouteDependencies,
  { call, handler }: Endpoint,
) {
  const checkParams = inputCheck(call, 'params')
  const checkQuery = inputCheck(call, 'query')
  // Of a form all fields are texts, as in a query.
  const checkBody = inputCheck(call, 'body', call.upload ? 'query' : 'body')
  const name = `${call.method} ${call.path}`
  const isAnonymous = call.access === 'anyone' && call.method !== 'GET'
  const declared = new Set(Object.keys({ ...commonRefusals, ...sellerKeyRefusals, ...call.refusals }))

  const route: RouteOptions = {
    method: call.method,
    config: {
      call: metricName(call.method, pathOf(call)),
      isTransfer: call.upload !== undefined || call.file !== undefined || 'listen' in handler,
    },
    bodyLimit: call.upload
      ? Number.MAX_SAFE_INTEGER
      : (call.maxBodyKiB ?? (isAnonymous ? anonymousBodyKiB : defaultBodyKiB)) * 1024,
    url: pathOf(call).replace(/\{(\w+)\}/g, ':$1'),
    ...(!call.file && { schema: { response: { 200: call.reply } } }),
    errorHandler: (error, request, reply) => {
      if (error instanceof RequestAborted) return reply.code(callerLeftStatus as 200).send()
      if ('read' in handler && handler.withoutDatabase && databaseIsUnavailable(error))
        return reply.code(200).send({ success: true, ...handler.withoutDatabase(services) })
      if (error instanceof CallRefused && !declared.has(error.code)) {
        services.log.error({ call: name, code: error.code }, undeclaredRefusal)
      }
      return answerFailure(error, request, reply, call.failure)
    },
    // Everything that a request's head decides comes before its body is read (R-INP-02).
    onRequest: async (request, reply) => {
      if (call.crossOrigin) allowOrigin(request.raw, reply.raw, services.settings.latest.api)
      if (isAnonymous) limitByNetwork(services, request, name)
      if (call.method !== 'GET' && (call.area ?? 'website') === 'website')
        refuseForgery(services, dependencies, request)
      // An upload's handler counts its bytes as they come, against its plan's limit too.
      if (!call.upload) refuseLargeRequest(services, Number(request.headers['content-length'] ?? 0))
      if (call.access === 'seller-key') refuseKeyParameter(request)
      const actor = await callerOf(services, dependencies, call, request)
      if (!call.duringMaintenance && actor.type !== 'admin') refuseDuringMaintenance(services)
      limitByActor(services, actor)
      if (request.raw.complete) request.actor = actor
    },
    handler: async (request, reply) => {
      // A session may end while a slow sender's body is on its way.
      const actor = request.actor ?? (await callerOf(services, dependencies, call, request))
      const cookies = sessionCookies(dependencies, request, reply)
      const params = checkParams?.(request.params)
      const query = checkQuery?.(request.query)
      const body = call.upload ? undefined : checkBody?.(bodyOf(request))
      await requirePlan(services, dependencies, call, actor)
      const app = await appOfCall(services, dependencies, call, request, { actor, body, query })
      if (app) request.appId = app.id
      const context = {
        services,
        actor,
        app,
        params,
        query,
        body,
        now: Math.floor(services.clock() / 1000),
        caller: {
          ip: request.ip,
          userAgent: String(request.headers['user-agent'] ?? ''),
          requestId: request.id,
          language: acceptedLanguage(request.headers['accept-language']),
        },
        cookies,
        host: request.hostname,
      } as CallContext
      if ('send' in handler) return sendFile(services, request, reply, await handler.send(context))
      if ('listen' in handler) {
        const lastEventId = String(request.headers['last-event-id'] ?? '').slice(0, 100) || undefined
        const requireAccess = async () => {
          const now = await callerOf(services, dependencies, call, request)
          if (!call.duringMaintenance && now.type !== 'admin') refuseDuringMaintenance(services)
          await appOfCall(services, dependencies, call, request, { actor: now, body, query })
        }
        const ownerId = app?.ownerId ?? ('id' in actor ? actor.id : '')
        eventStreams(services).open(reply, await handler.listen(context, lastEventId), { ownerId, requireAccess })
        return reply
      }
      if ('receive' in handler) {
        const form = uploadForm(request.raw, (fields) => {
          const checked = checkBody?.(fields)
          if (app) refuseOtherApp(app, checked ?? {})
          return checked as undefined
        })
        return {
          success: true,
          ...(await receiveSlowly(services, request, reply, () => handler.receive(context, form))),
        }
      }
      const caller = new WaitingCaller(reply, actor, app)
      const result = await caller.run(() => answer({ call, handler }, services, request, context, name))
      if (isStream(result)) {
        cutWhenStalled(reply, services.stalledDownloadMs)
        return reply
          .headers(result.headers)
          .serializer(String)
          .send(Readable.from(caller.stream(result.stream)))
      }
      return { success: true, ...result }
    },
  }
  if (call.upload) void server.register(async (forms) => addUploadRoute(forms, route))
  else server.route(route)
}

/** The one kind of route that lets a form through, and nothing else; its body is read by the handler. */
function addUploadRoute(forms: FastifyInstance, route: RouteOptions): void {
  forms.removeAllContentTypeParsers()
  forms.addContentTypeParser('multipart/form-data', (_request: FastifyRequest, _body: unknown, done) => done(null))
  forms.route(route)
}

/** Longer than any upload that goes on; then it is cut. */
const maxUploadMs = 3_600_000
/** How long a sender that is refused may go on sending, so that it reads why. */
const maxRefusedMs = 10_000

/** Runs the handler of an upload, which may take as long as bytes keep coming. */
async function receiveSlowly<T>(
  { slowSenders, stalledDownloadMs }: Services,
  { raw }: FastifyRequest,
  reply: FastifyReply,
  receive: () => Promise<T>,
): Promise<T> {
  const cut = () => raw.destroy()
  slowSenders.add(raw.socket)
  // On the response: a request that is complete emits no timeout, and Node cuts what nobody listens to.
  reply.raw.setTimeout(stalledDownloadMs, () => {
    const isSenderSilent = !raw.complete && raw.readableFlowing
    // Otherwise the sender waits for us.
    if (isSenderSilent) cut()
    else raw.setTimeout(stalledDownloadMs)
  })
  let timer = setTimeout(cut, maxUploadMs).unref()
  raw.once('close', () => clearTimeout(timer))
  try {
    return await receive()
  } finally {
    clearTimeout(timer)
    raw.setTimeout(0)
    if (!raw.complete) {
      timer = setTimeout(cut, maxRefusedMs).unref()
      raw.resume()
    }
  }
}

/** Sends a file, or the part of it that is asked for. */
async function sendFile(
  { stalledDownloadMs }: Services,
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  file: ServedFile,
): Promise<FastifyReply> {
  const { status, headers: answered, range } = fileAnswer(file, { method, headers })
  const bytes = range && (await file.open(range))
  reply.code(status).headers(answered)
  if (!bytes) return reply.send()
  cutWhenStalled(reply, stalledDownloadMs)
  whenSent(reply, range.end - range.start + 1, (sent) => {
    if (sent > 0) file.onSent({ start: range.start, end: range.start + sent - 1 })
  })
  return reply.send(bytes)
}

/** How many bytes of a reply's body were passed on to the connection when it ended, or was cut. */
function whenSent({ raw }: FastifyReply, bytes: number, onSent: (sent: number) => void): void {
  const { socket } = raw
  const before = socket?.bytesWritten ?? 0
  raw.once('close', () => {
    if (raw.writableFinished) return onSent(bytes)
    const written = (socket?.bytesWritten ?? before) - before - (socket?.writableLength ?? 0)
    // Its head is in it too, so a reply that was cut is never taken for a whole one.
    onSent(Math.min(bytes - 1, written))
  })
}

/** Handlers whose reply is JSON, or a text that is streamed. */
type TextHandler = Exclude<Endpoint['handler'], { send: unknown } | { receive: unknown } | { listen: unknown }>

async function answer(
  { call, handler }: { call: CallDefinition; handler: TextHandler },
  { db, masterKey }: Services,
  request: FastifyRequest,
  context: CallContext,
  name: string,
): Promise<object> {
  if ('read' in handler) return handler.read(context)
  const key = call.idempotent ? idempotencyKey(request.headers['idempotency-key']) : undefined
  let inOne: WriteHandler
  if (!('writeInBatches' in handler)) inOne = handler
  else if (key !== undefined && handler.writeOnce) inOne = { prepare: handler.prepareOnce, write: handler.writeOnce }
  else return handler.writeInBatches(context)
  const prepared = await inOne.prepare?.(context)
  const done = await db.write((tx) => {
    const work = () => inOne.write(tx, context, prepared)
    if (key === undefined) return work()
    const appId = (context.app as { id: string } | undefined)?.id
    const actor = `${context.actor.type}:${'id' in context.actor ? context.actor.id : context.caller.ip}`
    // What the path names is part of the request too: one key can't stand for two users.
    const hashedInput = context.params === undefined ? context.body : { params: context.params, body: context.body }
    const requestHash = requestHashOf(masterKey, { call: name, appId, body: hashedInput })
    return once(tx, { actor, key, requestHash, now: context.now, masterKey }, work)
  })
  return inOne.present ? inOne.present(done, context) : done
}

function inputCheck(
  call: CallDefinition,
  part: 'body' | 'query' | 'params',
  as: 'body' | 'query' | 'params' = part,
): SchemaCheck | undefined {
  const schema = call[part]
  if (!schema) return undefined
  const check = schemaCheck(schema, as, call.refusals)
  const readers = [part === 'query' && emptyQueryReader(schema), inputReader(schema)].filter((read) => !!read)
  return (input) => check(readers.reduce((value, read) => read(value), input))
}

/** Ends a download whose reader takes nothing for so long; one that is slow to make waits for no reader. */
function cutWhenStalled({ raw }: FastifyReply, maxMs: number): void {
  raw.setTimeout(maxMs, () => {
    if (raw.writableLength > 0) raw.destroy()
  })
}

const isStream = (result: object): result is StreamedReply => 'stream' in result && 'headers' in result

/** A call without a body may send none, or an empty object. */
const bodyOf = (request: FastifyRequest): unknown => (request.body === undefined ? {} : request.body)

function limitByNetwork({ rateLimits, config, clock }: Services, { ip }: FastifyRequest, name: string): void {
  const max = config.limits.anonymousCallsPerMinute
  rateLimits.take({ purpose: name, subject: networkOf(ip), max, seconds: 60 }, clock())
}

function limitByActor({ rateLimits, settings, clock }: Services, actor: Actor): void {
  if (!('sessionHash' in actor)) return
  const { rateLimitPerMinute, rateLimitPerHour } = settings.latest.api
  const session = { purpose: 'session', subject: actor.sessionHash }
  rateLimits.take({ ...session, max: rateLimitPerMinute * websiteFactor, seconds: 60 }, clock())
  rateLimits.take({ ...session, max: rateLimitPerHour * websiteFactor, seconds: 3600 }, clock())
}

function refuseForgery({ config }: Services, { csrf, cookies }: RouteDependencies, request: FastifyRequest): void {
  const binding = csrfBinding(request, cookies)
  const token = request.headers[csrfHeader]
  const elsewhere = comesFromElsewhere(request.headers, config.publicUrl, request.headers.host)
  if (!elsewhere && binding && typeof token === 'string' && csrf.isValid(token, binding)) return
  refuse(commonRefusals, 'CSRF_INVALID')
}

function sessionCookies(
  { cookies, csrf }: RouteDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): SessionCookies {
  const { secure } = cookies
  const account = cookieToken(request, cookies.session)
  const reseller = cookieToken(request, cookies.resellerSession)
  /** The token against forged requests is bound to the account's session, otherwise to the reseller's. */
  const cookie = (name: string, token: string | undefined, bind: (next: string | undefined) => string | undefined) => ({
    token,
    start(next: string, lifetimeSeconds: number | null) {
      setCookie(reply, name, next, { secure, lifetimeSeconds })
      reply.header(csrfHeader, csrf.issue(bind(next) ?? next))
    },
    end() {
      reply.clearCookie(name, { path: '/', secure, httpOnly: true, sameSite: 'lax' })
      reply.header(csrfHeader, csrf.issue(bind(undefined) ?? newVisitor(reply, cookies)))
      reply.header('clear-site-data', '"cache", "storage"')
    },
  })
  return {
    ...cookie(cookies.session, account, (next) => next ?? reseller),
    reseller: cookie(cookies.resellerSession, reseller, (next) => account ?? next),
    device: request.cookies[cookies.device],
    rememberDevice(value: string) {
      setCookie(reply, cookies.device, value, { secure, lifetimeSeconds: deviceLifetimeSeconds })
    },
  }
}

/** Every website reply carries a token that is valid now (R-CSRF-02). */
export function addCsrfReplies(server: FastifyInstance, { cookies, csrf }: RouteDependencies): void {
  server.addHook('onSend', async (request, reply) => {
    if (!request.url.startsWith(areaPrefix.website) || reply.hasHeader(csrfHeader)) return
    reply.header(csrfHeader, csrf.issue(csrfBinding(request, cookies) ?? newVisitor(reply, cookies)))
  })
}

function newVisitor(reply: FastifyReply, { visitor, secure }: CookieNames): string {
  const token = randomBytes(32).toString('base64url')
  setCookie(reply, visitor, token, { secure, lifetimeSeconds: null })
  return token
}
