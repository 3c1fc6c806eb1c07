import { useState } from 'react'

/** Keys of the rendered rows by their IDs, in the order of the rows. */
export type RowKeys = ReadonlyMap<string, number>

/**
 * A row keeps its elements as long as it is on the page. Rows that replace all others take over theirs, which is much
 * faster than to create a hundred rows: so what a cell keeps in its own state may next belong to another row.
 */
export function nextRowKeys(before: RowKeys, ids: readonly string[]): RowKeys {
  const free = ids.some((id) => before.has(id)) ? [] : [...before.values()]
  let unused = Math.max(-1, ...before.values()) + 1
  return new Map(ids.map((id, index) => [id, before.get(id) ?? free[index] ?? unused++]))
}

export function useRowKeys(ids: readonly string[]): RowKeys {
  const [{ of, keys }, setKeys] = useState(() => ({ of: ids, keys: nextRowKeys(new Map(), ids) }))
  if (of === ids) return keys
  const next = nextRowKeys(keys, ids)
  setKeys({ of: ids, keys: next })
  return next
}
