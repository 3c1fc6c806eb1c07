import { commonErrors } from '#contract/common-errors.ts'
import { reject } from '#contract/errors.ts'

/**
 * Two people, or two tabs, edit the same row: refuses with `FIELD_CHANGED` when a field that the caller changes is
 * no longer as the caller saw it (`before`), unless it already is what the caller wants. `current` is read under
 * the row's lock.
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
