import { CallFailed } from '../api/call-failed.ts'

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

/** Unsaved edits of a form, by field. */
export interface FormDraft<V, B> {
  edits: Partial<V>
  /** What was stored in these fields when their editing began: a save is refused where that is no longer so. */
  before: Partial<B>
}

interface Fields<B> {
  /** What was stored when a field's editing began. */
  stored: B
  /** What is typed, as it would be stored. */
  typed: B
}

/** What follows for an open form when `now` is stored, of which it knew `known` before. */
export function mergeStored<B extends object>({ stored, typed }: Fields<B>, known: B, now: B) {
  const news = changedFields(known, now).filter((name) => !isSameValue(stored[name], now[name]))
  const isEdited = (name: keyof B) => !isSameValue(stored[name], typed[name])
  const isWanted = (name: keyof B) => isSameValue(now[name], typed[name])
  return {
    /** Nobody edited these: they show what is stored now. */
    taken: pickFields(
      now,
      news.filter((name) => !isEdited(name)),
    ),
    /** Both stored the same in these: they are no edits any more. */
    agreed: pickFields(
      now,
      news.filter((name) => isEdited(name) && isWanted(name)),
    ),
    /** Which value stays in these must be decided. */
    theirs: pickFields(
      now,
      news.filter((name) => isEdited(name) && !isWanted(name)),
    ),
  }
}

/** What is left to decide after more was stored: what that says replaces what was open in the same fields. */
export function mergeUndecided<B extends object>(
  open: Partial<B>,
  undecided: Partial<B>,
  { known, now }: { known: B; now: B },
): Partial<B> {
  const news: readonly string[] = changedFields(known, now)
  const others = (Object.keys(open) as (keyof B)[]).filter((name) => !news.includes(name as string))
  return { ...pickFields(open as B, others), ...undecided }
}
