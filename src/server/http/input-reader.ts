import type { TSchema } from 'typebox'
import { commonErrors } from '#contract/common-errors.ts'
import { levelFieldNames, otherNamesIn } from '#contract/field-names.ts'
import { reject } from '#contract/errors.ts'

/**
 * Normalizes input for schema validation: renames fields sent under an alternative name and converts numbers sent as
 * text. All other errors are left to the schema.
 */
export type InputReader = (input: unknown) => unknown

interface JsonSchema {
  type?: string
  /** Numbers sent as text are not converted. */
  exact?: boolean
  anyOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
}

/** Undefined if the schema needs no conversion. */
export function inputReader(schema: TSchema | JsonSchema): InputReader | undefined {
  const { anyOf, items, properties, type, exact } = schema as JsonSchema
  if (properties) return objectReader(properties)
  if (items) return listReader(items)
  if (exact) return undefined
  const branches = anyOf ?? [{ ...(type !== undefined && { type }) }]
  return branches.some(isNumeric) && !branches.some((branch) => branch.type === 'string') ? asNumber : undefined
}

const isNumeric = ({ type }: JsonSchema): boolean => type === 'integer' || type === 'number'

/** Limited to lengths that a number represents exactly. */
const numberText = /^\s*-?\d{1,15}(?:\.\d{1,9})?\s*$/

const asNumber: InputReader = (input) => (typeof input === 'string' && numberText.test(input) ? Number(input) : input)

function listReader(items: JsonSchema): InputReader | undefined {
  const read = inputReader(items)
  return read && ((input) => (Array.isArray(input) ? input.map(read) : input))
}

type Fields = Record<string, unknown>

const isFields = (input: unknown): input is Fields =>
  typeof input === 'object' && input !== null && !Array.isArray(input)

function objectReader(properties: Record<string, JsonSchema>): InputReader | undefined {
  const readers = Object.entries(properties).flatMap(([name, property]) => {
    const others = otherNamesIn(properties, name)
    const inner = inputReader(property)
    // A text in this field is not a level.
    const read = inner && levelFieldNames.has(name) ? (value: unknown) => inner(levelOf(value)) : inner
    return others.length > 0 || read ? [{ name, others, read }] : []
  })
  if (readers.length === 0) return undefined
  return (input) => {
    if (!isFields(input)) return input
    for (const { name, others, read } of readers) {
      for (const sent of [name, ...others]) {
        if (!Object.hasOwn(input, sent)) continue
        const value = read ? read(input[sent]) : input[sent]
        if (sent !== name) {
          rejectDifferent(input, name, sent, value)
          delete input[sent]
        }
        input[name] = value
      }
    }
    return input
  }
}

/** Forms and scripts send empty fields as `?type=`: for a known field, the same as omitting it. */
export function emptyQueryReader(schema: TSchema): InputReader {
  const { properties = {} } = schema as JsonSchema
  const names = Object.keys(properties).flatMap((name) => [name, ...otherNamesIn(properties, name)])
  return (query) => {
    if (isFields(query)) for (const name of names) if (query[name] === '') delete query[name]
    return query
  }
}

/** A level in the form that lists return: `{ level, name }`. */
const levelOf = (value: unknown): unknown => (isFields(value) && Object.hasOwn(value, 'level') ? value['level'] : value)

/** Ambiguous: both names were sent. */
function rejectDifferent(input: Fields, name: string, other: string, value: unknown): void {
  if (!Object.hasOwn(input, name) || JSON.stringify(input[name]) === JSON.stringify(value)) return
  reject(commonErrors, 'FIELD_TWICE', { values: { field: name, other }, details: { field: name } })
}
