import pg from 'pg'
import type { DatabaseServers } from './database-servers.ts'
import { PreparingClient } from './preparing-client.ts'
import type { ServerClientConfig } from './server-client.ts'

/** How long a transaction may wait for a connection; longer than a server may take to accept one. */
const poolTimeoutMs = 5500
/** Longer than any statement of Signet but a migration's; a half-open connection is noticed soon after. */
export const statementTimeoutMs = 10_000

export interface StatementLimits {
  /** After so long the server ends a statement. */
  maxStatementMs: number
  /** After so long without an answer the connection is given up. */
  maxAnswerMs: number
}

interface PoolOptions extends StatementLimits {
  servers: DatabaseServers
  purpose: 'calls' | 'reports'
  max: number
  onError?: ((error: unknown) => void) | undefined
}

/** The connections that stay open while the server runs. */
export function openPool({ servers, purpose, max, maxStatementMs, maxAnswerMs, onError }: PoolOptions): pg.Pool {
  const pool = newServerPool({
    servers,
    purpose,
    max,
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

export const newServerPool = (config: ServerClientConfig & pg.PoolConfig): pg.Pool =>
  // Its types know nothing of the options that it passes on to its clients.
  new pg.Pool({ Client: PreparingClient as never, ...config })

const bigintType = 20
const numericType = 1700

function parserOf(type: number, format?: string): (value: string) => unknown {
  if (type === bigintType || type === numericType) return Number
  return pg.types.getTypeParser(type, format as 'text') as (value: string) => unknown
}

/** Counts and epoch seconds fit a JavaScript number. */
export const numbersAsNumbers = { getTypeParser: parserOf }
