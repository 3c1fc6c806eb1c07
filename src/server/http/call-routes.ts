import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { areaPrefix, type CallDefinition, withMessage } from '#contract/define-call.ts'
import { acceptedLanguage } from '#contract/language.ts'
import { CallError } from '#contract/errors.ts'
import { databaseIsUnavailable } from '#database/unavailable.ts'
import { RequestAborted } from '#database/report-queue.ts'
import type { Actor } from '../audit/actors.ts'
import { admit, admittedCaller, type AdmissionDependencies, isAnonymous } from './admission.ts'
import { answerCall } from './call-answer.ts'
import { answeredCodes } from './call-errors.ts'
import { sessionCookies } from './csrf-protection.ts'
import type { Caller, CallContext, Endpoint, StreamedReply } from './endpoint.ts'
import { answerFailure } from './failures.ts'
import { hasFormBody } from './form-body.ts'
import { metricName } from './health.ts'
import { appOfCall, callerOf, rejectOtherApp, requirePlan } from './guard.ts'
import { emptyQueryReader, inputReader } from './input-reader.ts'
import { type SchemaCheck, schemaCheck } from './schema-check.ts'
import { eventStreams } from './event-stream.ts'
import { sendFile, sendText } from './reply-streams.ts'
import type { LimitState } from '../rate-limits.ts'
import type { Services } from '../services.ts'
import { uploadForm } from './upload-form.ts'
import { addUploadRoute, receiveSlowly } from './upload-route.ts'
import { WaitingCaller } from './request-abort.ts'

/**
 * A call answers only with the errors that its documentation names: clients are generated from it, and the dashboard has
 * a text for each. Tests fail on this log line.
 */
export const undeclaredRejection = 'rejected with a code that the contract does not name'

export const defaultBodyKiB = 100
/** Calls that anyone may make accept no more than the size of a form. */
export const anonymousBodyKiB = 16

/** No client reads this status; it is for the log and the metrics. */
const clientClosedStatus = 499

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, as of the time the whole request had arrived. */
    actor: Actor | null
    /** The app of the call, as soon as it is known; for the log. */
    appId: string | null
    /** The limit that the caller meets first, if it has one of its own. */
    limitState: LimitState | undefined
  }
}

export const pathOf = (call: CallDefinition): string => areaPrefix[call.area ?? 'website'] + call.path

/** Registers a call: authorization, input, one action in one transaction, reply. */
export function addCallRoute(
  server: FastifyInstance,
  services: Services,
  dependencies: AdmissionDependencies,
  { call, handler }: Endpoint,
) {
  const read = inputReaders(call)
  const declared = answeredCodes(call)

  const route: RouteOptions = {
    method: call.method,
    config: {
      call: metricName(call.method, pathOf(call)),
      maxBodyFields: call.maxBodyFields,
      isTransfer: call.upload !== undefined || call.file !== undefined || 'listen' in handler,
    },
    bodyLimit: call.upload
      ? Number.MAX_SAFE_INTEGER
      : (call.maxBodyKiB ?? (isAnonymous(call) ? anonymousBodyKiB : defaultBodyKiB)) * 1024,
    url: pathOf(call).replace(/\{(\w+)\}/g, ':$1'),
    ...(!call.file && { schema: { response: { 200: call.reply } } }),
    errorHandler: (error, request, reply) => {
      if (error instanceof RequestAborted) return reply.code(clientClosedStatus as 200).send()
      if ('read' in handler && handler.withoutDatabase && databaseIsUnavailable(error))
        return reply.code(200).send({ success: true, ...handler.withoutDatabase(services) })
      if (error instanceof CallError && !declared.has(error.code)) {
        services.log.error({ call: `${call.method} ${call.path}`, code: error.code }, undeclaredRejection)
      }
      return answerFailure(error, request, reply, call.failure)
    },
    onRequest: (request, reply) => admit(services, dependencies, call, request, reply),
    handler: async (request, reply) => {
      // The session may end while a slow body is still being received.
      const actor = request.actor ?? (await callerOf(services, dependencies, call, request))
      const cookies = sessionCookies(dependencies, request, reply)
      const params = read.params?.(request.params)
      const query = read.query?.(request.query)
      const readBody = hasFormBody(request) ? read.form : read.body
      const body = call.upload ? undefined : readBody?.(bodyOf(request))
      await requirePlan(services, dependencies, call, actor)
      const findApp = (caller: Actor) =>
        appOfCall(services, dependencies, call, request, { actor: caller, body, query })
      const app = await findApp(actor)
      if (app) request.appId = app.id
      const now = Math.floor(services.clock() / 1000)
      const caller = callerDetails(request)
      const input = { params, query, body }
      const context = { services, actor, app, ...input, now, caller, cookies, host: request.hostname } as CallContext
      if ('send' in handler) return sendFile(services, request, reply, await handler.send(context))
      if ('listen' in handler) {
        const lastEventId = String(request.headers['last-event-id'] ?? '').slice(0, 100) || undefined
        const requireAccess = async () =>
          void (await findApp(await admittedCaller(services, dependencies, call, request)))
        const ownerId = app?.ownerId ?? ('id' in actor ? actor.id : '')
        eventStreams(services).open(reply, await handler.listen(context, lastEventId), { ownerId, requireAccess })
        return reply
      }
      if ('receive' in handler) {
        const form = uploadForm(request.raw, (fields) => {
          const checked = read.body?.(fields)
          if (app) rejectOtherApp(app, checked ?? {})
          return checked as undefined
        })
        const received = await receiveSlowly(services, request, reply, () => handler.receive(context, form))
        return { success: true, ...withMessage(call, received) }
      }
      const waiting = new WaitingCaller(reply, actor, app)
      const result = await waiting.run(() => answerCall({ call, handler }, services, request, context))
      return isStream(result) ? sendText(services, reply, result, waiting) : { success: true, ...result }
    },
  }
  if (call.upload) void server.register(async (forms) => addUploadRoute(forms, route))
  else server.route(route)
}

const callerDetails = ({ ip, id, headers }: FastifyRequest): Caller => ({
  ip,
  userAgent: String(headers['user-agent'] ?? ''),
  requestId: id,
  language: acceptedLanguage(headers['accept-language']),
})

/** Read and check the parts of a request. They throw `CallError` if a part is invalid. */
export const inputReaders = (call: CallDefinition) => ({
  params: inputCheck(call, 'params'),
  query: inputCheck(call, 'query'),
  // All fields of a form are text, as in a query.
  body: inputCheck(call, 'body', call.upload ? 'query' : 'body'),
  form: call.area === 'seller' ? inputCheck(call, 'body', 'query') : undefined,
})

function inputCheck(
  call: CallDefinition,
  part: 'body' | 'query' | 'params',
  as: 'body' | 'query' | 'params' = part,
): SchemaCheck | undefined {
  const schema = call[part]
  if (!schema) return undefined
  const check = schemaCheck(schema, as, call.errors)
  const readers = [part === 'query' && emptyQueryReader(schema), inputReader(schema)].filter((read) => !!read)
  return (input) => check(readers.reduce((value, read) => read(value), input))
}

const isStream = (result: object): result is StreamedReply => 'stream' in result && 'headers' in result

/** A call without a body accepts no body or an empty object. */
const bodyOf = (request: FastifyRequest): unknown => (request.body === undefined ? {} : request.body)
