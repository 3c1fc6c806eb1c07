import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres } from '#database/postgres/open-postgres.ts'
import { planIsOutdated } from '#database/postgres/preparing-client.ts'
import { databaseIsUnavailable } from '#database/unavailable.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { type PostgresServer, startPostgres } from '#testing/servers/postgres-server.ts'
import { type PostgresStandby, startStandby } from '#testing/servers/postgres-standby.ts'
import { startTestApp, type TestApp, testEngine } from '#testing/start-test-app.ts'

const workers = 4

/** Two servers of PostgreSQL, of which the second follows the first and then takes its place. */
describe.runIf(testEngine === 'postgres')('a standby takes over', () => {
  let primary: PostgresServer
  let standby: PostgresStandby
  let app: TestApp | undefined
  let owner: OwnedApp

  beforeAll(async () => {
    primary = await startPostgres({ durable: true })
    standby = await startStandby(primary.url)
    // The standby comes first: it is found out and passed over.
    const both = primary.url.replace('@', `@${new URL(standby.url).host},`)
    app = await startTestApp({ postgres: { url: both, pingMs: 250 } })
    owner = await newOwnerWithApp(app)
  })
  afterAll(async () => {
    // The standby outlives this process, also when no server could start on it.
    await app?.close()
    await standby.stop()
    await primary.stop()
  })

  const make = (amount = 2) =>
    owner.visitor.call('POST /create_licenses', {
      body: { amount, subscription: 1, expiryUnit: 'days', duration: 30 },
    })
  async function until(isSo: () => Promise<boolean>): Promise<void> {
    while (!(await isSo())) await new Promise(setImmediate)
  }

  test('a rejection by a standby means that the database is unavailable, not that the statement is wrong', async () => {
    const main = new pg.Client({ connectionString: primary.url })
    await main.connect()
    await main.query('create unlogged table of_the_primary (id integer)')
    await main.end()
    const client = new pg.Client({ connectionString: standby.url })
    await client.connect()
    await until(async () => (await client.query(`select to_regclass('of_the_primary') as it`)).rows[0].it !== null)
    const errors: unknown[] = []
    for (const text of [
      'select * from of_the_primary',
      'delete from setup_tokens',
      'select * from accounts for update',
      'listen signet',
      'lock table accounts in exclusive mode',
    ]) {
      errors.push(await client.query(text).catch((error: unknown) => error))
    }
    await client.end()
    expect(errors.map((error) => [databaseIsUnavailable(error), planIsOutdated(error)])).toEqual(
      errors.map(() => [true, false]),
    )
  })

  test("waits for a lone standby as for a server that can't be reached", async () => {
    const problems: string[] = []
    const stopped = new Error('enough')
    const opening = openPostgres({
      url: `${standby.url}?target_session_attrs=primary`,
      async onUnreachable(problem) {
        problems.push(problem)
        throw stopped
      },
    })
    await expect(opening).rejects.toBe(stopped)
    expect(problems).toEqual([expect.stringMatching(/is a standby\); trying again until it can$/)])
  })

  test('under load: 503 until the standby is promoted, then writes continue without intervention, and no acknowledged change is lost', async () => {
    const acknowledged: string[] = []
    const rejected = new Set<string>()
    const load = new AbortController()
    const work = Array.from({ length: workers }, async () => {
      while (!load.signal.aborted) {
        const { status, body } = await make()
        if (status === 200) acknowledged.push(...body.licenses)
        else rejected.add(`${status} ${body.code}`)
      }
    })
    await until(async () => acknowledged.length > 50)
    primary.kill()
    await until(async () => rejected.size > 0)
    expect((await fetch(`${app?.url}/readyz`)).status).toBe(503)
    await standby.promote()
    const before = acknowledged.length
    await until(async () => acknowledged.length > before + 50)
    load.abort()
    await Promise.all(work)
    await until(async () => (await fetch(`${app?.url}/readyz`)).status === 200)
    expect([...rejected]).toEqual(['503 DATABASE_UNAVAILABLE'])
    const client = new pg.Client({ connectionString: standby.url })
    await client.connect()
    const { rows } = await client.query<{ license: string }>('select license from licenses')
    await client.end()
    const stored = new Set(rows.map(({ license }) => license))
    expect(acknowledged.filter((key) => !stored.has(key))).toEqual([])
  })
})
