import type { EventEmitter } from 'node:events'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { DatabaseUnavailable } from '../unavailable.ts'
import type { DatabaseServers } from './database-servers.ts'
import { checkOut } from './server-client.ts'

/** A pause that is barely noticeable once the database is back. */
const pauseMs = 500

/**
 * A pool that rejects immediately instead of waiting in vain: more than `maxWaiting` transactions, and all but one
 * while the database cannot be reached. Otherwise every request would wait for its timeout.
 */
export function limitedPool(pool: pg.Pool, servers: DatabaseServers, maxWaiting: number): PostgresPool {
  let failedAt = -Infinity
  let isTrying = false
  let uselessAt = -Infinity
  pool.on('connect', (client) => {
    ;(client as EventEmitter).once('useless', () => (uselessAt = performance.now()))
  })
  /** When one connection turns out to be broken, all that began to connect before are closed before they are used. */
  async function connectAnew(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await checkOut(servers, pool)
      if (client.startedAt > uselessAt) return client
      client.release(true)
    }
  }
  return {
    async connect(): Promise<PostgresPoolClient> {
      if (pool.idleCount === 0 && pool.waitingCount >= maxWaiting) {
        throw new DatabaseUnavailable('Too many transactions wait for a connection')
      }
      const isDown = performance.now() - failedAt < pauseMs
      if (pool.idleCount === 0 && (isDown || (isTrying && failedAt > -Infinity))) {
        throw new DatabaseUnavailable('The database could not be reached a moment ago')
      }
      isTrying = true
      try {
        const client = await connectAnew()
        failedAt = -Infinity
        return client as unknown as PostgresPoolClient
      } catch (error) {
        failedAt = performance.now()
        throw error
      } finally {
        isTrying = false
      }
    },
    options: pool.options,
    end: () => pool.end(),
  }
}
