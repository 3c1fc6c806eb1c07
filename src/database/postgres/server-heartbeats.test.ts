import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { testEngine } from '#testing/start-test-app.ts'
import { newPostgresTarget } from '../copy/postgres-copy.ts'
import type { Database } from '../database.ts'
import { migratePostgres } from '../migrate.ts'
import { migrations } from '../migrations/list.ts'
import { openPostgres } from './open-postgres.ts'
import { claimExclusively, DatabaseHasServers } from './processes.ts'
import { newServerIdentity, rejectRunningServers, registerServer, startHeartbeats } from './server-heartbeats.ts'

/** Where a database is wanted by a restore alone, and a server uses it. */
describe.runIf(testEngine === 'postgres')('a server of a PostgreSQL database', () => {
  let url: string
  let restorer: pg.Client
  let server: Database

  beforeAll(async () => {
    url = await freshPostgresUrl()
    restorer = new pg.Client({ connectionString: url })
    await restorer.connect()
    server = await openPostgres({ url, connections: { calls: 2 }, renewalMs: 20 })
  })
  afterAll(async () => {
    await server.close()
    await restorer.end()
  })

  const locks = async (condition: string) => {
    const text = `select pid from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid() and ${condition}
      and database = (select oid from pg_database where datname = current_database())`
    return (await restorer.query<{ pid: number }>(text)).rows
  }

  test('that lost its lock with its connection is still detected', async () => {
    // As a stall does it; the server takes its lock again as soon as it can.
    for (;;) {
      for (const { pid } of await locks('true')) await restorer.query('select pg_terminate_backend($1)', [pid])
      const claimed = await claimExclusively(restorer).then(
        () => true,
        () => false,
      )
      if (claimed) break
    }
    await expect(rejectRunningServers(restorer, { pollMs: 5 })).rejects.toThrow(DatabaseHasServers)
    await expect(rejectRunningServers(restorer, { pollMs: 5 })).rejects.toThrow(`(process ${process.pid} on `)
  })

  test("without its lock blocks a restore; a stopped or killed one doesn't, and is waited for once", async () => {
    const other = await freshPostgresUrl()
    const pool = new pg.Pool({ connectionString: other, max: 1 })
    await migratePostgres(pool)
    const waits: number[] = []
    const restore = (ms?: number) => {
      const wait = { ...(ms && { ms }), pollMs: 5, onWait: (seconds: number) => void waits.push(seconds) }
      return newPostgresTarget(other, { migration: migrations.length, replaces: true, wait })
    }
    const identity = newServerIdentity()
    await registerServer(pool, identity)
    const heartbeats = startHeartbeats(pool, identity, { everyMs: 20 })
    await expect(restore()).rejects.toThrow(`is served by Signet (${identity.name})`)
    expect(waits).toEqual([30])
    await heartbeats.stop()
    await (await restore()).abort()
    expect(waits).toEqual([30])
    await registerServer(pool, identity)
    for (let times = 0; times < 2; times++) await (await restore(50)).abort()
    expect(waits).toEqual([30, 1])
    await pool.end()
  })

  test('that starts in the meantime waits, and registers before it does anything', async () => {
    let isOpen = false
    const opening = openPostgres({ url, connections: { calls: 2 } }).then((db) => {
      isOpen = true
      return db
    })
    // The lock of whoever registers, not that of who listens.
    const registering = `not granted and pid in (select pid from pg_stat_activity where query like '%xact_lock_shared%')`
    while ((await locks(registering)).length === 0) await new Promise(setImmediate)
    expect(isOpen).toBe(false)
    const rows = async () => (await restorer.query('select id from server_processes')).rows.length
    expect(await rows()).toBe(1)
    await restorer.query('select pg_advisory_unlock_all()')
    const started = await opening
    expect(await rows()).toBe(2)
    await started.close()
    expect(await rows()).toBe(1)
  })
})
