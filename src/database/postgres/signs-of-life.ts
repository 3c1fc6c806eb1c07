import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type pg from 'pg'
import { DatabaseHasServers, waitForServersTurn } from './processes.ts'

/** Servers renew a row each, so that a restore finds one whose lock was lost in a stall together with its connection. */

const renewalMs = 10_000
const retryMs = 1000
/** Three renewals: one server in trouble is not taken for dead. */
const defaultWaitMs = 3 * renewalMs
const defaultPollMs = 250

const renewal = `insert into server_processes (id, name, renewals, last_seen) values ($1, $2, 0, clock_timestamp())
  on conflict (id) do update set renewals = server_processes.renewals + 1, last_seen = excluded.last_seen`

/** Of servers that were killed; by one clock, that of the database. */
const forgetting = `delete from server_processes where last_seen < clock_timestamp() - interval '1 day'`

export interface ServerIdentity {
  id: string
  /** For the operator who looks for it. */
  name: string
}

export const newServerIdentity = (): ServerIdentity => ({
  id: randomUUID(),
  name: `process ${process.pid} on ${hostname()}`,
})

/**
 * Writes a server's first sign of life, before the server does anything else. Waits while a restore has the database for
 * itself alone: whatever server there is, a restore sees its row or keeps it waiting.
 */
export async function registerServer(pool: pg.Pool, { id, name }: ServerIdentity): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0; set lock_timeout = 0')
    await client.query('begin')
    await waitForServersTurn(client)
    await client.query(forgetting)
    await client.query(renewal, [id, name])
    await client.query('commit')
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}

export interface SignsOfLife {
  /** Takes the row away: nobody has to wait for a server that has ended. */
  stop(): Promise<void>
}

/** Renews the server's row until it is stopped; a failure is reported once and tried again sooner. */
export function renewSigns(
  pool: pg.Pool,
  { id, name }: ServerIdentity,
  { everyMs = renewalMs, onError = () => {} }: { everyMs?: number; onError?: (error: unknown) => void },
): SignsOfLife {
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
      // Without a database the row stays, and the next restore waits it out.
      await pool.query('delete from server_processes where id = $1', [id]).catch(() => {})
    },
  }
}

export interface SignWait {
  /** How long a server has to show itself. */
  ms?: number
  pollMs?: number
  /** Rows of servers were found: whether these still run is seen in so many seconds. */
  onWait?: (seconds: number) => void
}

/**
 * Throws `DatabaseHasServers` when a server gives a sign of life within the wait. Without rows there is nothing to wait
 * for. Rows are compared with themselves, never with a clock; the pauses between answers of the database are what
 * counts, so that a database which stalls leaves its servers as much time as a quick one.
 */
export async function rejectLivingServers(client: pg.ClientBase, wait: SignWait = {}): Promise<void> {
  const { ms = defaultWaitMs, pollMs = defaultPollMs, onWait = () => {} } = wait
  const first = await readSigns(client)
  if (first.size === 0) return
  onWait(Math.ceil(ms / 1000))
  for (let waitedMs = 0; waitedMs < ms; waitedMs += pollMs) {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    for (const [id, { name, renewals }] of await readSigns(client)) {
      if (first.get(id)?.renewals === renewals) continue
      throw new DatabaseHasServers(`The PostgreSQL database is served by Signet (${name}). Stop that server first.`)
    }
  }
  // They are dead: nobody waits for them again.
  await client.query('delete from server_processes where id = any($1)', [[...first.keys()]])
}

async function readSigns(client: pg.ClientBase): Promise<Map<string, { name: string; renewals: string }>> {
  // Missing in a database of an older version, and in an empty one.
  const { rows: found } = await client.query<{ table: string | null }>(
    `select to_regclass('server_processes')::text as table`,
  )
  if (!found[0]?.table) return new Map()
  const { rows } = await client.query<{ id: string; name: string; renewals: string }>(
    'select id, name, renewals::text as renewals from server_processes',
  )
  return new Map(rows.map(({ id, ...sign }) => [id, sign]))
}
