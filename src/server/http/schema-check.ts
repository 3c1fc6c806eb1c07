import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'
import { commonErrors } from '#contract/common-errors.ts'
import type { CallDefinition } from '#contract/define-call.ts'
import { type CallError, callError, reject, type ErrorDefinitions } from '#contract/errors.ts'

const shared = { allErrors: false, verbose: true, useDefaults: true, removeAdditional: false, strict: false } as const

// Types in JSON bodies are exact; a query has only text, so its numbers and booleans are converted.
const bodies = new Ajv({ ...shared, coerceTypes: false })
const queries = new Ajv({ ...shared, coerceTypes: true })

export type SchemaCheck = (value: unknown) => unknown

/**
 * Checks one part of a request. A schema may name one of the call's errors for whatever is wrong with it:
 * `Type.Integer({ minimum: 1, rejection: 'AMOUNT_INVALID' })`. Compiled when it is first needed: a start doesn't
 * wait for calls that nobody makes.
 */
export function schemaCheck(
  schema: TSchema,
  part: 'body' | 'query' | 'params',
  errors: ErrorDefinitions = {},
): SchemaCheck {
  let compiled: ValidateFunction | undefined
  return (value) => {
    const validate = (compiled ??= (part === 'body' ? bodies : queries).compile(schema))
    if (!validate(value)) throw invalidRequest(validate, errors)
    if (containsNul(value)) reject(commonErrors, 'CHARACTER_NOT_ALLOWED')
    return value
  }
}

/**
 * PostgreSQL cannot store U+0000 in text, and nobody types it. Uses a list instead of recursion, because JSON may be
 * nested deeper than the call stack.
 */
function containsNul(whole: unknown): boolean {
  const left = [whole]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string' && value.includes('\0')) return true
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) left.push(inner)
  }
  return false
}

function invalidRequest({ errors: problems }: ValidateFunction, errors: ErrorDefinitions): CallError {
  // The branches of a union report errors before the union itself, which has the code.
  const error = problems?.find(namedRejection) ?? problems?.[0]
  if (!error) return callError(commonErrors, 'BAD_REQUEST')
  const field = fieldOf(error)
  const { code: general, limit } = generalRejection(error)
  // A name that is too long is not missing.
  const code = tooLong.has(error.keyword) ? undefined : namedRejection(error)
  if (code) return callError(errors, code, { details: { field } })
  return callError(commonErrors, general, { values: { field: field || 'The request', ...limit }, details: { field } })
}

const tooLong = new Set(['maxLength', 'maxItems'])

interface GeneralRejection {
  code: keyof typeof commonErrors
  limit?: { min: number } | { max: number }
}

function generalRejection({ keyword, params }: ErrorObject): GeneralRejection {
  const limit = Number(params['limit'])
  if (keyword === 'required' || (keyword === 'minLength' && limit === 1)) return { code: 'FIELD_REQUIRED' }
  if (keyword === 'additionalProperties') return { code: 'FIELD_UNKNOWN' }
  if (keyword === 'maxLength') return { code: 'TEXT_TOO_LONG', limit: { max: limit } }
  if (keyword === 'maxItems') return { code: 'LIST_TOO_LONG', limit: { max: limit } }
  if (keyword === 'minimum') return { code: 'NUMBER_TOO_SMALL', limit: { min: limit } }
  if (keyword === 'maximum') return { code: 'NUMBER_TOO_LARGE', limit: { max: limit } }
  return { code: keyword === 'type' && params['type'] === 'integer' ? 'INTEGER_REQUIRED' : 'INVALID_REQUEST' }
}

function namedRejection(error: ErrorObject): string | undefined {
  const parent = error.parentSchema as NamedRejections & { properties?: Record<string, NamedRejections> }
  const isMissing = error.keyword === 'required'
  const named = isMissing ? parent.properties?.[error.params['missingProperty'] as string] : parent
  return named?.rejection ?? (isMissing || error.keyword === 'type' ? named?.typeRejection : undefined)
}

/** The codes of a field: for any value that it rejects, or only for those of another type. */
interface NamedRejections {
  rejection?: string
  typeRejection?: string
}

function fieldOf(error: ErrorObject): string {
  const inside = error.instancePath.slice(1).replaceAll('/', '.')
  const named = (error.params['missingProperty'] ?? error.params['additionalProperty']) as string | undefined
  return [inside, named].filter(Boolean).join('.').slice(0, 100)
}

/** Codes named by the schemas of a call; each must be one of its declared errors. */
export function codesOfSchemas(call: CallDefinition): string[] {
  const codes: string[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { rejection, typeRejection } = node as { rejection?: unknown; typeRejection?: unknown }
    for (const code of [rejection, typeRejection]) if (typeof code === 'string') codes.push(code)
    for (const inner of Object.values(node)) visit(inner)
  }
  for (const part of [call.body, call.query, call.params]) visit(part)
  return codes
}
