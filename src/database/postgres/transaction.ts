import { type Kysely, sql } from 'kysely'
import { CommitEffects } from '../commit-effects.ts'
import type { EventListener, Tx } from '../database.ts'
import type { EventBus } from '../event-bus.ts'
import type { Schema } from '../schema.ts'
import type { WriteHealth } from '../write-health.ts'
import { channel } from './listen.ts'
import { planIsOutdated } from './preparing-client.ts'

const maxTries = 4

interface TransactionDependencies {
  db: Kysely<Schema>
  listeners: ReadonlySet<EventListener>
  writes: WriteHealth
  events: EventBus
  onError?: ((error: unknown) => void) | undefined
}

/** Runs a transaction, retries it after conflicts, and publishes its changes. */
export async function runTransaction<T>(
  { db, listeners, writes, events, onError }: TransactionDependencies,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const effects = new CommitEffects()
    let changes = false
    try {
      const result = await db.transaction().execute(async (trx) => {
        const tx = effects.on(trx)
        const value = await work(tx)
        await effects.deliver(tx, listeners)
        if (writes.problem) changes = await hasChanges(trx)
        for (const topic of effects.topics) await sql`select pg_notify(${channel}, ${topic})`.execute(trx)
        return value
      })
      if (changes) writes.succeeded()
      effects.run(events, onError)
      return result
    } catch (error) {
      writes.failed(error)
      if (tries >= maxTries || !mayBeRetried(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * tries))
    }
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
