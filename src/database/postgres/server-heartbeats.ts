import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type pg from 'pg'
import { DatabaseHasServers, waitForExclusiveClaim } from './processes.ts'

/**
 * Heartbeat rows of servers, so that a restore finds a server whose lock was lost with its connection during a stall.
 */

const renewalMs = 10_000
const retryMs = 1000
/** Three renewals, so that a server in trouble is not considered dead. */
const defaultWaitMs = 3 * renewalMs
const defaultPollMs = 250

const renewal = `insert into server_processes (id, name, renewals, last_seen) values ($1, $2, 0, clock_timestamp())
  on conflict (id) do update set renewals = server_processes.renewals + 1, last_seen = excluded.last_seen`

/** Deletes the rows of killed servers; all times are those of the database clock. */
const forgetting = `delete from server_processes where last_seen < clock_timestamp() - interval '1 day'`

export interface ServerIdentity {
  id: string
  /** Names the server for the operator. */
  name: string
}

export const newServerIdentity = (): ServerIdentity => ({
  id: randomUUID(),
  name: `process ${process.pid} on ${hostname()}`,
})

/**
 * Writes a server's first heartbeat, before the server does anything else. Waits while a restore has exclusive access:
 * a restore either sees the row of a server or makes it wait.
 */
export async function registerServer(pool: pg.Pool, { id, name }: ServerIdentity): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0; set lock_timeout = 0')
    await client.query('begin')
    await waitForExclusiveClaim(client)
    await client.query(forgetting)
    await client.query(renewal, [id, name])
    await client.query('commit')
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}

export interface ServerHeartbeats {
  /** Deletes the row, so that nobody waits for a server that has stopped. */
  stop(): Promise<void>
}

/** Renews the server's row until stopped; a failure is reported once and retried sooner. */
export function startHeartbeats(
  pool: pg.Pool,
  { id, name }: ServerIdentity,
  { everyMs = renewalMs, onError = () => {} }: { everyMs?: number; onError?: (error: unknown) => void },
): ServerHeartbeats {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let failed = false
  let current = Promise.resolve()

  async function renew(): Promise<void> {
    try {
      await pool.query(renewal, [id, name])
      failed = false
    } catch (error) {
      if (!failed) onError(error)
      failed = true
    }
    renewLater()
  }

  function renewLater(): void {
    if (stopped) return
    timer = setTimeout(() => (current = renew()), failed ? Math.min(retryMs, everyMs) : everyMs).unref()
  }

  renewLater()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await current
      // Without a database, the row stays, and the next restore waits until it expires.
      await pool.query('delete from server_processes where id = $1', [id]).catch(() => {})
    },
  }
}

export interface HeartbeatWait {
  /** How long to watch for heartbeats of a server. */
  ms?: number
  pollMs?: number
  /** Called when rows of servers were found; whether they are alive is known after this many seconds. */
  onWait?: (seconds: number) => void
}

/**
 * Throws `DatabaseHasServers` if a server renews its row within the wait. Without rows, there is nothing to wait for.
 * Rows are compared with their earlier values, never with a clock, and only time in which the database answers counts,
 * so that a stalled database gives its servers as much time as a fast one.
 */
export async function rejectRunningServers(client: pg.ClientBase, wait: HeartbeatWait = {}): Promise<void> {
  const { ms = defaultWaitMs, pollMs = defaultPollMs, onWait = () => {} } = wait
  const first = await readHeartbeats(client)
  if (first.size === 0) return
  onWait(Math.ceil(ms / 1000))
  for (let waitedMs = 0; waitedMs < ms; waitedMs += pollMs) {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    for (const [id, { name, renewals }] of await readHeartbeats(client)) {
      if (first.get(id)?.renewals === renewals) continue
      throw new DatabaseHasServers(`The PostgreSQL database is served by Signet (${name}). Stop that server first.`)
    }
  }
  // They are dead: their rows are deleted so that nobody waits for them again.
  await client.query('delete from server_processes where id = any($1)', [[...first.keys()]])
}

async function readHeartbeats(client: pg.ClientBase): Promise<Map<string, { name: string; renewals: string }>> {
  // The table is missing in an empty database and in one of an older version.
  const { rows: found } = await client.query<{ table: string | null }>(
    `select to_regclass('server_processes')::text as table`,
  )
  if (!found[0]?.table) return new Map()
  const { rows } = await client.query<{ id: string; name: string; renewals: string }>(
    'select id, name, renewals::text as renewals from server_processes',
  )
  return new Map(rows.map(({ id, ...sign }) => [id, sign]))
}
