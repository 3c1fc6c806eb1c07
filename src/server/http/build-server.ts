import type { RequestListener } from 'node:http'
import cookie from '@fastify/cookie'
import fastJson from 'fast-json-stringify'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import { AccessLog, type LoggedRequest, requestFields } from './access-log.ts'
import type { Identities } from './identities.ts'
import type { AdmissionDependencies } from './admission.ts'
import { addCallRoute, pathOf } from './call-routes.ts'
import { addClientPackages } from './client-packages.ts'
import { addCsrfReplies } from './csrf-protection.ts'
import { CsrfTokens } from './csrf.ts'
import { addDocumentation } from './documentation-files.ts'
import { addDashboard } from './dashboard-files.ts'
import type { Feature } from './endpoint.ts'
import { answerFailure } from './failures.ts'
import { addFormBody } from './form-body.ts'
import { addHealthRoutes } from './health.ts'
import { newHttpServer } from './http-server.ts'
import { addOpenApi } from './open-api/routes.ts'
import { markKeyInUrl } from './guard.ts'
import { parseJsonBody } from './json-body.ts'
import { pageBrands } from './page-brand.ts'
import { ParserFailures } from './parser-failures.ts'
import { fastRawRoutes, type RawRouteDependencies, withRawRoutes } from './raw-routes.ts'
import { securityHeaders } from './security-headers.ts'
import { codesOfSchemas } from './schema-check.ts'
import { requestIds } from './request-ids.ts'
import { rejectLargeRequest } from './request-size.ts'
import type { LimitState } from '../rate-limits.ts'
import type { Services } from '../services.ts'
import { cookieNames } from './session-cookies.ts'
import { addUntypedBody } from './body-without-type.ts'

/** Default maximum body size of a call. */
const maxBodyBytes = 100 * 1024

export interface BuildOptions {
  services: Services
  features: readonly Feature[]
  /** Directory of the built dashboard; without it, only the APIs are served. */
  dashboardDir?: string | undefined
}

/** The complete HTTP server, not listening yet. Throws if a call has no guard or is defined twice. */
export async function buildServer({ services, features, dashboardDir }: BuildOptions): Promise<FastifyInstance> {
  const { config, log, masterKey } = services
  const nextId = requestIds()
  const headers = { ownHost: securityHeaders(config), otherHost: securityHeaders(config, false) }
  const failures = new ParserFailures(headers.otherHost, nextId, services.slowSenders)
  const identities = identitiesOf(features)
  const accessLog = config.logRequests ? new AccessLog(services) : undefined
  const rawDependencies: RawRouteDependencies = {
    services,
    routes: features.flatMap((feature) => feature.rawRoutes?.(services) ?? []),
    headers,
    brandOf: pageBrands(services, features),
    failures,
    nextId,
    accessLog,
    observe: () => {},
  }
  const server = Fastify({
    loggerInstance: log as FastifyServerOptions['loggerInstance'],
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: nextId,
    // A logger per request would cost more than most requests; failures carry the request ID instead.
    childLoggerFactory: (logger) => logger,
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    bodyLimit: maxBodyBytes,
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: true },
    // A URL that cannot be routed is rejected in the same shape as every other error.
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      void markKeyInUrl(services, identities, request).catch(() => {})
      return answerFailure(error, request, reply.header('x-request-id', request.id))
    },
    clientErrorHandler: failures.answer,
    serverFactory: (others: RequestListener) => {
      const http = newHttpServer(config, withRawRoutes(rawDependencies, others), fastRawRoutes(rawDependencies))
      return http.on('checkExpectation', (_request, response) => failures.reject(response, 417))
    },
  } as FastifyServerOptions) as unknown as FastifyInstance
  server.setErrorHandler(answerFailure)
  // The contract kit validates everything before a handler runs.
  server.setValidatorCompiler(() => () => true)
  server.setSerializerCompiler(({ schema }) => lazySerializer(schema as object))
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      rejectLargeRequest(services, bytes.length)
      // Many clients send a JSON content type with every request, even without a body.
      return bytes.length === 0 ? undefined : parseJsonBody(bytes, request.routeOptions.config.maxBodyFields)
    },
  )
  addFormBody(server, services)
  addUntypedBody(server)
  server.decorateRequest('actor', null)
  server.decorateRequest('appId', null)
  server.decorateRequest('limitState', undefined)
  server.decorate('logFields', (request) => requestFields(services, loggedRequest(request)))
  await server.register(cookie)

  const dependencies: AdmissionDependencies = {
    csrf: new CsrfTokens(masterKey.macKey('csrf')),
    cookies: cookieNames(config.publicUrl),
    identities,
  }
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    accessLog?.describe(request.raw, () => loggedRequest(request))
    await markKeyInUrl(services, identities, request)
  })
  server.addHook('onSend', async ({ raw, routeOptions, limitState }, reply) => {
    if (limitState) addLimitHeaders(reply, limitState)
    // Answered before the body arrives: the server does not wait for one that is too large.
    const { bodyLimit = maxBodyBytes } = routeOptions
    const fits = Number(raw.headers['content-length'] ?? 0) <= bodyLimit && !raw.headers['transfer-encoding']
    if (!raw.complete && !fits) reply.header('connection', 'close')
  })
  addCsrfReplies(server, dependencies)
  checkGuards(features)
  for (const feature of features) {
    for (const each of feature.endpoints) addCallRoute(server, services, dependencies, each)
  }
  rawDependencies.observe = await addHealthRoutes(
    server,
    services,
    features.flatMap(({ gauges = [] }) => gauges),
  )
  addOpenApi(server, services, features)
  await addClientPackages(server, dashboardDir)
  await addDocumentation(server, dashboardDir, rawDependencies.brandOf)
  await addDashboard(server, dashboardDir, services, features)
  return server
}

