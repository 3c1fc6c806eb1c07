import { useMemo, useState } from 'react'
import { createStore } from '../browser/store.ts'
import { readStored, readStoredJson, writeStored } from '../browser/stored.ts'
import type { Column } from './column.ts'
import { arranged, isOptional, moved } from './column-order.ts'

export type Density = 'compact' | 'regular' | 'relaxed'

const isDensity = (value: string | undefined): value is Density =>
  value === 'compact' || value === 'regular' || value === 'relaxed'

const storedDensity = readStored('density')

/** Shared by all tables. */
export const densityStore = createStore<Density>(isDensity(storedDensity) ? storedDensity : 'regular')

export function setDensity(density: Density) {
  writeStored('density', density)
  densityStore.set(density)
}

export type ColumnVisibility = Record<string, boolean>

export interface ColumnChoice<R> {
  /** In the user's order, including hidden columns. */
  columns: readonly Column<R>[]
  visibility: ColumnVisibility
  toggle: (id: string) => void
  /** Number of positions: -1 moves one position to the front. */
  move: (id: string, by: number) => void
  /** Restores the defaults. Undefined if nothing was changed. */
  reset: (() => void) | undefined
}

/** Visible columns of a table and their order; stored under the table's ID. */
export function useColumnChoice<R>(tableId: string, columns: readonly Column<R>[]): ColumnChoice<R> {
  const [shown, setShown] = useStored<ColumnVisibility>(`columns.${tableId}`, {}, isVisibility)
  const [order, setOrder] = useStored<readonly string[]>(`order.${tableId}`, [], isOrder)
  const visibility = useMemo(
    () => ({ ...Object.fromEntries(columns.map(({ id, startsHidden }) => [id, !startsHidden])), ...shown }),
    [columns, shown],
  )
  const inOrder = useMemo(() => arranged(columns, order), [columns, order])
  const optional = inOrder.filter(isOptional).map(({ id }) => id)
  const isOwn = Object.keys(shown).length > 0 || order.length > 0
  return {
    columns: inOrder,
    visibility,
    toggle: (id) => setShown({ ...shown, [id]: visibility[id] === false }),
    move: (id, by) => setOrder(moved(optional, id, by)),
    reset: isOwn
      ? () => {
          setShown(undefined)
          setOrder(undefined)
        }
      : undefined,
  }
}

const isVisibility = (value: unknown): value is ColumnVisibility =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isOrder = (value: unknown): value is readonly string[] => Array.isArray(value)

/** A stored value, ignored if it is invalid; `undefined` removes it. */
function useStored<T>(key: string, initial: T, isValid: (value: unknown) => value is T) {
  const [value, setValue] = useState<T>(() => {
    const stored = readStoredJson<unknown>(key, initial)
    return isValid(stored) ? stored : initial
  })
  const keep = (next: T | undefined) => {
    writeStored(key, next === undefined ? undefined : JSON.stringify(next))
    setValue(next ?? initial)
  }
  return [value, keep] as const
}
