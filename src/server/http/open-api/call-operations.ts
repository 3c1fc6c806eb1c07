import type { TSchema } from 'typebox'
import type { Area, CallDefinition } from '#contract/define-call.ts'
import { otherNamesIn } from '#contract/field-names.ts'
import { errorsOf } from '../call-errors.ts'
import { pathOf } from '../call-routes.ts'
import { csrfHeader } from '../csrf.ts'
import type { Feature } from '../endpoint.ts'
import { type Components, publishedSchema } from './components.ts'
import type { Operation } from './document.ts'

/** The operations of the features' calls in some areas, made from the schemas that validate them. */
export function callOperations(features: readonly Feature[], areas: readonly Area[]): Operation[] {
  return features.flatMap(({ name: tag, contract }) =>
    Object.entries(contract)
      .filter(([, call]) => areas.includes(call.area ?? 'website'))
      .map(([key, call]) => ({
        method: call.method,
        path: pathOf(call),
        tag,
        content: (components: Components) => operation(call, { operationId: operationIdOf(key, call), components }),
      })),
  )
}

/** Unique in a document: resellers have calls of the same names as owners. */
const operationIdOf = (key: string, { path }: CallDefinition): string =>
  path.startsWith('/reseller/') ? `reseller${capitalized(key)}` : key

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

interface Named {
  operationId: string
  components: Components
}

function operation(call: CallDefinition, { operationId, components }: Named): object {
  const name = capitalized(operationId)
  return {
    operationId,
    summary: call.summary,
    security: securityOf(call),
    parameters: [...parameters(call.params, 'path'), ...parameters(call.query, 'query'), ...headersOf(call)],
    ...(hasFields(call) && { requestBody: requestBody(call, components.schema(`${name}Body`, bodySchema(call))) }),
    responses: {
      200: {
        description: 'Done',
        content: call.file
          ? { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
          : { 'application/json': { schema: components.schema(`${name}Reply`, call.reply) } },
      },
      ...components.failures(errorsOf(call)),
    },
  }
}

function securityOf({ access }: CallDefinition): object[] {
  if (access === 'anyone') return []
  if (access === 'seller-key') return [{ sellerKey: [] }]
  return [access === 'reseller' ? { resellerSession: [] } : { session: [] }]
}

type WithBody = CallDefinition & { body: TSchema }

/** A call without fields needs no body. */
function hasFields(call: CallDefinition): call is WithBody {
  const { properties = {} } = (call.body ?? {}) as ObjectSchema
  return Object.keys(properties).length > 0
}

function requestBody({ upload, body }: WithBody, schema: object): object {
  const { required = [] } = body as ObjectSchema
  const kind = upload ? 'multipart/form-data' : 'application/json'
  return { required: upload === true || required.length > 0, content: { [kind]: { schema } } }
}

function bodySchema({ upload, body }: WithBody): object {
  if (!upload) return withOtherNames(body)
  const { properties } = body as { properties?: object }
  return { ...body, required: ['file'], properties: { ...properties, file: { type: 'string', format: 'binary' } } }
}

interface ObjectSchema {
  properties?: Record<string, { description?: string }>
  required?: readonly string[]
}

/** Adds the alternative names of fields as fields of their own. None of the names is required then, only one of them. */
function withOtherNames(schema: TSchema): object {
  const { properties, required = [] } = schema as ObjectSchema
  if (!properties) return schema
  const all: Record<string, object> = {}
  const isReplaceable = new Set<string>()
  for (const [name, property] of Object.entries(properties)) {
    all[name] = property
    for (const other of otherNamesIn(properties, name)) {
      isReplaceable.add(name)
      all[other] = { ...property, description: `Another name of \`${name}\`` }
    }
  }
  const left = required.filter((name) => !isReplaceable.has(name))
  const { required: _required, ...rest } = schema as TSchema & ObjectSchema
  return { ...rest, properties: all, ...(left.length > 0 && { required: left }) }
}

function parameters(schema: TSchema | undefined, place: 'path' | 'query'): object[] {
  const { properties = {}, required = [] } = (schema ?? {}) as ObjectSchema
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...own } = property
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description && { description }),
      schema: publishedSchema(own),
    }
  })
}

function headersOf(call: CallDefinition): object[] {
  const isSeller = call.access === 'seller-key'
  const header = (name: string, description: string, required = false) => {
    return { name, in: 'header', required, description, schema: { type: 'string' } }
  }
  return [
    ...(call.app && !isSeller ? [header('X-App-Id', 'The app; by default the selected one')] : []),
    ...(call.method !== 'GET' && !isSeller ? [header(csrfHeader, 'From `GET /check-auth`', true)] : []),
    ...(call.idempotent
      ? [header('Idempotency-Key', 'The same key and body return the first reply for 24 hours')]
      : []),
  ]
}
