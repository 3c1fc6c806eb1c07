import { CallFailed } from '../call-failed.ts'

/** Field values are JSON: what is sent, or what was read. */
export const isSameValue = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Names of the fields whose value is another one now, in the order of `before`. */
export function changedFields<B extends object>(before: B, after: B): (keyof B & string)[] {
  const names = Object.keys(before) as (keyof B & string)[]
  return names.filter((name) => !isSameValue(before[name], after[name]))
}

export function pickFields<B extends object>(values: B, names: readonly (keyof B)[]): Partial<B> {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<B>
}

/**
 * What is stored now in the fields that changed after the form was opened; nothing for any other failure. The server
 * refuses such an edit whole (409 FIELD_CHANGED).
 */
export function conflictingValues(error: unknown): Record<string, unknown> {
  if (!(error instanceof CallFailed) || error.code !== 'FIELD_CHANGED') return {}
  const { current } = error.details
  return typeof current === 'object' && current !== null ? { ...current } : {}
}
