import type { CallDefinition } from '#contract/define-call.ts'
import { features } from '#features.ts'
import { callOperations } from '#server/http/open-api/call-operations.ts'
import { openApiDocument } from '#server/http/open-api/document.ts'

/** The OpenAPI documents that a server offers, made without one. */

export interface Schema {
  $ref?: string
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  required?: string[]
  items?: Schema
  format?: string
  pattern?: string
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  description?: string
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Schema
}

type Content = Record<string, { schema: Schema }>

interface DocumentOperation {
  operationId: string
  summary: string
  parameters: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; content?: Content }>
}

export interface Document {
  paths: Record<string, Record<string, DocumentOperation>>
  components: { schemas: Record<string, Schema> }
}

export interface Operation {
  id: string
  method: string
  path: string
  summary: string
  parameters: Parameter[]
  body: Schema | undefined
  isUpload: boolean
  reply: Schema
  /** Errors as the document has them: code, and status. */
  errors: ReadonlyMap<string, number>
}

const serverUrl = 'https://signet.example.com'

export const sellerDocument = (): Document =>
  openApiDocument({
    title: 'Signet seller API',
    description: 'For shops, bots, and scripts that sell licenses and support customers.',
    serverUrl,
    securitySchemes: {},
    operations: callOperations(features, ['seller']),
  }) as Document

export function clientDocument(): Document {
  const make = features.flatMap(({ openApi }) => Object.values(openApi?.(serverUrl) ?? {}))[0]
  if (!make) throw new Error('No feature brings the document of the client API')
  return make() as Document
}

/** The contracts of the seller API's operations, by ID: permissions are not in the document. */
export const sellerContract: Readonly<Record<string, CallDefinition>> = Object.fromEntries(
  features.flatMap(({ contract }) => Object.entries(contract)).filter(([, { area }]) => area === 'seller'),
)

/** All operations in the document's order. */
export function operationsOf({ paths, components: { schemas } }: Document): Operation[] {
  const resolved = (schema: Schema | undefined): Schema | undefined =>
    schema?.$ref === undefined ? schema : schemas[schema.$ref.replace('#/components/schemas/', '')]
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, summary, parameters, requestBody, responses }]) => {
      const [[kind, body] = []] = Object.entries(requestBody?.content ?? {})
      const reply = Object.values(responses['200']?.content ?? {})[0]
      return {
        id: operationId,
        method: method.toUpperCase(),
        path,
        summary,
        parameters,
        body: resolved(body?.schema),
        isUpload: kind === 'multipart/form-data',
        reply: resolved(reply?.schema) ?? {},
        errors: new Map(
          Object.entries(responses).flatMap(([status, { description }]) =>
            [...description.matchAll(/`([A-Z][A-Z0-9_]+)`: /g)].map(([, code = '']) => [code, Number(status)] as const),
          ),
        ),
      }
    }),
  )
}
