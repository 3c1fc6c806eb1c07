import { commonErrors } from '#contract/common-errors.ts'
import { reject } from '#contract/errors.ts'

/**
 * Protects against concurrent edits: rejects with `FIELD_CHANGED` if a field to be changed no longer has the value the
 * caller saw (`before`), unless it already has the wanted value. `current` must be read under the row lock.
 */
export function rejectFieldConflict(
  { before, change }: { before: object | undefined; change: object },
  current: Record<string, unknown>,
): void {
  const wanted = new Map(Object.entries(change))
  const conflicts = Object.entries(before ?? {}).filter(
    ([name, seen]) => !isSame(current[name], seen) && !isSame(current[name], wanted.get(name)),
  )
  if (conflicts.length === 0) return
  reject(commonErrors, 'FIELD_CHANGED', {
    details: { current: Object.fromEntries(conflicts.map(([name]) => [name, current[name]])) },
  })
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * The change, with the current value of each field that `before` doesn't name: for calls that take all fields, of which
 * the caller edited only some. Without `before`, the caller sets all of them.
 */
export function editedFields<C extends object>(
  { before, change }: { before: object | undefined; change: C },
  current: C | undefined,
): C {
  if (!before || !current) return change
  const kept = Object.entries(current).filter(([name]) => !(name in before))
  return { ...change, ...Object.fromEntries(kept) }
}
