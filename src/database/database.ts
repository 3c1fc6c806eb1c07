import type { Kysely, Transaction as TransactionOf } from 'kysely'
import type { EventBus } from './event-bus.ts'
import type { Schema } from './schema.ts'
import type { Search, SearchedRows, SearchedTable, SearchSource } from './search-source.ts'
import type { WriteHealth } from './write-health.ts'

export type Engine = 'sqlite' | 'postgres'

/**
 * A unit of work: all of it becomes durable, or none. It does no I/O besides SQL on `db`, because on SQLite other
 * transactions wait for it.
 */
export interface Tx {
  readonly db: Transaction
  /** After the commit, tells every process that a cached value is outdated: `app:ap_1`. */
  publish(topic: string): void
  /** Runs after the commit, in this process only. */
  afterCommit(effect: () => void): void
  /** Announces an event of an app: listeners run in this transaction, after its work and before the commit. */
  emit(event: AppEvent): void
}

/** An event that others may subscribe to, such as webhook receivers. */
export interface AppEvent {
  /** `license.ban` */
  type: string
  appId: string
  ownerId: string
  /** Epoch seconds. */
  at: number
  /** The target: a license key, a username. */
  target: string
  details: Record<string, unknown>
  /** All targets of an action on many rows. */
  names?: readonly string[]
  /** Text for a chat message, if it says more than the target. */
  chat?: ChatText
}

export interface ChatText {
  /** In English: `High: Credit abuse`. */
  title: string
  /** The subjects of the event. Their names were chosen by customers. */
  names: readonly string[]
  /** Number of subjects not listed. */
  more: number
  /** Path of the dashboard page about it. */
  path: string
}

export type EventListener = (tx: Tx, event: AppEvent) => Promise<void>

export interface Database {
  readonly engine: Engine
  /** Point reads: on SQLite, they run immediately in this process. */
  readonly read: Kysely<Schema>
  /** Reads that may take long (lists, counts, exports): on SQLite, they run in a worker thread. */
  readonly reports: Kysely<Schema>
  readonly events: EventBus
  /**
   * Calls the listener for every event of every transaction of this process, in the transaction; a failure rolls it
   * back. Returns a function that unsubscribes.
   */
  onEvent(listener: EventListener): () => void
  /** Whether servers in other processes use the database. */
  readonly hasOtherInstances: boolean
  /** Publishes to all processes outside a transaction. */
  announce(topic: string): Promise<void>
  /** Runs a transaction; resolves once it is durable. */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** The rows of an app that contain a text, read from `reports`; all committed rows are found. */
  searched<T extends SearchedTable>(source: SearchSource<T>, search: Search): Promise<SearchedRows<T>>
  /** Resolves when all committed rows are in the search index (for tests and benchmarks). */
  searchSettled(): Promise<void>
  /** Whether the disk accepts writes. */
  readonly writes: Pick<WriteHealth, 'problem'>
  /** Number of waiting transactions in this process. */
  waitingTransactions(): number
  /** Rejects if the database does not answer; for `/readyz`. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** A read-only handle for queries: the pool, the report thread or a transaction. */
export type Reader = Kysely<Schema>

/** A handle for the statements of a transaction: required by all that write or lock. */
export type Transaction = TransactionOf<Schema>
