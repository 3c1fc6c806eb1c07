import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { EventBus } from '../event-bus.ts'
import { CommitEffects } from '../commit-effects.ts'
import type { Database, EventListener, Tx } from '../database.ts'
import { migratePostgres } from '../migrate.ts'
import { maxReportMs } from '../report-queue.ts'
import type { Schema } from '../schema.ts'
import { databaseIsUnavailable, DatabaseUnavailable } from '../unavailable.ts'
import { ReportConnection, reportConnections, reportDialect } from './report-connection.ts'
import { searchedRows } from './searched-rows.ts'
import { limitedPool } from './limited-pool.ts'
import { listen } from './listen.ts'
import { planIsOutdated, PreparingClient } from './preparing-client.ts'

export const channel = 'signet'
const maxTries = 4

export interface PostgresOptions {
  url: string
  connections?: number
  /** Transactions that may wait for a connection; the next is refused at once. */
  maxWaiting?: number
  /** How long an answer of the server may take before its connection is given up; above its own `statement_timeout`. */
  queryTimeoutMs?: number
  /** How often the listening connection must prove that it hears. */
  pingMs?: number
  onError?: (error: unknown) => void
  /** After so long a report is ended. */
  reportMs?: number
  /** Hears of each statement outside of reports, so that tests can read its plan. */
  onStatement?: (sql: string, parameters: readonly unknown[]) => void
  /** The server can't be reached: told each time before it is tried again. Without it that is an error. */
  onUnreachable?: (problem: string) => Promise<void>
}

const startPauseMs = 1000
/** Longer than any statement of Signet but a migration's; a half-open connection is noticed soon after (F10). */
const statementTimeoutMs = 10_000

export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { url, connections = 20, maxWaiting = 200, queryTimeoutMs = 12_000, onError } = options
  const { reportMs = maxReportMs, onStatement } = options
  await migrateWhenReachable(options)
  const newPool = (max: number, maxStatementMs: number, maxAnswerMs: number) => {
    const pool = new pg.Pool({
      Client: PreparingClient,
      connectionString: url,
      max,
      connectionTimeoutMillis: 5000,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      query_timeout: maxAnswerMs,
      options: `-c statement_timeout=${maxStatementMs} -c lock_timeout=5000 -c idle_in_transaction_session_timeout=30000`,
      types: numbersAsNumbers,
    })
    pool.on('error', (error) => onError?.(error))
    // A connection that is lost while it is in use says so itself; unheard, that would end the process.
    pool.on('connect', (client) => client.on('error', (error) => onError?.(error)))
    return pool
  }
  const pool = newPool(connections, statementTimeoutMs, queryTimeoutMs)
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: limitedPool(pool, maxWaiting) }),
    ...(onStatement && { log: ({ query }) => onStatement(query.sql, query.parameters) }),
  })
  const reportPool = newPool(reportConnections, reportMs, reportMs + queryTimeoutMs - statementTimeoutMs)
  const reports = new Kysely<Schema>({ dialect: reportDialect(new ReportConnection(reportPool)) })
  const events = new EventBus(onError)
  const listeners = new Set<EventListener>()
  const listener = listen({
    url,
    channel,
    onTopic: (topic) => events.publish(topic),
    onDoubt: () => events.publishReset(),
    onError: (error) => onError?.(error),
    ...(options.pingMs && { pingMs: options.pingMs }),
  })

  return {
    engine: 'postgres',
    read: db,
    reports,
    events,
    get hasPeers() {
      return listener.hasPeers
    },
    async announce(topic) {
      await sql`select pg_notify(${channel}, ${topic})`.execute(db)
    },
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

    searched: async (source, search) => searchedRows(reports, source, search),
    async searchSettled() {},
    waitingTransactions: () => pool.waitingCount,
    async ping() {
      await sql`select 1`.execute(db)
      if (!listener.hears) throw new DatabaseUnavailable('changes made by other processes are not heard')
    },
    async close() {
      await listener.close()
      await reportPool.end()
      await db.destroy()
    },
  }
}

/** On a connection of its own: no time-out ends a migration. */
async function migrateWhenReachable({ url, onUnreachable }: PostgresOptions): Promise<void> {
  for (;;) {
    const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: 5000, keepAlive: true })
    pool.on('error', () => {})
    try {
      return await migratePostgres(pool)
    } catch (error) {
      if (!onUnreachable || !databaseIsUnavailable(error)) throw error
      await onUnreachable(unreachableText(url, error as Error))
    } finally {
      await pool.end()
    }
    await new Promise((resolve) => setTimeout(resolve, startPauseMs))
  }
}

function unreachableText(url: string, error: Error & { code?: string }): string {
  const { host, pathname } = new URL(url)
  const reason = error.message || error.code
  return `PostgreSQL at ${host}${pathname} can't be reached (${reason}); trying again until it can`
}

/** Only whole transactions are run again: after a deadlock, a serialization failure or a plan that was outdated. */
function mayBeRetried(error: unknown): boolean {
  const code = (error as { code?: string }).code
  return code === '40P01' || code === '40001' || planIsOutdated(error)
}

const bigintType = 20
const numericType = 1700

function parserOf(type: number, format?: string): (value: string) => unknown {
  if (type === bigintType || type === numericType) return Number
  return pg.types.getTypeParser(type, format as 'text') as (value: string) => unknown
}

/** Counts and epoch seconds fit a JavaScript number. */
export const numbersAsNumbers = { getTypeParser: parserOf }
