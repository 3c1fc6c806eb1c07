import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { EventBus } from '../event-bus.ts'
import { CommitEffects } from '../commit-effects.ts'
import type { Database, EventListener, Tx } from '../database.ts'
import { migratePostgres } from '../migrate.ts'
import type { Schema } from '../schema.ts'
import { searchedRows } from './searched-rows.ts'
import { listen } from './listen.ts'
import { planIsOutdated, PreparingClient } from './preparing-client.ts'

const channel = 'signet'
const maxTries = 4

export interface PostgresOptions {
  url: string
  connections?: number
  onError?: (error: unknown) => void
}

export async function openPostgres({ url, connections = 20, onError }: PostgresOptions): Promise<Database> {
  const pool = new pg.Pool({
    Client: PreparingClient,
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    options: '-c statement_timeout=30000 -c lock_timeout=5000 -c idle_in_transaction_session_timeout=30000',
    types: { getTypeParser: parserOf },
  })
  pool.on('error', (error) => onError?.(error))
  // A connection that is lost while it is in use says so itself; unheard, that would end the process.
  pool.on('connect', (client) => client.on('error', (error) => onError?.(error)))
  try {
    await migratePostgres(pool)
  } catch (error) {
    await pool.end()
    throw error
  }
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  const events = new EventBus(onError)
  const listeners = new Set<EventListener>()
  const listener = listen({
    url,
    channel,
    onTopic: (topic) => events.publish(topic),
    onConnect: () => events.publishReset(),
    onError: (error) => onError?.(error),
  })

  return {
    engine: 'postgres',
    read: db,
    reports: db,
    events,
    onEvent(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    async write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
      for (let tries = 1; ; tries++) {
        const effects = new CommitEffects()
        try {
          const result = await db.transaction().execute(async (trx) => {
            const tx = effects.on(trx)
            const value = await work(tx)
            await effects.deliver(tx, listeners)
            for (const topic of effects.topics) await sql`select pg_notify(${channel}, ${topic})`.execute(trx)
            return value
          })
          effects.run(events, onError)
          return result
        } catch (error) {
          if (tries >= maxTries || !mayBeRetried(error)) throw error
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * tries))
        }
      }
    },

    searched: async (source, search) => searchedRows(db, source, search),
    async searchSettled() {},
    async ping() {
      await sql`select 1`.execute(db)
    },
    async close() {
      await listener.close()
      await db.destroy()
    },
  }
}

/** Only whole transactions are run again: after a deadlock, a serialization failure or a plan that was outdated. */
function mayBeRetried(error: unknown): boolean {
  const code = (error as { code?: string }).code
  return code === '40P01' || code === '40001' || planIsOutdated(error)
}

const bigintType = 20
const numericType = 1700

/** Counts and epoch seconds fit a JavaScript number. */
function parserOf(type: number, format?: string): (value: string) => unknown {
  if (type === bigintType || type === numericType) return Number
  return pg.types.getTypeParser(type, format as 'text') as (value: string) => unknown
}
