import type { CallDefinition } from '#contract/define-call.ts'
import { type JsonSchema, smallest } from '../sample-input.ts'

/** A field of a request, at any depth. */
export interface Field {
  part: 'body' | 'query' | 'params'
  /** The top-level field that it is in, or is. */
  name: string
  /** For failures: `filter.status`, `users[].subscriptions[].level`. */
  path: string
  schema: JsonSchema
  /** The value of the top-level field with this value here, and the minimum of its schema everywhere else. */
  around: (value: unknown) => unknown
}

/** All fields of the call's schemas, those of objects and of the elements of lists too. */
export const fieldsOf = (call: CallDefinition): Field[] =>
  (['body', 'query', 'params'] as const).flatMap((part) => {
    const { properties = {} } = (call[part] ?? {}) as JsonSchema
    return Object.entries(properties).flatMap(([name, schema]) =>
      withInner({ part, name, path: name, schema, around: (value) => value }),
    )
  })

export const isInner = ({ name, path }: Field): boolean => path !== name

const withInner = (field: Field): Field[] => [field, ...innerFields(field)]

function innerFields(field: Field): Field[] {
  const { schema, path, around } = field
  const inner = (suffix: string, inside: JsonSchema, wrap: (value: unknown) => unknown) =>
    withInner({ ...field, path: path + suffix, schema: inside, around: (value) => around(wrap(value)) })
  const named = (name: string, inside: JsonSchema) =>
    inner(`.${name}`, inside, (value) => ({ ...(smallest(schema) as object), [name]: value }))
  return [
    ...(schema.anyOf ?? []).flatMap((branch) => innerFields({ ...field, schema: branch })),
    ...(schema.items ? inner('[]', schema.items, (value) => [value]) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inside]) => named(name, inside)),
    // The name is a number in each record of a contract that limits its names.
    ...Object.values(schema.patternProperties ?? {}).flatMap((inside) => named('30', inside)),
  ]
}
