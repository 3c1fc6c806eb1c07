import type { Kysely, Transaction } from 'kysely'
import type { EventBus } from './event-bus.ts'
import type { Schema } from './schema.ts'
import type { Search, SearchedRows, SearchedTable, SearchSource } from './search-source.ts'
import type { WriteHealth } from './write-health.ts'

export type Engine = 'sqlite' | 'postgres'

/**
 * A unit of work: all of it is durable, or none. It does no I/O but SQL on `db`,
 * because on SQLite other transactions wait for it.
 */
export interface Tx {
  readonly db: Transaction<Schema>
  /** Tells every process, after the commit, that something cached is out of date: `app:ap_1`. */
  publish(topic: string): void
  /** Runs after the commit, in this process only. */
  afterCommit(effect: () => void): void
  /** Something happened to an app: listeners run in this transaction, after its work and before the commit. */
  emit(event: AppEvent): void
}

/** What others may want to hear of, such as the receivers of webhooks. */
export interface AppEvent {
  /** `license.ban` */
  type: string
  appId: string
  ownerId: string
  /** Epoch seconds. */
  at: number
  /** What it happened to: a license key, a username. */
  target: string
  details: Record<string, unknown>
  /** Of an act on many: each of them. */
  names?: readonly string[]
  /** What a chat message says of it, if that is more than the target. */
  chat?: ChatText
}

export interface ChatText {
  /** In English: `High: Credit abuse`. */
  title: string
  /** Whom or what it is about. Customers chose them. */
  names: readonly string[]
  /** How many are not named. */
  more: number
  /** Of the dashboard's page about it. */
  path: string
}

export type EventListener = (tx: Tx, event: AppEvent) => Promise<void>

export interface Database {
  readonly engine: Engine
  /** Point reads: on SQLite they run at once, in process. */
  readonly read: Kysely<Schema>
  /** Reads that may take long (lists, counts, exports): on SQLite in a worker thread. */
  readonly reports: Kysely<Schema>
  readonly events: EventBus
  /**
   * Hears of every event of every transaction of this process, in the transaction; a failure undoes it.
   * Until the returned function is called.
   */
  onEvent(listener: EventListener): () => void
  /** Whether servers of other processes use the database. */
  readonly hasOtherInstances: boolean
  /** Publishes to every process without a transaction. */
  announce(topic: string): Promise<void>
  /** Runs a transaction; resolves when it is durable. */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** The rows of an app whose text holds a text, read from `reports`; everything committed before is found. */
  searched<T extends SearchedTable>(source: SearchSource<T>, search: Search): Promise<SearchedRows<T>>
  /** Resolves when every committed row can be found through the index (tests and benchmarks wait for it). */
  searchSettled(): Promise<void>
  /** Whether the disk takes what is written. */
  readonly writes: Pick<WriteHealth, 'problem'>
  /** Transactions that wait for their turn, in this process. */
  waitingTransactions(): number
  /** Fails when the database can't answer; for `/readyz`. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** A handle that only reads as far as a query is concerned: the pool, the report thread or a transaction. */
export type Reader = Kysely<Schema>
