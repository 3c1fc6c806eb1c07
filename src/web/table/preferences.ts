import { useCallback, useState } from 'react'
import { createStore } from '../store.ts'
import { readStored, readStoredJson, writeStored } from '../stored.ts'
import type { Column } from './column.ts'

export type Density = 'compact' | 'regular' | 'relaxed'

const isDensity = (value: string | undefined): value is Density =>
  value === 'compact' || value === 'regular' || value === 'relaxed'

const storedDensity = readStored('density')

/** One choice for all tables. */
export const densityStore = createStore<Density>(isDensity(storedDensity) ? storedDensity : 'regular')

export function setDensity(density: Density) {
  writeStored('density', density)
  densityStore.set(density)
}

export type ColumnVisibility = Record<string, boolean>

/** Which columns a table shows, kept under the table's id. */
export function useColumnVisibility<R>(tableId: string, columns: readonly Column<R>[]) {
  const key = `columns.${tableId}`
  const [visibility, setVisibility] = useState<ColumnVisibility>(() => ({
    ...Object.fromEntries(columns.map((column) => [column.id, !column.startsHidden])),
    ...readStoredJson<ColumnVisibility>(key, {}),
  }))
  const toggle = useCallback(
    (id: string) =>
      setVisibility((before) => {
        const after = { ...before, [id]: before[id] === false }
        writeStored(key, JSON.stringify(after))
        return after
      }),
    [key],
  )
  return { visibility, toggle }
}
