import { maxEpochSeconds } from '#contract/epoch-seconds.ts'
import { number } from '../page.ts'
import type { Schema } from './documents.ts'

/** What a field may be, in words with marks of Markdown: `text, 1 to 200 characters`. */
export function typeText(schema: Schema): string {
  const type = bareType(schema)
  return schema.default === undefined ? type : `${type}; default ${literal(schema.default)}`
}

const literal = (value: unknown): string => `\`${JSON.stringify(value)}\``

function bareType(schema: Schema): string {
  const { type, const: fixed, enum: values, anyOf, items, format } = schema
  if (fixed !== undefined) return literal(fixed)
  if (values) return values.map(literal).join(', ')
  if (anyOf) return alternatives(anyOf)
  if (type === 'integer' || type === 'number') return numberType(schema)
  if (format === 'binary') return 'file'
  if (type === 'string') return textType(schema)
  if (type === 'boolean') return '`true` or `false`'
  if (type === 'array') return listType(schema, items ?? {})
  if (type === 'null') return '`null`'
  return type ?? 'any value'
}

function alternatives(anyOf: readonly Schema[]): string {
  const texts = [...new Set(anyOf.map(bareType))]
  return texts.length < 3 ? texts.join(' or ') : `${texts.slice(0, -1).join(', ')}, or ${texts.at(-1)}`
}

function numberType({ type, minimum, maximum }: Schema): string {
  if (maximum === maxEpochSeconds) return 'time in epoch seconds'
  const kind = type === 'integer' ? 'integer' : 'number'
  if (maximum === undefined) return minimum === undefined ? kind : `${kind}, at least ${number(minimum)}`
  return `${kind}, ${minimum === undefined ? 'at most' : `${number(minimum)} to`} ${number(maximum)}`
}

function textType({ minLength = 0, maxLength, pattern }: Schema): string {
  const characters = (count: number) => `${number(count)} ${count === 1 ? 'character' : 'characters'}`
  const form = pattern === undefined ? '' : `, of the form \`${pattern}\``
  if (maxLength === undefined) return `text${minLength > 0 ? `, at least ${characters(minLength)}` : ''}${form}`
  const limit = minLength > 0 ? `${number(minLength)} to ${characters(maxLength)}` : `up to ${characters(maxLength)}`
  return `text, ${limit}${form}`
}

function listType({ minItems, maxItems }: Schema, items: Schema): string {
  const of = items.type === 'object' ? 'objects' : bareType(items)
  if (maxItems === undefined) return `list: ${of}`
  return `list of ${minItems ? `${number(minItems)} to ` : 'up to '}${number(maxItems)}: ${of}`
}

export interface Field {
  /** With the names of the objects around it: `before.version`, `users[].email`. */
  name: string
  isRequired: boolean
  type: string
  description: string
  otherNames: string[]
}

/** The fields of an object and of the objects within, in order. Other names of a field stand with it. */
export function fieldsOf({ properties = {}, required = [] }: Schema, prefix = ''): Field[] {
  const otherNames = new Map<string, string[]>()
  for (const [name, { description = '' }] of Object.entries(properties)) {
    const [, own] = otherName.exec(description) ?? []
    if (own) otherNames.set(own, [...(otherNames.get(own) ?? []), name])
  }
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (otherName.test(schema.description ?? '')) return []
    const [inner, place] = objectWithin(schema, prefix + name)
    const field = {
      name: prefix + name,
      isRequired: required.includes(name),
      type: typeText(schema),
      description: schema.description ?? descriptionWithin(schema),
      otherNames: otherNames.get(name) ?? [],
    }
    return [field, ...(inner ? fieldsOf(inner, place) : [])]
  })
}

const otherName = /^Another name of `(\w+)`$/

const descriptionWithin = ({ anyOf }: Schema): string =>
  anyOf?.find(({ description }) => description)?.description ?? ''

/** The object that a field is, lists, or maps names to, with the place of its fields. */
function objectWithin(schema: Schema, place: string): [Schema | undefined, string] {
  if (schema.properties) return [schema, `${place}.`]
  if (schema.anyOf) {
    const found = schema.anyOf.find((each) => each.properties || each.items || each.additionalProperties)
    return found ? objectWithin(found, place) : [undefined, place]
  }
  if (schema.items) return objectWithin(schema.items, `${place}[]`)
  const { additionalProperties: values } = schema
  return typeof values === 'object' ? objectWithin(values, `${place}.*`) : [undefined, place]
}
