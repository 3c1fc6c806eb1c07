import { type ErrorDefinitions, plainText } from '#contract/errors.ts'

const failure = {
  type: 'object',
  description: 'Every rejected call. `code` never changes its meaning; `message` is for people.',
  required: ['success', 'message', 'code', 'requestId'],
  properties: {
    success: { type: 'boolean', const: false },
    message: { type: 'string' },
    code: { type: 'string', description: 'Stable; for programs' },
    requestId: { type: 'string', description: 'Finds the call in the log of the server' },
    field: { type: 'string', description: 'The rejected field, if one is to blame' },
    retryAfterSeconds: { type: 'integer', description: 'With 429 and 503: how long to wait' },
  },
}

const retryAfter = {
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 0 } },
}

/** Keywords of our own validation that no other JSON Schema tool knows. */
const ownKeywords = new Set(['rejection', 'typeRejection', 'exact'])

/** How TypeBox writes a map from any name. */
const anyName = '^.*$'

/** Schemas and replies that several operations of a document share. */
export class Components {
  readonly #schemas: Record<string, object> = { Failure: failure }
  readonly #securitySchemes: Record<string, object>

  constructor(securitySchemes: Record<string, object>) {
    this.#securitySchemes = securitySchemes
  }

  /** Adds a schema under a name of its own and returns the reference. */
  schema(name: string, schema: object): object {
    this.#schemas[name] = publishedSchema(schema) as object
    return { $ref: `#/components/schemas/${name}` }
  }

  /** Replies by status: what any call of the document can answer, with the errors of this call. */
  failures(errors: ErrorDefinitions): Record<string, object> {
    const texts = new Map<number, string[]>()
    for (const [code, { status, message }] of Object.entries(errors)) {
      texts.set(status, [...(texts.get(status) ?? []), `\`${code}\`: ${plainText(message)}`])
    }
    const byStatus = [...texts].toSorted(([a], [b]) => a - b)
    return Object.fromEntries(
      byStatus.map(([status, lines]) => [
        String(status),
        {
          description: [...new Set(lines)].join('; '),
          ...((status === 429 || status === 503) && { headers: retryAfter }),
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
        },
      ]),
    )
  }

  all(): object {
    return { schemas: this.#schemas, securitySchemes: this.#securitySchemes }
  }
}

/** A schema without the keywords of our own validation, and with maps as every generator of clients understands them. */
export function publishedSchema(schema: unknown, isFieldList = false): unknown {
  if (Array.isArray(schema)) return schema.map((each) => publishedSchema(each))
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name]) => isFieldList || !ownKeywords.has(name))
      .map(([name, value]): [string, unknown] =>
        !isFieldList && name === 'patternProperties' && anyName in value
          ? ['additionalProperties', publishedSchema(value[anyName])]
          : [name, publishedSchema(value, !isFieldList && name === 'properties')],
      ),
  )
}
