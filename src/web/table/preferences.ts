import { useMemo, useState } from 'react'
import type { TableId } from '#contract/table-ids.ts'
import { createStore, type Store, useStore } from '../browser/store.ts'
import type { Column } from './column.ts'
import { arranged, isOptional, moved } from './column-order.ts'
import { arrangeColumns } from './preference-sync.ts'
import { type Arrangement, arrangementStore, isArranged, noArrangement } from './stored-preferences.ts'

export type ColumnVisibility = Record<string, boolean>

export interface ColumnChoice<R> {
  /** In the user's order, including hidden columns. */
  columns: readonly Column<R>[]
  visibility: ColumnVisibility
  /** IDs of chosen columns that have no space at the width of the window. */
  leftOut: Store<readonly string[]>
  toggle: (id: string) => void
  /** Number of positions: -1 moves one position to the front. */
  move: (id: string, by: number) => void
  /** Restores the defaults. Undefined if nothing was changed. */
  reset: (() => void) | undefined
}

/** Visible columns of a table and their order; stored under the table's ID. */
export function useColumnChoice<R>(table: TableId, columns: readonly Column<R>[]): ColumnChoice<R> {
  const own = useStore(arrangementStore(table))
  const [leftOut] = useState(() => createStore<readonly string[]>([]))
  const visibility = useMemo(() => visibilityOf(columns, own), [columns, own])
  const inOrder = useMemo(() => arranged(columns, own.order), [columns, own])
  const optional = inOrder.filter(isOptional).map(({ id }) => id)
  return {
    columns: inOrder,
    visibility,
    leftOut,
    toggle: (id) => arrangeColumns(table, { ...own, ...toggled(columns, visibility, id) }),
    move: (id, by) => arrangeColumns(table, { ...own, order: [...moved(optional, id, by)] }),
    reset: isArranged(own) ? () => arrangeColumns(table, noArrangement) : undefined,
  }
}

const visibilityOf = <R>(columns: readonly Column<R>[], { shown, hidden }: Arrangement): ColumnVisibility =>
  Object.fromEntries(
    columns.map(({ id, startsHidden }) => [id, shown.includes(id) || !(startsHidden || hidden.includes(id))]),
  )

/** Only what differs from the default is stored. */
function toggled<R>(columns: readonly Column<R>[], before: ColumnVisibility, toggledId: string) {
  const isShown = (id: string) => (before[id] !== false) !== (id === toggledId)
  return {
    shown: columns.filter(({ id, startsHidden }) => startsHidden && isShown(id)).map(({ id }) => id),
    hidden: columns.filter(({ id, startsHidden }) => !startsHidden && !isShown(id)).map(({ id }) => id),
  }
}
