import pg from 'pg'
import type { DatabaseServers } from './database-servers.ts'
import { PreparingClient } from './preparing-client.ts'
import type { ServerClientConfig } from './server-client.ts'

/** Maximum time a transaction waits for a connection; longer than the connect timeout of a server. */
const poolTimeoutMs = 5500
/** Longer than any statement except migrations; a half-open connection is noticed soon after. */
export const statementTimeoutMs = 10_000

export interface StatementLimits {
  /** The server cancels a statement after this time. */
  maxStatementMs: number
  /** The connection is closed after this time without a response. */
  maxAnswerMs: number
}

interface PoolOptions extends StatementLimits {
  servers: DatabaseServers
  purpose: 'calls' | 'reports'
  max: number
  onError?: ((error: unknown) => void) | undefined
}

/** Number of connections that stay open while the server runs. */
export function openPool({ servers, purpose, max, maxStatementMs, maxAnswerMs, onError }: PoolOptions): pg.Pool {
  const pool = newServerPool({
    servers,
    purpose,
    max,
    connectionTimeoutMillis: poolTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAliveInitialDelayMillis: 10_000,
    query_timeout: maxAnswerMs,
    // Reports read through portals, which can't share a connection with other statements.
    pipeline: purpose === 'calls',
    settings: {
      statement_timeout: maxStatementMs,
      lock_timeout: 5000,
      idle_in_transaction_session_timeout: 30_000,
    },
    types: numberParsers,
  })
  pool.on('error', (error) => onError?.(error))
  // A connection lost in use reports that itself; an unhandled error event would end the process.
  pool.on('connect', (client) => client.on('error', (error) => onError?.(error)))
  return pool
}

export const newServerPool = (config: ServerClientConfig & pg.PoolConfig): pg.Pool =>
  // Its types lack the options that it passes on to its clients.
  new pg.Pool({ Client: PreparingClient as never, ...config })

const bigintType = 20
const numericType = 1700

function parserOf(type: number, format?: string): (value: string) => unknown {
  if (type === bigintType || type === numericType) return Number
  return pg.types.getTypeParser(type, format as 'text') as (value: string) => unknown
}

/** Counts and epoch seconds fit into a JavaScript number. */
export const numberParsers = { getTypeParser: parserOf }
