import { randomBytes } from 'node:crypto'
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
import type { Identities } from './actors.ts'
import type { AdmissionDependencies } from './admission.ts'
import { addCallRoute, pathOf } from './call-routes.ts'
import { addCsrfReplies } from './csrf-protection.ts'
import { CsrfTokens } from './csrf.ts'
import { addDashboard } from './dashboard-files.ts'
import type { Feature } from './endpoint.ts'
import { answerFailure } from './failures.ts'
import { addHealthRoutes } from './health.ts'
import { newHttpServer } from './http-server.ts'
import { openApiDocument } from './open-api.ts'
import { markKeyInUrl } from './guard.ts'
import { parseJsonBody } from './json-body.ts'
import { pageBrands } from './page-brand.ts'
import { ParserFailures } from './parser-failures.ts'
import { type RawRouteDependencies, withRawRoutes } from './raw-routes.ts'
import { securityHeaders } from './security-headers.ts'
import { codesOfSchemas } from './schema-check.ts'
import { rejectLargeRequest } from './request-size.ts'
import type { Services } from '../services.ts'
import { cookieNames } from './session-cookies.ts'
import { addUntypedBody } from './body-without-type.ts'

/** Where no call says how much it takes. */
const maxBodyBytes = 100 * 1024

export interface BuildOptions {
  services: Services
  features: readonly Feature[]
  /** The built dashboard; without it only the APIs are served. */
  dashboardDir?: string | undefined
}

/** The whole HTTP server, not yet listening. Throws when a call has no guard or stands twice. */
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
    // A logger of its own for every request would cost more than most requests; failures carry the id instead.
    childLoggerFactory: (logger) => logger,
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    bodyLimit: maxBodyBytes,
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: true },
    // An address that no route can read is refused in the words of every other refusal.
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      void markKeyInUrl(services, identities, request).catch(() => {})
      return answerFailure(error, request, reply.header('x-request-id', request.id))
    },
    clientErrorHandler: failures.answer,
    serverFactory: (others: RequestListener) => {
      const http = newHttpServer(config, withRawRoutes(rawDependencies, others))
      return http.on('checkExpectation', (_request, response) => failures.reject(response, 417))
    },
  } as FastifyServerOptions) as unknown as FastifyInstance
  server.setErrorHandler(answerFailure)
  // The contract kit has checked everything before a handler runs.
  server.setValidatorCompiler(() => () => true)
  server.setSerializerCompiler(({ schema }) => lazySerializer(schema as object))
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, bytes: Buffer) => {
      rejectLargeRequest(services, bytes.length)
      // Many clients announce JSON with every request, also where they send none.
      return bytes.length === 0 ? undefined : parseJsonBody(bytes)
    },
  )
  addUntypedBody(server)
  server.decorateRequest('actor', null)
  server.decorateRequest('appId', null)
  server.decorate('logFields', (request) => requestFields(services, loggedRequest(request)))
  await server.register(cookie)

  const dependencies: AdmissionDependencies = {
    csrf: new CsrfTokens(masterKey.derive('csrf')),
    cookies: cookieNames(config.publicUrl),
    identities,
  }
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    accessLog?.describe(request.raw, () => loggedRequest(request))
    await markKeyInUrl(services, identities, request)
  })
  server.addHook('onSend', async ({ raw, routeOptions }, reply) => {
    // Answered before its body has come: one that is too large isn't waited for.
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
  let document: string | undefined
  server.get('/api/1.0/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify(openApiDocument(features))
    return reply.type('application/json').send(document)
  })
  await addDashboard(server, dashboardDir, services, features)
  return server
}

/** Writes what a reply's schema names and nothing else; built for the first reply, so that a start doesn't wait. */
function lazySerializer(schema: object): (reply: unknown) => string {
  let serialize: ((reply: unknown) => string) | undefined
  return (reply) => (serialize ??= fastJson(schema))(reply)
}

const loggedRequest = ({ id: requestId, method, routeOptions, ip, appId }: FastifyRequest): LoggedRequest => ({
  requestId,
  method,
  path: routeOptions.url,
  ip,
  appId: appId ?? undefined,
})

/** Unique in a process, and between processes by its random beginning. */
function requestIds(): () => string {
  const start = randomBytes(9).toString('base64url')
  let count = 0
  return () => `${start}-${(++count).toString(36)}`
}

function identitiesOf(features: readonly Feature[]): Identities {
  const identities = Object.assign({}, ...features.map((feature) => feature.identities)) as Partial<Identities>
  if (!identities.account || !identities.app) throw new Error('No feature says who is signed in')
  return identities as Identities
}

const guards = new Set<unknown>(['anyone', 'account', 'admin', 'reseller', 'seller-key'])

/** A call without a guard stops the start (R-TEN-01), and so does one that is declared but not built. */
function checkGuards(features: readonly Feature[]): void {
  const seen = new Set<string>()
  for (const { name, contract, endpoints } of features) {
    for (const { call } of endpoints) {
      const route = `${call.method} ${pathOf(call)}`
      if (!guards.has(call.access)) throw new Error(`${route} of ${name} doesn't say who may call it`)
      // A seller key holds what it was given and no more, so each of its calls says what that is.
      if ((call.area === 'seller') !== (call.access === 'seller-key'))
        throw new Error(`${route} of ${name} mixes seller keys with sessions`)
      if (call.area === 'seller' && !call.scope) throw new Error(`${route} of ${name} doesn't say which scope it needs`)
      const undeclared = codesOfSchemas(call).find((code) => !call.errors?.[code])
      if (undeclared) throw new Error(`${route} of ${name} refuses with ${undeclared}, which it doesn't declare`)
      if (seen.has(route)) throw new Error(`${route} stands twice`)
      seen.add(route)
    }
    const built = new Set(endpoints.map(({ call }) => call))
    for (const [key, call] of Object.entries(contract)) {
      if (!built.has(call)) throw new Error(`${key} of ${name} has no endpoint`)
    }
  }
}
