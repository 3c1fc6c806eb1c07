import { type TableId, tableIds } from '#contract/table-ids.ts'
import { createStore, type Store } from '../browser/store.ts'
import { readStored, readStoredJson, writeStored } from '../browser/stored.ts'
import { isResellerArea } from '../navigation/paths.ts'

/** How tables look and act in this browser: shown at once, before the server has said what the person chose elsewhere. */

const followLogsKey = 'follow-logs'
export const marksKey = 'preferences'

/** An owner and a reseller may be signed in at once, and each has values of their own. */
let area = isResellerArea(globalThis.location?.pathname ?? '') ? 'reseller.' : ''

export const keyInArea = (key: string) => `${area}${key}`

/** Resellers had the values of the whole browser once. */
function keepCommonValues() {
  if (area === '' || readStored(keyInArea(marksKey)) !== undefined) return
  const ofTables = tableIds.flatMap((table) => [`columns.${table}`, `order.${table}`])
  for (const key of [marksKey, 'density', followLogsKey, ...ofTables]) writeStored(keyInArea(key), readStored(key))
}

keepCommonValues()

/** After a sign-in the area can be another one than that of the address at the start. */
export function showArea(isReseller: boolean) {
  const now = isReseller ? 'reseller.' : ''
  if (now === area) return
  area = now
  keepCommonValues()
  densityStore.set(readDensity())
  followLogsStore.set(readFollowLogs())
  for (const table of stores.keys()) followStored(table)
}

export type Density = 'compact' | 'regular' | 'relaxed'

const isDensity = (value: string | undefined): value is Density =>
  value === 'compact' || value === 'regular' || value === 'relaxed'

function readDensity(): Density {
  const stored = readStored(keyInArea('density'))
  return isDensity(stored) ? stored : 'regular'
}

/** Shared by all tables. */
export const densityStore = createStore<Density>(readDensity())

/** `undefined` restores the default. */
export function showDensity(density: Density | undefined) {
  writeStored(keyInArea('density'), density)
  densityStore.set(density ?? 'regular')
}

const readFollowLogs = () => readStored(keyInArea(followLogsKey)) !== 'off'

/** Whether the log follows new entries, in every app: unless it was switched off. */
export const followLogsStore = createStore<boolean>(readFollowLogs())

export function showFollowLogs(isOn: boolean) {
  writeStored(keyInArea(followLogsKey), isOn ? undefined : 'off')
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
  writeStored(
    keyInArea(`columns.${table}`),
    visibility.length > 0 ? JSON.stringify(Object.fromEntries(visibility)) : undefined,
  )
  writeStored(keyInArea(`order.${table}`), order.length > 0 ? JSON.stringify(order) : undefined)
  const store = arrangementStore(table)
  if (!areSame(store.get(), arrangement)) store.set(arrangement)
}

/** Shows what another tab of this browser has stored. */
export function showStored({ key }: StorageEvent) {
  const isKey = (name: string) => key === `signet.${keyInArea(name)}`
  if (isKey('density')) densityStore.set(readDensity())
  for (const table of stores.keys()) if (isKey(`columns.${table}`) || isKey(`order.${table}`)) followStored(table)
}

function followStored(table: TableId) {
  const store = arrangementStore(table)
  const chosen = readArrangement(table)
  if (!areSame(store.get(), chosen)) store.set(chosen)
}

function readArrangement(table: TableId): Arrangement {
  const stored = readStoredJson<unknown>(keyInArea(`columns.${table}`), {})
  const visibility = typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? stored : {}
  const order = readStoredJson<unknown>(keyInArea(`order.${table}`), [])
  const idsWith = (value: boolean) =>
    Object.entries(visibility).flatMap(([id, shown]: [string, unknown]) => (shown === value ? [id] : []))
  return {
    shown: idsWith(true),
    hidden: idsWith(false),
    order: Array.isArray(order) ? order.filter((id) => typeof id === 'string') : [],
  }
}
