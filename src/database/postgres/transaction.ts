import { type Kysely, type PostgresPool, sql } from 'kysely'
import type pg from 'pg'
import { CommitEffects } from '../commit-effects.ts'
import type { EventListener, Tx } from '../database.ts'
import type { EventBus } from '../event-bus.ts'
import type { Schema } from '../schema.ts'
import type { WriteHealth } from '../write-health.ts'
import { channel } from './listen.ts'
import { planIsOutdated } from './preparing-client.ts'
import { TransactionConnection, type transactionHandles } from './transaction-connection.ts'

const maxTries = 4

interface TransactionDependencies {
  pool: PostgresPool
  handleOf: ReturnType<typeof transactionHandles>
  onStatement: ((sql: string, parameters: readonly unknown[]) => void) | undefined
  listeners: ReadonlySet<EventListener>
  writes: WriteHealth
  events: EventBus
  onError?: ((error: unknown) => void) | undefined
}

/** Runs a transaction, retries it after conflicts, and publishes its changes. */
export async function runTransaction<T>(
  dependencies: TransactionDependencies,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { writes, events, onError } = dependencies
  for (let tries = 1; ; tries++) {
    const effects = new CommitEffects()
    try {
      const { value, changes } = await tryTransaction(dependencies, effects, work)
      if (changes) writes.succeeded()
      effects.run(events, onError)
      return value
    } catch (error) {
      writes.failed(error)
      if (tries >= maxTries || !mayBeRetried(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * tries))
    }
  }
}

async function tryTransaction<T>(
  { pool, handleOf, onStatement, listeners, writes }: TransactionDependencies,
  effects: CommitEffects,
  work: (tx: Tx) => Promise<T>,
): Promise<{ value: T; changes: boolean }> {
  const client = (await pool.connect()) as unknown as pg.PoolClient
  let isUseless = false
  try {
    const connection = new TransactionConnection(client, onStatement)
    try {
      const trx = handleOf(connection)
      const tx = effects.on(trx)
      const value = await work(tx)
      await effects.deliver(tx, listeners)
      const changes = writes.problem ? await hasChanges(trx) : false
      await connection.commit(channel, effects.topics)
      return { value, changes }
    } catch (error) {
      await connection.rollback().catch(() => (isUseless = true))
      throw error
    }
  } finally {
    client.release(isUseless)
  }
}

/** A transaction that changes nothing has no ID and succeeds even on a full disk. */
async function hasChanges(trx: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ xid: string | null }>`select pg_current_xact_id_if_assigned()::text as xid`.execute(trx)
  return typeof rows[0]?.xid === 'string'
}

/** Only whole transactions are retried: after a deadlock, a serialization failure or an outdated plan. */
function mayBeRetried(error: unknown): boolean {
  const code = (error as { code?: string }).code
  return code === '40P01' || code === '40001' || planIsOutdated(error)
}
