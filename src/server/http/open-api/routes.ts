import type { FastifyInstance } from 'fastify'
import type { Feature } from '../endpoint.ts'
import { cookieNames } from '../session-cookies.ts'
import type { Services } from '../../services.ts'
import { callOperations } from './call-operations.ts'
import { openApiDocument } from './document.ts'

const cookie = (name: string) => ({ type: 'apiKey', in: 'cookie', name })

/** Serves the OpenAPI documents: the dashboard's calls, the seller API, and those that features bring themselves. */
export function addOpenApi(server: FastifyInstance, { config }: Services, features: readonly Feature[]): void {
  const serverUrl = config.publicUrl
  const cookies = cookieNames(serverUrl)
  const documents: Record<string, () => object> = {
    '/api/1.0/openapi.json': () =>
      openApiDocument({
        title: 'Signet dashboard API',
        description: 'The calls of the dashboard, which sign in by cookie. Shops and bots use the seller API instead.',
        serverUrl,
        securitySchemes: { session: cookie(cookies.session), resellerSession: cookie(cookies.resellerSession) },
        operations: callOperations(features, ['website', 'public']),
      }),
    '/api/1.0/seller/openapi.json': () =>
      openApiDocument({
        title: 'Signet seller API',
        description: 'For shops, bots, and scripts that sell licenses and support customers.',
        serverUrl,
        securitySchemes: { sellerKey: { type: 'http', scheme: 'bearer', description: 'A seller key of the app' } },
        operations: callOperations(features, ['seller']),
      }),
    ...Object.assign({}, ...features.map(({ openApi }) => openApi?.(serverUrl))),
  }
  for (const [path, make] of Object.entries(documents)) {
    let bytes: Buffer | undefined
    // A text would be encoded for each reply.
    const encoded = () => (bytes ??= Buffer.from(JSON.stringify(make())))
    server.get(path, async (_request, reply) => reply.type('application/json; charset=utf-8').send(encoded()))
  }
}
