import { hash } from 'node:crypto'
import type { Reader } from '../database.ts'
import { copyProgressTable } from '../migrate.ts'
import { migrations } from '../migrations/list.ts'
import { carriedOver, type DoneMigration, isPreRelease } from '../migrations/pre-release.ts'

/** Reads and fills whole databases table by table, the same way on both engines. */

/** Values of a column: the same on both engines, because no other types are used. */
export type Value = string | number | null
export type Row = readonly Value[]

export interface TableShape {
  name: string
  /** Names, because the order may differ between engines; without generated columns. */
  columns: readonly string[]
}

/** The highest ID ever assigned in each table, by table name. */
export type IssuedNumbers = Readonly<Record<string, number>>

/** A consistent snapshot of a database, unaffected by later writes. */
export interface Snapshot {
  /** Number of the newest migration; that of the first release for a pre-release database. */
  readonly migration: number
  /** Whether a server of this version would leave its tables unchanged. */
  readonly isUpToDate: boolean
  /** Parent tables first. */
  readonly tables: readonly TableShape[]
  readonly issued: IssuedNumbers
  /** Queries on the same snapshot. */
  readonly reader: Reader
  /** All rows in batches. */
  rows(table: TableShape): AsyncIterable<Row[]>
  /** Damage found by the engine, one line each. */
  damages(): Promise<string[]>
  close(): Promise<void>
}

/** An empty database that is being filled; not visible to others before `finish`. */
export interface Target {
  readonly tables: readonly TableShape[]
  insert(table: TableShape, rows: readonly Row[]): Promise<void>
  setIssued(issued: IssuedNumbers): Promise<void>
  rows(table: TableShape): AsyncIterable<Row[]>
  /** Restores constraints and triggers, then runs newer migrations; throws if the rows violate them. */
  migrate(): Promise<void>
  readonly reader: Reader
  finish(): Promise<void>
  /** Discards everything. */
  abort(): Promise<void>
}

/** Interprets the `migrations` rows of a snapshot. Throws `DatabaseUnusable`, as a server start would. */
export function versionOf(done: readonly DoneMigration[]): Pick<Snapshot, 'migration' | 'isUpToDate'> {
  const isOld = isPreRelease(done)
  const migration = (isOld ? carriedOver : done).at(-1)?.number ?? 0
  return { migration, isUpToDate: !isOld && migration === migrations.length }
}

/** Tables that the engine derives from others, or that belong to this database only. */
export const ownTables: ReadonlySet<string> = new Set([
  'migrations',
  'search_changes',
  'server_processes',
  copyProgressTable,
])

export interface TableSum {
  rows: number
  /** Order-independent checksum: two tables with the same rows have the same sum. */
  digest: string
}

const digestModulus = 1n << 64n

/** Sums rows as they pass. */
export class RowSum {
  #rows = 0
  #sum = 0n

  add(rows: readonly Row[]): void {
    for (const row of rows) {
      this.#sum += hash('sha256', JSON.stringify(row), 'buffer').readBigUInt64BE()
    }
    this.#rows += rows.length
  }

  get value(): TableSum {
    return { rows: this.#rows, digest: (this.#sum % digestModulus).toString(16) }
  }
}

export async function sumOf(batches: AsyncIterable<readonly Row[]>): Promise<TableSum> {
  const sum = new RowSum()
  for await (const rows of batches) sum.add(rows)
  return sum.value
}

/** Parents before children, so that each row comes after the rows it refers to. */
export function parentsFirst(tables: readonly TableShape[], parentsOf: ReadonlyMap<string, readonly string[]>) {
  const ordered = new Map<string, TableShape>()
  const byName = new Map(tables.map((table) => [table.name, table]))
  const add = (table: TableShape, below: readonly string[]) => {
    if (ordered.has(table.name) || below.includes(table.name)) return
    for (const parent of parentsOf.get(table.name) ?? []) {
      const shape = byName.get(parent)
      if (shape) add(shape, [...below, table.name])
    }
    ordered.set(table.name, table)
  }
  for (const table of tables) add(table, [])
  return [...ordered.values()]
}

/** Quotes a name for both engines. Only used for names read from a database. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const columnList = ({ columns }: TableShape): string => columns.map(quoted).join(', ')

/** At most, in a batch: it ends sooner if its rows are long, because it becomes one text of JSON. */
export const rowsPerBatch = 2000
export const charactersPerBatch = 8_000_000

export function charactersOf(row: readonly unknown[]): number {
  let length = 0
  for (const value of row) length += typeof value === 'string' ? value.length : 8
  return length
}
