import type { TSchema } from 'typebox'
import { commonErrors } from '#contract/common-errors.ts'
import { type CallDefinition, needsRecentVerification } from '#contract/define-call.ts'
import { plainText } from '#contract/errors.ts'
import { otherNamesIn } from '#contract/field-names.ts'
import { pathOf } from './call-routes.ts'
import type { Feature } from './endpoint.ts'

const failure = {
  type: 'object',
  required: ['success', 'message', 'code', 'requestId'],
  properties: {
    success: { const: false },
    message: { type: 'string' },
    code: { type: 'string', description: 'Stable; for programs' },
    requestId: { type: 'string' },
  },
}

/** OpenAPI 3.1 document of all calls, made from the schemas that validate them. */
export function openApiDocument(features: readonly Feature[]): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const { name, endpoints } of features) {
    for (const { call } of endpoints) {
      const item = (paths[pathOf(call)] ??= {})
      item[call.method.toLowerCase()] = operation(call, name)
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Signet', version: '1.0', description: 'Licensing and authentication for software sellers.' },
    paths,
    components: {
      schemas: { Failure: failure },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'sid' },
        sellerKey: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}

function operation(call: CallDefinition, tag: string): object {
  const rejected: Record<string, object> = {}
  const { REAUTH_REQUIRED } = commonErrors
  const errors = { ...(needsRecentVerification(call) && { REAUTH_REQUIRED }), ...call.errors }
  for (const [code, { status, message }] of Object.entries(errors)) {
    const entry = (rejected[status] ??= {
      description: '',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
    }) as { description: string }
    entry.description += `${entry.description && '; '}${code}: ${plainText(message)}`
  }
  return {
    tags: [tag],
    summary: call.summary,
    ...(call.access !== 'anyone' && { security: [call.access === 'seller-key' ? { sellerKey: [] } : { session: [] }] }),
    parameters: [...parameters(call.params, 'path'), ...parameters(call.query, 'query'), ...appHeader(call)],
    ...(call.body && { requestBody: { content: requestContent(call, call.body) } }),
    responses: {
      200: {
        description: 'Done',
        content: { [call.file ? 'application/octet-stream' : 'application/json']: { schema: call.reply } },
      },
      ...rejected,
    },
  }
}

function requestContent({ upload }: CallDefinition, body: TSchema): object {
  if (!upload) return { 'application/json': { schema: withOtherNames(body) } }
  const { properties } = body as { properties?: object }
  const file = { type: 'string', format: 'binary' }
  return { 'multipart/form-data': { schema: { ...body, required: ['file'], properties: { ...properties, file } } } }
}

/** Adds the alternative names of fields to their descriptions. */
function withOtherNames(schema: TSchema): TSchema {
  const { properties } = schema as { properties?: Record<string, { description?: string }> }
  if (!properties) return schema
  const described = Object.entries(properties).map(([name, property]) => {
    const others = otherNamesIn(properties, name)
    if (others.length === 0) return [name, property] as const
    const alsoAs = `Also taken as ${others.map((other) => `\`${other}\``).join(', ')}`
    return [name, { ...property, description: [property.description, alsoAs].filter(Boolean).join('. ') }] as const
  })
  return { ...schema, properties: Object.fromEntries(described) }
}

function parameters(schema: TSchema | undefined, place: 'path' | 'query'): object[] {
  const { properties = {}, required = [] } = (schema ? withOtherNames(schema) : {}) as {
    properties?: Record<string, object>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

function appHeader(call: CallDefinition): object[] {
  if (!call.app || call.access === 'seller-key') return []
  return [{ name: 'X-App-Id', in: 'header', required: false, schema: { type: 'string' } }]
}
