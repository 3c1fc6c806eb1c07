import { hash } from 'node:crypto'
import type { Reader } from '../database.ts'
import { copyProgressTable } from '../migrate.ts'
import { migrations } from '../migrations/list.ts'
import { carriedOver, type DoneMigration, isPreRelease } from '../migrations/pre-release.ts'

/** Whole databases, read and filled table by table, the same on both engines. */

/** What a column may hold: the same of both engines, because neither has other types in use. */
export type Value = string | number | null
export type Row = readonly Value[]

export interface TableShape {
  name: string
  /** By name, because engines may have them in another order; without those that the database computes. */
  columns: readonly string[]
}

/** The highest number that a table has given out, by its name. */
export type IssuedNumbers = Readonly<Record<string, number>>

/** A database as it was at one moment, whatever is written meanwhile. */
export interface Snapshot {
  /** The number of its newest migration; that of the first release for a pre-release database. */
  readonly migration: number
  /** Whether a server of this version leaves its tables as they are. */
  readonly isUpToDate: boolean
  /** Those that others refer to come first. */
  readonly tables: readonly TableShape[]
  readonly issued: IssuedNumbers
  /** Reads of the same moment. */
  readonly reader: Reader
  /** All rows in batches. */
  rows(table: TableShape): AsyncIterable<Row[]>
  /** What the engine itself finds damaged, one line each. */
  damages(): Promise<string[]>
  close(): Promise<void>
}

/** An empty database that is being filled; nobody sees it before `finish`. */
export interface Target {
  readonly tables: readonly TableShape[]
  insert(table: TableShape, rows: readonly Row[]): Promise<void>
  setIssued(issued: IssuedNumbers): Promise<void>
  rows(table: TableShape): AsyncIterable<Row[]>
  /** Its own rules again, then the migrations that are newer than the rows; throws when they contradict each other. */
  migrate(): Promise<void>
  readonly reader: Reader
  finish(): Promise<void>
  /** Nothing of it is left. */
  abort(): Promise<void>
}

/** What a snapshot says of the rows of `migrations`. Throws `DatabaseUnusable` as a start of the server would. */
export function versionOf(done: readonly DoneMigration[]): Pick<Snapshot, 'migration' | 'isUpToDate'> {
  const isOld = isPreRelease(done)
  const migration = (isOld ? carriedOver : done).at(-1)?.number ?? 0
  return { migration, isUpToDate: !isOld && migration === migrations.length }
}

/** Made from others by the engine that has them, or of this database alone. */
export const ownTables: ReadonlySet<string> = new Set([
  'migrations',
  'search_changes',
  'used_nonces',
  'server_processes',
  copyProgressTable,
])

export interface TableSum {
  rows: number
  /** Of all rows in any order: two tables with the same rows have the same. */
  digest: string
}

const digestModulus = 1n << 64n

/** Adds up rows as they pass. */
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

/** Parents before children, so that no row comes before the one that it refers to. */
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

/** A name as both engines quote it. Only names that a database itself gave are used. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const columnList = ({ columns }: TableShape): string => columns.map(quoted).join(', ')

export const rowsPerBatch = 2000