function addLimitHeaders(reply: FastifyReply, { limit, remaining, resetSeconds }: LimitState): void {
  reply.header('ratelimit-limit', limit)
  reply.header('ratelimit-remaining', remaining)
  reply.header('ratelimit-reset', resetSeconds)
}

type Serializer = (reply: unknown) => string

/** By reply schema: a process that builds several servers, as tests do, compiles each once. */
const serializers = new WeakMap<object, Serializer>()

/** Serializes only the fields of the reply schema. Compiled on first use, to keep the start fast. */
function lazySerializer(schema: object): Serializer {
  let serialize = serializers.get(schema)
  return (reply) => {
    if (serialize === undefined) {
      serialize = serializers.get(schema) ?? fastJson(schema)
      serializers.set(schema, serialize)
    }
    return serialize(reply)
  }
}

const loggedRequest = ({ id: requestId, method, routeOptions, ip, appId }: FastifyRequest): LoggedRequest => ({
  requestId,
  method,
  path: routeOptions.url,
  ip,
  appId: appId ?? undefined,
})

function identitiesOf(features: readonly Feature[]): Identities {
  const identities = Object.assign({}, ...features.map((feature) => feature.identities)) as Partial<Identities>
  if (!identities.account || !identities.app) throw new Error('No feature says who is signed in')
  return identities as Identities
}

const guards = new Set<unknown>(['anyone', 'account', 'admin', 'reseller', 'seller-key'])

/** A call without a guard, or one that is declared but not implemented, prevents the start. */
function checkGuards(features: readonly Feature[]): void {
  const seen = new Set<string>()
  for (const { name, contract, endpoints } of features) {
    for (const { call } of endpoints) {
      const route = `${call.method} ${pathOf(call)}`
      if (!guards.has(call.access)) throw new Error(`${route} of ${name} doesn't say who may call it`)
      // A seller key has only the scopes it was granted, so each of its calls must name one, or null.
      if ((call.area === 'seller') !== (call.access === 'seller-key'))
        throw new Error(`${route} of ${name} mixes seller keys with sessions`)
      if (call.area === 'seller' && call.scope === undefined)
        throw new Error(`${route} of ${name} doesn't say which scope it needs`)
      const undeclared = codesOfSchemas(call).find((code) => !call.errors?.[code])
      if (undeclared) throw new Error(`${route} of ${name} rejects with ${undeclared}, which it doesn't declare`)
      if (seen.has(route)) throw new Error(`${route} stands twice`)
      seen.add(route)
    }
    const built = new Set(endpoints.map(({ call }) => call))
    for (const [key, call] of Object.entries(contract)) {
      if (!built.has(call)) throw new Error(`${key} of ${name} has no endpoint`)
    }
  }
}
