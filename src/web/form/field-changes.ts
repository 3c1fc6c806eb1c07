import { CallFailed } from '../api/call-failed.ts'

/** Field values are JSON, as sent or read. */
export const isSameValue = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Names of the fields that have changed, in the order of `before`. */
export function changedFields<B extends object>(before: B, after: B): (keyof B & string)[] {
  const names = Object.keys(before) as (keyof B & string)[]
  return names.filter((name) => !isSameValue(before[name], after[name]))
}

export function pickFields<B extends object>(values: B, names: readonly (keyof B)[]): Partial<B> {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<B>
}

/** Somebody else has changed a field since it was read. */
export const isFieldConflict = (error: unknown): error is CallFailed =>
  error instanceof CallFailed && error.code === 'FIELD_CHANGED'

/**
 * Current stored values of fields changed by somebody else since the form was opened; undefined for any other failure.
 * The server rejects such an edit completely (409 FIELD_CHANGED).
 */
export function conflictingValues(error: unknown): Record<string, unknown> {
  if (!isFieldConflict(error)) return {}
  const { current } = error.details
  return typeof current === 'object' && current !== null ? { ...current } : {}
}

/** Unsaved edits of a form, by field. */
export interface FormDraft<V, B> {
  edits: Partial<V>
  /** Stored values of these fields when their editing began: a save is rejected if they have changed since. */
  before: Partial<B>
}

interface Fields<B> {
  /** The stored value when editing of the field began. */
  stored: B
  /** The entered value, as it would be stored. */
  typed: B
}

/** Effects on an open form when the stored values change from `known` to `now`. */
export function mergeStored<B extends object>({ stored, typed }: Fields<B>, known: B, now: B) {
  const news = changedFields(known, now).filter((name) => !isSameValue(stored[name], now[name]))
  const isEdited = (name: keyof B) => !isSameValue(stored[name], typed[name])
  const isWanted = (name: keyof B) => isSameValue(now[name], typed[name])
  return {
    /** Unedited fields: they show the new stored value. */
    taken: pickFields(
      now,
      news.filter((name) => !isEdited(name)),
    ),
    /** Both sides stored the same value: the field is no longer edited. */
    agreed: pickFields(
      now,
      news.filter((name) => isEdited(name) && isWanted(name)),
    ),
    /** Conflicts: one of the values must be chosen. */
    theirs: pickFields(
      now,
      news.filter((name) => isEdited(name) && !isWanted(name)),
    ),
  }
}

/** Merges new conflicts into the open ones; a new conflict replaces the open one of the same field. */
export function mergeUndecided<B extends object>(
  open: Partial<B>,
  undecided: Partial<B>,
  { known, now }: { known: B; now: B },
): Partial<B> {
  const news: readonly string[] = changedFields(known, now)
  const others = (Object.keys(open) as (keyof B)[]).filter((name) => !news.includes(name as string))
  return { ...pickFields(open as B, others), ...undecided }
}
