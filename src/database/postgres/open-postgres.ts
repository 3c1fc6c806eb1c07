import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { EventBus } from '../event-bus.ts'
import { CommitEffects } from '../commit-effects.ts'
import type { Database, EventListener, Tx } from '../database.ts'
import { migratePostgres } from '../migrate.ts'
import { maxReportMs } from '../report-queue.ts'
import type { Schema } from '../schema.ts'
import { databaseIsUnavailable, DatabaseUnavailable } from '../unavailable.ts'
import { explainPostgres } from '../unusable.ts'
import { WriteHealth } from '../write-health.ts'
import { checkConnectionLimit, type ConnectionShares, defaultShares, totalConnections } from './connection-count.ts'
import { DatabaseServers } from './database-servers.ts'
import { limitedPool } from './limited-pool.ts'
import { listen } from './listen.ts'
import { planIsOutdated, PreparingClient } from './preparing-client.ts'
import { ReportConnection, reportDialect } from './report-connection.ts'
import { searchedRows } from './searched-rows.ts'
import { checkOut, refuseSharedSessions, type ServerClientConfig } from './server-client.ts'
import { newServerIdentity, registerServer, renewSigns, type ServerIdentity } from './signs-of-life.ts'

export const channel = 'signet'
const maxTries = 4

export interface PostgresOptions {
  /** Of one server or several: `postgres://user:password@first,second/database`. */
  url: string
  connections?: Partial<ConnectionShares>
  /** Transactions that may wait for a connection; the next is refused at once. */
  maxWaiting?: number
  /** How long an answer of the server may take before its connection is given up; above its own `statement_timeout`. */
  queryTimeoutMs?: number
  /** How often the listening connection must prove that it hears. */
  pingMs?: number
  /** How often the row of this server is renewed, by which a restore knows that it runs. */
  renewalMs?: number
  onError?: (error: unknown) => void
  /** After so long a report is ended. */
  reportMs?: number
  /** Hears of each statement outside of reports, so that tests can read its plan. */
  onStatement?: (sql: string, parameters: readonly unknown[]) => void
  /** The server can't be reached: told each time before it is tried again. Without it that is an error. */
  onUnreachable?: (problem: string) => Promise<void>
  /** Something that isn't in the way yet, in one line. */
  onWarning?: (text: string) => void
}

const startPauseMs = 1000
/** How long a transaction may wait for a connection; longer than a server may take to accept one. */
const poolTimeoutMs = 5500
/** Longer than any statement of Signet but a migration's; a half-open connection is noticed soon after. */
const statementTimeoutMs = 10_000

export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { url, maxWaiting = 200, queryTimeoutMs = 12_000, onError } = options
  const { reportMs = maxReportMs, onStatement } = options
  const shares = { ...defaultShares, ...options.connections }
  const servers = new DatabaseServers(url)
  const identity = newServerIdentity()
  await registerWhenReachable(servers, options, { connections: totalConnections(shares), identity })
  const newPool = (purpose: 'calls' | 'reports', maxStatementMs: number, maxAnswerMs: number) => {
    const pool = newServerPool({
      servers,
      purpose,
      max: shares[purpose],
      connectionTimeoutMillis: poolTimeoutMs,
      idleTimeoutMillis: 30_000,
      keepAliveInitialDelayMillis: 10_000,
      query_timeout: maxAnswerMs,
      settings: {
        statement_timeout: maxStatementMs,
        lock_timeout: 5000,
        idle_in_transaction_session_timeout: 30_000,
      },
      types: numbersAsNumbers,
    })
    pool.on('error', (error) => onError?.(error))
    // A connection that is lost while it is in use says so itself; unheard, that would end the process.
    pool.on('connect', (client) => client.on('error', (error) => onError?.(error)))
    return pool
  }
  const pool = newPool('calls', statementTimeoutMs, queryTimeoutMs)
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: limitedPool(pool, servers, maxWaiting) }),
    ...(onStatement && { log: ({ query }) => onStatement(query.sql, query.parameters) }),
  })
  const reportPool = newPool('reports', reportMs, reportMs + queryTimeoutMs - statementTimeoutMs)
  const reports = new Kysely<Schema>({ dialect: reportDialect(new ReportConnection(reportPool, servers)) })
  const events = new EventBus(onError)
  const listeners = new Set<EventListener>()
  const writes = new WriteHealth()
  const listener = listen({
    servers,
    channel,
    onTopic: (topic) => events.publish(topic),
    onDoubt: () => events.publishReset(),
    onError: (error) => onError?.(error),
    ...(options.pingMs && { pingMs: options.pingMs }),
  })
  const signs = renewSigns(pool, identity, {
    ...(options.renewalMs && { everyMs: options.renewalMs }),
    onError: (error) => onError?.(error),
  })

  return {
    engine: 'postgres',
    read: db,
    reports,
    events,
    get hasOtherInstances() {
      return listener.hasOtherInstances
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
    },

    searched: async (source, search) => searchedRows(reports, source, search),
    async searchSettled() {},
    writes,
    waitingTransactions: () => pool.waitingCount,
    async ping() {
      await sql`select 1`.execute(db)
      if (!listener.hears) throw new DatabaseUnavailable('changes made by other processes are not heard')
    },
    async close() {
      await signs.stop()
      await listener.close()
      await reportPool.end()
      await db.destroy()
    },
  }
}

const newServerPool = (config: ServerClientConfig & pg.PoolConfig): pg.Pool =>
  // Its types know nothing of the options that it passes on to its clients.
  new pg.Pool({ Client: PreparingClient as never, ...config })

/** On a connection of its own: no time-out ends a migration. */
async function registerWhenReachable(
  servers: DatabaseServers,
  { onUnreachable, onWarning }: PostgresOptions,
  { connections, identity }: { connections: number; identity: ServerIdentity },
): Promise<void> {
  const config: ServerClientConfig = { servers, purpose: 'start' }
  for (;;) {
    const pool = newServerPool({ ...config, max: 1 })
    pool.on('error', () => {})
    try {
      const client = await checkOut(servers, pool)
      try {
        await refuseSharedSessions(client, config)
        const warning = await checkConnectionLimit(client, connections)
        if (warning !== undefined) onWarning?.(warning)
      } finally {
        client.release()
      }
      await migratePostgres(pool)
      return await registerServer(pool, identity)
    } catch (error) {
      if (!onUnreachable || !databaseIsUnavailable(error)) throw explainPostgres(error)
      const { message, code } = error as Error & { code?: string }
      await onUnreachable(
        `PostgreSQL at ${servers.description} can't be reached (${message || code}); trying again until it can`,
      )
    } finally {
      await pool.end()
    }
    await new Promise((resolve) => setTimeout(resolve, startPauseMs))
  }
}

/** A full disk takes a transaction that changes nothing, which has no number. */
async function hasChanges(trx: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ xid: string | null }>`select pg_current_xact_id_if_assigned()::text as xid`.execute(trx)
  return typeof rows[0]?.xid === 'string'
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
