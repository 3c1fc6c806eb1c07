import type pg from 'pg'
import { DatabaseUnavailable } from '../unavailable.ts'

/** Servers share this lock as long as they listen; who wants the database for itself alone takes it whole. */
const processLock = 7_464_380_120

/** Servers use this database. */
export class DatabaseHasServers extends DatabaseUnavailable {}

/** Says that a server uses the database, until the connection ends. Waits while somebody has it alone. */
export async function claimAsServer(client: pg.ClientBase, maxWaitMs: number): Promise<void> {
  const text = 'select pg_advisory_lock_shared($1)'
  await client.query({ text, values: [processLock], query_timeout: maxWaitMs } as pg.QueryConfig)
}

/** A line that says nothing ends the lock with its connection. */
const maxReleaseMs = 2000

/** Gives the lock back at once: PostgreSQL itself does so only some time after the connection was closed. */
export async function releaseClaim(client: pg.ClientBase): Promise<void> {
  await client.query({ text: 'select pg_advisory_unlock_all()', query_timeout: maxReleaseMs } as pg.QueryConfig)
}

/** In a transaction that ends soon: waits while somebody has the database alone, as long as it takes. */
export async function waitForServersTurn(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_xact_lock_shared($1)', [processLock])
}

/** Keeps servers away until the connection ends; throws `DatabaseHasServers` when there are some. */
export async function claimWholeDatabase(client: pg.ClientBase): Promise<void> {
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

/** How many servers use the database, this one included. */
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
