import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { PostgresLine } from '#testing/faults/postgres-faults.ts'
import { lockSqliteFile } from '#testing/faults/sqlite-faults.ts'
import { newOwner, type Owner } from '#testing/people/people.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { startTestApp, type TestApp, testEngine } from '#testing/start-test-app.ts'
import { statusBoard } from './status-board.ts'

/** The status page must work when something else is broken. */

let app: TestApp
let owner: Owner
const read = async (visitor = owner.visitor) => {
  const { status, body } = await visitor.call('GET /status')
  return { status, state: body.state, database: body.parts?.find(({ part }) => part === 'database')?.state, body }
}
const sample = () => statusBoard(app.services).sample()
const nextMinute = async () => {
  app.advance(60)
  await sample()
}
const counted = async (part: 'database' | 'api' = 'database') => {
  const rows = await app.db.read.selectFrom('status_days').selectAll().where('part', '=', part).execute()
  const sum = (state: 'ok' | 'degraded' | 'down') => rows.reduce((all, row) => all + row[state], 0)
  return { ok: sum('ok'), degraded: sum('degraded'), down: sum('down') }
}

describe.runIf(testEngine === 'sqlite')('SQLite is locked by another program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signet-status-'))
  const file = join(folder, 'signet.db')

  beforeAll(async () => {
    app = await startTestApp({ sqlite: { file, maxLockWaitMs: 20 } })
    owner = await newOwner(app)
  })
  afterAll(async () => {
    await app.close()
    rmSync(folder, { recursive: true })
  })

  test('the database is degraded, and the minutes are recorded once it is free again, each once', async () => {
    await nextMinute()
    expect(await read()).toMatchObject({ status: 200, database: 'ok' })
    const unlock = lockSqliteFile(file)
    try {
      await nextMinute()
      expect(await read()).toMatchObject({ status: 200, database: 'degraded' })
      await nextMinute()
      expect(await read()).toMatchObject({ status: 200, database: 'degraded' })
    } finally {
      unlock()
    }
    await nextMinute()
    expect(await counted()).toEqual({ ok: 1, degraded: 3, down: 0 })
    const { ok, degraded, down } = await counted('api')
    expect(ok + degraded + down).toBe(4)
    await nextMinute()
    expect(await read()).toMatchObject({ status: 200, database: 'ok' })
    expect(await counted()).toEqual({ ok: 2, degraded: 3, down: 0 })
  })
})

describe.runIf(testEngine === 'postgres')('PostgreSQL is away', () => {
  let line: PostgresLine

  beforeAll(async () => {
    line = await PostgresLine.start(await freshPostgresUrl())
    app = await startTestApp({
      postgres: { url: line.url, connections: { calls: 4 }, queryTimeoutMs: 2500, pingMs: 250 },
    })
    owner = await newOwner(app)
  })
  afterAll(async () => {
    await app.close()
    await line.close()
  })

  test('a caller with a session cookie learns only that the database is down; others get 401', async () => {
    await nextMinute()
    await line.reject()
    expect(await read()).toMatchObject({ status: 200, state: 'down', database: 'down' })
    const stranger = app.visitor()
    await stranger.send('GET', '/api/1.0/website/status', { headers: { cookie: `sid=${'A'.repeat(43)}` } })
    const { body } = await read()
    expect(Object.keys(body).toSorted()).toEqual(['at', 'frame', 'parts', 'state', 'success'])
    for (const part of body.parts) expect(Object.keys(part)).toEqual(['part', 'state'])
    expect(body.parts.filter(({ state }) => state !== 'unknown')).toEqual([{ part: 'database', state: 'down' }])
    expect((await app.visitor().call('GET /status')).status).toBe(401)
    await nextMinute()
    await nextMinute()
    await line.heal()
    // Uses the machine's clock: advancing the server's would end the session.
    const isBack = async () => {
      await sample()
      expect(await read()).toMatchObject({ status: 200, database: 'ok' })
    }
    await vi.waitFor(isBack, { timeout: 60_000, interval: 200 })
    await nextMinute()
    const { down } = await counted()
    expect(down).toBeGreaterThanOrEqual(2)
  })
})
