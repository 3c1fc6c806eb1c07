import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'
import { CallRefused } from '#contract/refusals.ts'

const shared = { allErrors: false, verbose: true, useDefaults: true, removeAdditional: false, strict: false } as const

// JSON bodies mean what they say; a query string has only text, so numbers and flags are read from it.
const bodies = new Ajv({ ...shared, coerceTypes: false })
const queries = new Ajv({ ...shared, coerceTypes: true })

export type SchemaCheck = (value: unknown) => unknown

/**
 * Checks one part of a request and throws `INVALID_REQUEST` with a text for people. Compiled when it is
 * first needed: a start doesn't wait for calls that nobody makes.
 */
export function schemaCheck(schema: TSchema, part: 'body' | 'query' | 'params'): SchemaCheck {
  let compiled: ValidateFunction | undefined
  return (value) => {
    const validate = (compiled ??= (part === 'body' ? bodies : queries).compile(schema))
    if (!validate(value)) throw invalidRequest(validate)
    if (containsNul(value))
      throw new CallRefused(400, 'INVALID_REQUEST', 'The request holds a character that is not allowed')
    return value
  }
}

/** PostgreSQL keeps no U+0000 in a text, and nobody types one. A list, because JSON may be nested past any call stack. */
function containsNul(whole: unknown): boolean {
  const left = [whole]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string' && value.includes('\0')) return true
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) left.push(inner)
  }
  return false
}

/** A schema may carry the document's own text: `Type.Integer({ minimum: 1, refusal: 'Please enter a valid amount' })`. */
function invalidRequest({ errors }: ValidateFunction): CallRefused {
  // A union's branches complain before the union, which has the text, does.
  const error = errors?.find(ownText) ?? errors?.[0]
  const own = error && ownText(error)
  return new CallRefused(400, 'INVALID_REQUEST', own ?? generalText(error), { field: error && fieldOf(error) })
}

function ownText(error: ErrorObject): string | undefined {
  const parent = error.parentSchema as { refusal?: string; properties?: Record<string, { refusal?: string }> }
  if (error.keyword === 'required') return parent.properties?.[error.params['missingProperty'] as string]?.refusal
  return parent.refusal
}

function fieldOf(error: ErrorObject): string {
  const inside = error.instancePath.slice(1).replaceAll('/', '.')
  const named = (error.params['missingProperty'] ?? error.params['additionalProperty']) as string | undefined
  return [inside, named].filter(Boolean).join('.').slice(0, 100)
}

function generalText(error: ErrorObject | undefined): string {
  if (!error) return 'The request is not valid'
  const field = fieldOf(error)
  if (error.keyword === 'required') return `${field} is required`
  if (error.keyword === 'additionalProperties') return `${field} is not a field of this call`
  return `${field || 'The request'} ${error.message ?? 'is not valid'}`
}
