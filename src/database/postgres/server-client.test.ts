import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PgBouncer, pgbouncerProgram } from '#testing/servers/pgbouncer.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { testEngine } from '#testing/start-test-app.ts'
import { openPostgresSnapshot } from '../copy/postgres-copy.ts'
import type { Database } from '../database.ts'
import { asReportCaller, RequestAborted } from '../report-queue.ts'
import { DatabaseMisconfigured } from '../unavailable.ts'
import { openPostgres } from './open-postgres.ts'
import { sessionsAreShared } from './server-client.ts'

/** A pooler that gives each query of either connection the next of these processes. */
const pooler = (...pids: number[]) => {
  let query = 0
  return async () => pids[query++ % pids.length] as number
}

test('direct sessions are told apart from pooled ones, however the pooler assigns connections', async () => {
  const sharedByBoth = pooler(1)
  const byTurns = pooler(1, 2, 3)
  const byTurnsOfTwo = pooler(1, 2)
  const busy = pooler(1, 2, 3, 4, 3, 5, 6, 2)
  for (const either of [sharedByBoth, byTurns, busy]) expect(await sessionsAreShared(either, either)).toBe(true)
  // Two processes and two connections in step: seen once somebody else comes between.
  expect(await sessionsAreShared(byTurnsOfTwo, async () => (await byTurnsOfTwo(), byTurnsOfTwo()))).toBe(true)
  expect(await sessionsAreShared(pooler(1), pooler(2))).toBe(false)
})

const needsSessions =
  'DATABASE_URL leads to a connection pooler in transaction mode, such as PgBouncer with pool_mode = transaction. ' +
  'Signet needs sessions: name PostgreSQL itself, or set pool_mode = session for this database.'

if (testEngine === 'postgres' && pgbouncerProgram === undefined) {
  process.stderr.write('PgBouncer is not installed: the tests of real poolers are skipped\n')
}

describe.runIf(testEngine === 'postgres' && pgbouncerProgram !== undefined)('behind PgBouncer', () => {
  let url: string
  let admin: pg.Client

  beforeAll(async () => {
    url = await freshPostgresUrl()
    admin = new pg.Client({ connectionString: url })
    await admin.connect()
  })
  afterAll(() => admin.end())

  test.each(['transaction', 'statement'] as const)('servers and commands reject %s mode at once', async (mode) => {
    const pgbouncer = await PgBouncer.start(url, mode)
    try {
      const here = pgbouncer.url
      for (const open of [
        () => openPostgres({ url: here, onUnreachable: async () => {} }),
        () => openPostgresSnapshot(here),
      ]) {
        const error = await open().then(String, (failure: unknown) => failure)
        expect(error).toBeInstanceOf(DatabaseMisconfigured)
        expect((error as Error).message).toBe(needsSessions)
      }
    } finally {
      await pgbouncer.stop()
    }
    const { rows } = await admin.query('select 1 from pg_tables where schemaname = current_schema()')
    expect(rows).toEqual([])
  })

  describe('in session mode', () => {
    let pgbouncer: PgBouncer
    let db: Database

    beforeAll(async () => {
      pgbouncer = await PgBouncer.start(url, 'session')
      db = await openPostgres({ url: pgbouncer.url })
    })
    afterAll(async () => {
      await db.close()
      await pgbouncer.stop()
    })

    test('works as without a pooler: timeouts are set and changes by other processes arrive', async () => {
      const { rows } = await sql`select current_setting('statement_timeout') as statement,
        current_setting('lock_timeout') as lock`.execute(db.read)
      expect(rows).toEqual([{ statement: '10s', lock: '5s' }])
      const listening = async () =>
        (
          await admin.query(`select 1 from pg_locks where locktype = 'advisory'
            and database = (select oid from pg_database where datname = current_database())`)
        ).rows.length
      const { promise, resolve } = Promise.withResolvers<string>()
      // It may begin to listen only now, and then takes everything for changed.
      db.events.on('elsewhere', (id) => id !== '*' && resolve(id))
      await expect.poll(listening).toBe(1)
      await admin.query(`select pg_notify('signet', 'elsewhere:changed')`)
      expect(await promise).toBe('changed')
    })

    test('stops a report that nobody waits for', async () => {
      const caller = new AbortController()
      const sleeping = async () =>
        (await admin.query(`select 1 from pg_stat_activity where query = 'select pg_sleep(600)' and state = 'active'`))
          .rows.length
      const report = asReportCaller({ owner: 'owner', signal: caller.signal }, () =>
        sql`select pg_sleep(600)`.execute(db.reports),
      )
      const outcome = report.catch((error: unknown) => error)
      await expect.poll(sleeping).toBe(1)
      caller.abort()
      expect(await outcome).toBeInstanceOf(RequestAborted)
      await expect.poll(sleeping).toBe(0)
    })
  })
})
