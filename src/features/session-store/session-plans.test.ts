import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#database/database.ts'
import { openPostgres } from '#database/postgres/open-postgres.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { testEngine } from '#testing/start-test-app.ts'
import { endOtherSessions, endRejectedSessions, endSessions } from './session-store.actions.ts'

/**
 * Without statistics, indexes look equally good to PostgreSQL, and it once chose one of all live sessions to find those
 * of one user: each sign-in then read every session. So the text must rule such indexes out.
 */
describe.runIf(testEngine === 'postgres')('ending the sessions of some users or licenses', () => {
  let db: Database
  let client: pg.Client
  let texts: [text: string, values: readonly unknown[]][]

  beforeAll(async () => {
    const url = await freshPostgresUrl()
    client = new pg.Client({ connectionString: url })
    await client.connect()
    db = await openPostgres({ url, onStatement: (text, values) => texts.push([text, values]) })
    await client.query('drop index client_sessions_user, client_sessions_license, client_sessions_handle')
  })
  afterAll(() => Promise.all([db.close(), client.end()]))

  const appId = 'app'
  const endings: [string, () => Promise<unknown>][] = [
    [
      'all but one of a user',
      () => db.write((tx) => endOtherSessions(tx, { appId, userId: 7, tokenHash: 'x' }, 'SESSION_REPLACED')),
    ],
    ['those of users', () => db.write((tx) => endSessions(tx, { appId, userIds: [7, 8] }, 'SESSION_ENDED'))],
    ['named ones', () => db.write((tx) => endSessions(tx, { appId, handles: ['h'] }, 'SESSION_ENDED'))],
    ['a batch', () => db.write((tx) => endRejectedSessions(tx, { appId, licenseIds: [7] }, 'LICENSE_BANNED', 5))],
  ]

  test.each(endings)('%s: no index of all live sessions can be used', async (_, end) => {
    texts = []
    await end()
    const [[text, values] = ['', []]] = texts.filter(([statement]) => statement.includes('client_sessions'))
    expect(text).toContain('client_sessions')
    await client.query('set enable_seqscan = off')
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, [...values])
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).not.toMatch(/client_sessions_(counts|device|list)/)
  })
})
