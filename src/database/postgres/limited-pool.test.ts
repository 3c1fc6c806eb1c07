import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FlakyProxy } from '#testing/faults/flaky-proxy.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { testEngine } from '#testing/start-test-app.ts'
import type { Database } from '../database.ts'
import { openPostgres } from './open-postgres.ts'

describe.runIf(testEngine === 'postgres')('the pool', () => {
  let admin: pg.Client
  let proxy: FlakyProxy
  let db: Database
  /** Replies to the first query of new connections for calls are held. */
  let holds = false
  let held = 0

  beforeAll(async () => {
    const url = new URL(await freshPostgresUrl())
    admin = new pg.Client({ connectionString: url.href })
    await admin.connect()
    proxy = await FlakyProxy.start(url.href, () => {
      // The first message names the purpose of the connection. The one for events can reconnect at any time.
      let isForCalls = false
      return (chunk) => {
        isForCalls ||= chunk.includes(' calls')
        if (!holds || !isForCalls || !chunk.includes('pg_is_in_recovery')) return 'forward'
        held += 1
        return 'mute'
      }
    })
    url.port = String(proxy.port)
    // Renewals use a connection for calls, too.
    db = await openPostgres({ url: url.href, connections: { calls: 2 }, renewalMs: 86_400_000 })
  })
  afterAll(async () => {
    await db.close()
    await proxy.close()
    await admin.end()
  })

  const read = () => db.read.selectFrom('setup_tokens').selectAll().execute()
  const makeReadOnly = (state: 'on' | 'off') =>
    admin.query(`do $$ begin
      execute format('alter database %I set default_transaction_read_only = ${state}', current_database());
    end $$`)

  test('a connection that was opening when another one turned out to be read-only is given up with it', async () => {
    await makeReadOnly('on')
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    )
    await expect.poll(() => read().catch(() => undefined)).toEqual([])
    const { promise: goOn, resolve } = Promise.withResolvers<void>()
    const using = Promise.withResolvers<void>()
    const row = { token_hash: 'a', expires_at: 0 }
    const failing = db.write(async ({ db: trx }) => {
      await trx.selectFrom('setup_tokens').selectAll().execute()
      using.resolve()
      await goOn
      await trx.insertInto('setup_tokens').values(row).execute()
    })
    await using.promise
    holds = true
    const second = read()
    await expect.poll(() => held).toBe(1)
    await makeReadOnly('off')
    resolve()
    await expect(failing).rejects.toThrow('read-only')
    holds = false
    await proxy.restore()
    expect(await second).toEqual([])

    await db.write(({ db: trx }) => trx.insertInto('setup_tokens').values(row).execute())
    expect(await read()).toEqual([row])
  })
})
