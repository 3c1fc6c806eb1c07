import { Kysely, PostgresDialect, sql } from 'kysely'
import { EventBus } from '../event-bus.ts'
import type { Database, EventListener } from '../database.ts'
import { migratePostgres } from '../migrate.ts'
import { maxReportMs } from '../report-queue.ts'
import type { Schema } from '../schema.ts'
import { databaseIsUnavailable, DatabaseUnavailable } from '../unavailable.ts'
import { explainPostgres, unreachable } from '../unusable.ts'
import { WriteHealth } from '../write-health.ts'
import { checkConnectionLimit, type ConnectionShares, defaultShares, totalConnections } from './connection-count.ts'
import { DatabaseServers } from './database-servers.ts'
import { limitedPool } from './limited-pool.ts'
import { channel, listen } from './listen.ts'
import { cleanPendingLists } from './pending-lists.ts'
import { ReportConnection, reportDialect } from './report-connection.ts'
import { searchedRows } from './searched-rows.ts'
import { newServerPool, openPool, type StatementLimits, statementTimeoutMs } from './server-pool.ts'
import { checkOut, rejectSharedSessions, type ServerClientConfig } from './server-client.ts'
import { newServerIdentity, registerServer, startHeartbeats, type ServerIdentity } from './server-heartbeats.ts'
import { transactionHandles } from './transaction-connection.ts'
import { runTransaction } from './transaction.ts'

export interface PostgresOptions {
  /** One or several servers: `postgres://user:password@first,second/database`. */
  url: string
  connections?: Partial<ConnectionShares>
  /** Maximum number of transactions waiting for a connection; further ones are rejected immediately. */
  maxWaiting?: number
  /** Timeout for a response of the server before the connection is closed; above its own `statement_timeout`. */
  queryTimeoutMs?: number
  /** Interval at which the listening connection must prove that it receives messages. */
  pingMs?: number
  /** Interval at which this server renews its row, so that a restore knows that it is running. */
  renewalMs?: number
  onError?: (error: unknown) => void
  /** Timeout of a report. */
  reportMs?: number
  /** Called for each statement outside of reports, so that tests can read its plan. */
  onStatement?: (sql: string, parameters: readonly unknown[]) => void
  /** Called when the server cannot be reached, before each retry. Without it, that is an error. */
  onUnreachable?: (problem: string) => Promise<void>
  /** Reports a potential problem in one line. */
  onWarning?: (text: string) => void
}

const startPauseMs = 1000

export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { url, maxWaiting = 200, queryTimeoutMs = 12_000, onError } = options
  const { reportMs = maxReportMs, onStatement } = options
  const shares = { ...defaultShares, ...options.connections }
  const servers = new DatabaseServers(url)
  const identity = newServerIdentity()
  await registerWhenReachable(servers, options, { connections: totalConnections(shares), identity })
  const poolOf = (purpose: 'calls' | 'reports', limits: StatementLimits) =>
    openPool({ servers, purpose, max: shares[purpose], ...limits, onError })
  const pool = poolOf('calls', { maxStatementMs: statementTimeoutMs, maxAnswerMs: queryTimeoutMs })
  const connections = limitedPool(pool, servers, maxWaiting)
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: connections }),
    ...(onStatement && { log: ({ query }) => onStatement(query.sql, query.parameters) }),
  })
  const reportPool = poolOf('reports', {
    maxStatementMs: reportMs,
    maxAnswerMs: reportMs + queryTimeoutMs - statementTimeoutMs,
  })
  const reports = new Kysely<Schema>({ dialect: reportDialect(new ReportConnection(reportPool, servers)) })
  const events = new EventBus(onError)
  const listeners = new Set<EventListener>()
  const writes = new WriteHealth()
  const listener = listen({
    servers,
    onTopic: (topic) => events.publish(topic),
    onDoubt: () => events.publishReset(),
    onError: (error) => onError?.(error),
    ...(options.pingMs && { pingMs: options.pingMs }),
  })
  const heartbeats = startHeartbeats(pool, identity, {
    ...(options.renewalMs && { everyMs: options.renewalMs }),
    onError: (error) => onError?.(error),
  })

  const pendingLists = cleanPendingLists(pool, onError)

  const handleOf = transactionHandles(db, connections)
  const transactions = { pool: connections, handleOf, onStatement, listeners, writes, events, onError }

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

    async write(work) {
      const result = await runTransaction(transactions, work)
      pendingLists.changed()
      return result
    },
    searched: async (source, search) => searchedRows(reports, source, search),
    searchSettled: () => pendingLists.settled(),
    writes,
    waitingTransactions: () => pool.waitingCount,
    async ping() {
      await sql`select 1`.execute(db)
      if (!listener.hears) throw new DatabaseUnavailable('changes made by other processes are not heard')
    },
    async close() {
      await heartbeats.stop()
      await pendingLists.stop()
      await listener.close()
      await reportPool.end()
      await db.destroy()
      // Kysely doesn't end the pool of a database that only wrote: it never used its own driver.
      if (!pool.ending) await pool.end()
    },
  }
}

/** On a connection of its own: migrations have no timeout. */
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
        await rejectSharedSessions(client, config)
        const warning = await checkConnectionLimit(client, connections)
        if (warning !== undefined) onWarning?.(warning)
      } finally {
        client.release()
      }
      await migratePostgres(pool)
      return await registerServer(pool, identity)
    } catch (error) {
      if (!onUnreachable || !databaseIsUnavailable(error)) throw explainPostgres(error, servers)
      await onUnreachable(`${unreachable(servers.description, error)}; trying again until it can`)
    } finally {
      await pool.end()
    }
    await new Promise((resolve) => setTimeout(resolve, startPauseMs))
  }
}
