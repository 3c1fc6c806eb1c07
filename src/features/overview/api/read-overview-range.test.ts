import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { keepSignedIn } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  await keepSignedIn(app, owner)
})
afterAll(() => app.close())

interface Range {
  from: number
  to: number
}

async function overview(days: '1' | '7' | '30', timeZone?: string, range?: Range) {
  const query = { days, ...(timeZone && { timeZone }), ...range }
  const { status, body } = await owner.visitor.call('GET /overview', { query })
  expect(status).toBe(200)
  return body
}

/** Sign-ins some days ago. */
const insert = (rows: readonly { ago?: number; username?: string }[]) =>
  app.db.write(({ db }) =>
    db
      .insertInto('logs')
      .values(
        rows.map(({ ago = 0, username = '' }) => ({
          app_id: owner.appId,
          at: app.now() - ago * 86_400,
          call: 'login',
          code: '',
          message: '',
          username,
          license: '',
          hwid_hash: '',
          ip: '::1',
          country: '',
          session: '',
        })),
      )
      .execute(),
  )

/** Twice: each run counts only up to the end of the log at the previous run. */
async function countedRuns() {
  for (let run = 0; run < 2; run++) {
    app.advance(31)
    await app.jobsDone()
  }
}

describe('the period before', () => {
  test('has the same length, is directly before, and ends as many hours into its day', async () => {
    await insert([{ ago: 20, username: 'a' }, { ago: 8, username: 'a' }, { username: 'b' }])
    await countedRuns()
    const { points, previous } = await overview('7')
    const lengths = (some: readonly Range[]) => some.map(({ from, to }) => to - from)
    expect(previous?.points).toHaveLength(7)
    expect(lengths(previous?.points ?? [])).toEqual(lengths(points))
    expect(previous?.points.at(-1)?.from).toBe((points[0]?.from ?? 0) - 86_400)
    expect(previous?.activeUsers).toBe(1)
  })

  test("isn't given if it was not counted from its beginning: a comparison would mislead", async () => {
    await insert([{ ago: 10 }, {}])
    expect((await overview('1')).previous).toBeNull()
    await countedRuns()
    expect((await overview('1')).previous).not.toBeNull()
    expect((await overview('7')).previous).toBeNull()
  })
})

describe('a chosen range', () => {
  const hour = () => Math.floor(app.now() / 3600) * 3600

  test('is divided into hours up to 48, otherwise into whole days', async () => {
    const hours = await overview('30', 'UTC', { from: hour() - 60 * 3600, to: hour() - 12 * 3600 })
    expect(hours.hourly).toBe(true)
    expect(hours.points).toHaveLength(48)
    expect(hours.points[0]?.from).toBe(hour() - 60 * 3600)
    const days = await overview('30', 'America/Sao_Paulo', { from: hour() - 10 * 86_400, to: hour() - 5 * 86_400 })
    expect(days.hourly).toBe(false)
    expect(new Set(days.points.map(({ from }) => new Date(from * 1000).getUTCHours()))).toEqual(new Set([3]))
    expect(days.points[0]?.from).toBeLessThanOrEqual(hour() - 10 * 86_400)
    expect(days.points.at(-1)?.to).toBeGreaterThanOrEqual(hour() - 5 * 86_400)
    // Licenses that will expire are not part of it.
    expect(days.expiring).toHaveLength(30)
  })

  test('never reaches into the future', async () => {
    const { points } = await overview('7', 'UTC', { from: hour() - 5 * 86_400, to: hour() + 30 * 86_400 })
    expect(points.at(-1)?.to).toBe(hour() + 3600)
  })

  test.each<[string, (hour: number) => Partial<Range>]>([
    ['only a beginning', (now) => ({ from: now - 3600 })],
    ['only an end', (now) => ({ to: now })],
    ['an end before its beginning', (now) => ({ from: now - 3600, to: now - 7200 })],
    ['nothing in it', (now) => ({ from: now - 3600, to: now - 3600 })],
    ['a fraction of an hour', (now) => ({ from: now - 3601, to: now })],
    ['a beginning in the future', (now) => ({ from: now + 3600, to: now + 7200 })],
    ['a beginning too long ago', (now) => ({ from: now - 92 * 86_400, to: now })],
  ])('with %s is rejected', async (_, rangeAt) => {
    const { status, body } = await owner.visitor.call('GET /overview', { query: rangeAt(hour()) })
    expect([status, body.code]).toEqual([400, 'OVERVIEW_RANGE_INVALID'])
  })
})
