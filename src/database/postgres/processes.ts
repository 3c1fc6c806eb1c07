import type pg from 'pg'
import { DatabaseUnavailable } from '../unavailable.ts'

/** Servers hold this lock shared while they listen; exclusive access to the database requires it exclusively. */
const processLock = 7_464_380_120

/** Servers are using this database. */
export class DatabaseHasServers extends DatabaseUnavailable {}

/**
 * Marks the database as used by a server until the connection ends. Waits while another process has exclusive access.
 */
export async function claimShared(client: pg.ClientBase, maxWaitMs: number): Promise<void> {
  const text = 'select pg_advisory_lock_shared($1)'
  await client.query({ text, values: [processLock], query_timeout: maxWaitMs } as pg.QueryConfig)
}

/** A broken network path ends the lock together with its connection. */
const maxReleaseMs = 2000

/** Releases the lock immediately: PostgreSQL does so only some time after the connection was closed. */
export async function releaseClaim(client: pg.ClientBase): Promise<void> {
  await client.query({ text: 'select pg_advisory_unlock_all()', query_timeout: maxReleaseMs } as pg.QueryConfig)
}

/** In a short transaction: waits as long as another process has exclusive access. */
export async function waitForExclusiveClaim(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_xact_lock_shared($1)', [processLock])
}

/** Takes exclusive access until the connection ends; throws `DatabaseHasServers` if servers are running. */
export async function claimExclusively(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ claimed: boolean }>('select pg_try_advisory_lock($1) as claimed', [processLock])
  if (!rows[0]?.claimed) {
    const servers = await countServers(client)
    throw new DatabaseHasServers(
      servers > 0
        ? `The PostgreSQL database is served by ${servers} processes of Signet. Stop them first.`
        : 'Another command restores or fills the PostgreSQL database. Let it end first.',
    )
  }
}

/** Number of servers that use the database, including this one. */
export async function countServers(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ servers: number }>(
    `select count(*)::integer as servers from pg_locks
      where locktype = 'advisory' and granted and mode = 'ShareLock' and objsubid = 1
        and database = (select oid from pg_database where datname = current_database())
        and (classid::bigint << 32 | objid::bigint) = $1`,
    [processLock],
  )
  return rows[0]?.servers ?? 0
}
