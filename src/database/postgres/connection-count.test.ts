import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import packageFile from '../../../package.json' with { type: 'json' }
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { testEngine } from '#testing/start-test-app.ts'
import { DatabaseMisconfigured } from '../unavailable.ts'
import { defaultShares, shareConnections, totalConnections } from './connection-count.ts'
import { openPostgres } from './open-postgres.ts'

test.each([8, 9, 12, 20, 24, 500])(
  '%i connections are all that a process opens, including at least one for reports',
  (total) => {
    const shares = shareConnections(total)
    expect(totalConnections(shares)).toBe(total)
    expect(shares.reports).toBeGreaterThanOrEqual(2)
    expect(shares.reports).toBeLessThanOrEqual(5)
    expect(shares.calls).toBeGreaterThan(shares.reports)
  },
)

test('the default is 24, so four processes fit into the default limit of PostgreSQL', () => {
  expect([defaultShares, totalConnections(defaultShares)]).toEqual([{ calls: 18, reports: 5 }, 24])
})

describe.runIf(testEngine === 'postgres')('the connections of a process', () => {
  let url: string
  let admin: pg.Client

  beforeAll(async () => {
    url = await freshPostgresUrl()
    admin = new pg.Client({ connectionString: url })
    await admin.connect()
  })
  afterAll(() => admin.end())

  /** Processes that the next one counts: PostgreSQL shows a connection a moment after it works. */
  const listening = async () => {
    const { rows } = await admin.query<{ n: string }>(
      `select count(*) as n from pg_stat_activity where datname = current_database() and application_name like '% events'`,
    )
    return rows[0]?.n
  }
  const allow = (connections: number) =>
    admin.query(`alter database ${new URL(url).pathname.slice(1)} connection limit ${connections}`)

  test('name their purpose, and never exceed the configured number', async () => {
    const db = await openPostgres({ url, connections: shareConnections(8) })
    const busy = (reader: typeof db.read, owner: number) =>
      reader.selectFrom('setup_tokens').selectAll().where('expires_at', '=', owner).execute()
    await Promise.all(Array.from({ length: 50 }, (_, owner) => busy(db.read, owner)))
    await Promise.all(Array.from({ length: 10 }, (_, owner) => busy(db.reports, owner)))
    await expect.poll(() => db.ping().then(() => 'hears', String)).toBe('hears')
    const { rows } = await admin.query<{ name: string; n: string }>(
      `select application_name as name, count(*) as n from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() group by name order by name`,
    )
    const name = `signet ${packageFile.version}`
    expect(rows.map((row) => row.name)).toEqual([`${name} calls`, `${name} events`, `${name} reports`])
    expect(rows.reduce((sum, { n }) => sum + Number(n), 0)).toBeLessThanOrEqual(8)
    expect(rows.find((row) => row.name === `${name} calls`)?.n).toBe('5')
    await db.close()
  })

  test("a count above the database's limit stops the start with one clear line", async () => {
    await allow(23)
    const opening = openPostgres({ url, onUnreachable: async () => {} })
    await expect(opening).rejects.toThrow(DatabaseMisconfigured)
    await expect(opening).rejects.toThrow(
      /^PostgreSQL allows 23 connections, and this process may open 24: raise max_connections \(or the limit of the database or the user\), or lower DATABASE_CONNECTIONS$/,
    )
  })

  test("warns when several processes together exceed the database's limit", async () => {
    await allow(47)
    const warnings: string[] = []
    const onWarning = (text: string) => void warnings.push(text)
    const first = await openPostgres({ url, onWarning })
    await expect.poll(() => first.ping().then(() => 'hears', String)).toBe('hears')
    expect(warnings).toEqual([])
    await expect.poll(listening).toBe('1')
    const second = await openPostgres({ url, onWarning })
    expect(warnings).toEqual([
      'PostgreSQL allows 47 connections, and 2 processes of Signet may open 48: raise max_connections, or lower DATABASE_CONNECTIONS',
    ])
    await Promise.all([first.close(), second.close()])
  })
})
