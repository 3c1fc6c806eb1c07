import type { TableId } from '#contract/table-ids.ts'
import { createStore, type Store } from '../browser/store.ts'
import { readStored, readStoredJson, writeStored } from '../browser/stored.ts'

/** How tables look and act in this browser: shown at once, before the server has said what the person chose elsewhere. */

export type Density = 'compact' | 'regular' | 'relaxed'

const isDensity = (value: string | undefined): value is Density =>
  value === 'compact' || value === 'regular' || value === 'relaxed'

function readDensity(): Density {
  const stored = readStored('density')
  return isDensity(stored) ? stored : 'regular'
}

/** Shared by all tables. */
export const densityStore = createStore<Density>(readDensity())

/** `undefined` restores the default. */
export function showDensity(density: Density | undefined) {
  writeStored('density', density)
  densityStore.set(density ?? 'regular')
}

const followLogsKey = 'follow-logs'

/** Whether the log follows new entries, in every app: unless it was switched off. */
export const followLogsStore = createStore<boolean>(readStored(followLogsKey) !== 'off')

export function showFollowLogs(isOn: boolean) {
  writeStored(followLogsKey, isOn ? undefined : 'off')
  followLogsStore.set(isOn)
}

/** Columns shown or hidden against their default, and the order of the movable ones; empty without a choice. */
export interface Arrangement {
  shown: string[]
  hidden: string[]
  order: string[]
}

export const noArrangement: Arrangement = { shown: [], hidden: [], order: [] }

export const isArranged = ({ shown, hidden, order }: Arrangement): boolean =>
  shown.length + hidden.length + order.length > 0

const textOf = ({ shown, hidden, order }: Arrangement) => JSON.stringify([shown.toSorted(), hidden.toSorted(), order])

export const areSame = (a: Arrangement, b: Arrangement): boolean => textOf(a) === textOf(b)

const stores = new Map<TableId, Store<Arrangement>>()

export function arrangementStore(table: TableId): Store<Arrangement> {
  const known = stores.get(table)
  if (known) return known
  const store = createStore(readArrangement(table))
  stores.set(table, store)
  return store
}

export function showArrangement(table: TableId, arrangement: Arrangement) {
  const { shown, hidden, order } = arrangement
  const visibility = [...shown.map((id) => [id, true]), ...hidden.map((id) => [id, false])]
  writeStored(`columns.${table}`, visibility.length > 0 ? JSON.stringify(Object.fromEntries(visibility)) : undefined)
  writeStored(`order.${table}`, order.length > 0 ? JSON.stringify(order) : undefined)
  const store = arrangementStore(table)
  if (!areSame(store.get(), arrangement)) store.set(arrangement)
}

/** Shows what another tab of this browser has stored. */
export function showStored({ key }: StorageEvent) {
  if (key === 'signet.density') densityStore.set(readDensity())
  for (const [table, store] of stores) {
    if (key !== `signet.columns.${table}` && key !== `signet.order.${table}`) continue
    const chosen = readArrangement(table)
    if (!areSame(store.get(), chosen)) store.set(chosen)
  }
}

function readArrangement(table: TableId): Arrangement {
  const stored = readStoredJson<unknown>(`columns.${table}`, {})
  const visibility = typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? stored : {}
  const order = readStoredJson<unknown>(`order.${table}`, [])
  const idsWith = (value: boolean) =>
    Object.entries(visibility).flatMap(([id, shown]: [string, unknown]) => (shown === value ? [id] : []))
  return {
    shown: idsWith(true),
    hidden: idsWith(false),
    order: Array.isArray(order) ? order.filter((id) => typeof id === 'string') : [],
  }
}
