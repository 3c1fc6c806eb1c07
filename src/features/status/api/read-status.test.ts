import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newAdmin, newOwner, newOwnerWithApp, type Owner } from '#testing/people/people.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'
import { startSecondServer } from '#testing/servers/second-server.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { recordBackup } from '#server/status/backups.ts'
import type { StatusPart } from '#contract/status-parts.ts'
import { statusBoard } from '../status-board.ts'
import { daySeconds } from '../status.rules.ts'

/** Status of the platform and its history. */

let app: TestApp
let owner: Owner

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwner(app)
  // Starts in the middle of a day and discards the timings of earlier requests.
  app.advance(daySeconds * 1.5 - (app.now() % daySeconds))
  await app.jobsDone()
  owner = await newOwner(app)
  app.advance(600)
  await app.jobsDone()
})
afterAll(() => app.close())

const read = async () => {
  const { status, body } = await owner.visitor.call('GET /status')
  expect(status).toBe(200)
  return body
}
const partOf = async (part: StatusPart) => (await read()).parts.find((each) => each.part === part)
const today = async (part: StatusPart) => {
  const { ok = [], degraded = [], down = [] } = (await partOf(part))?.days ?? {}
  expect([ok.length, degraded.length, down.length]).toEqual([90, 90, 90])
  return { ok: ok.at(-1), degraded: degraded.at(-1), down: down.at(-1) }
}
const sample = () => statusBoard(app.services).sample()
const nextMinute = () => app.advance(60 - (app.now() % 60))

test('a new platform works, and parts not measured yet are unknown, not operational', async () => {
  const { parts, frame, state } = await read()
  expect([frame, state]).toEqual([null, 'ok'])
  const states = Object.fromEntries(parts.map((each) => [each.part, each.state]))
  expect(states).toEqual({
    api: 'ok',
    errors: 'ok',
    queue: 'ok',
    database: 'ok',
    mail: 'off',
    'ip-data': 'off',
    backup: 'unknown',
    ledger: 'ok',
    storage: 'ok',
  })
  expect(await today('database')).toEqual({ ok: 0, degraded: 0, down: 0 })
  expect((await partOf('database'))?.days).not.toHaveProperty('since')
})

test('reports that there was never a backup, not only that none is known', async () => {
  expect(await partOf('backup')).toMatchObject({ state: 'unknown', missing: ['backup'] })
})

test('IP data with only one of its two files reports which is missing', async () => {
  const { vpnFile } = app.services.config.ipData
  mkdirSync(dirname(vpnFile), { recursive: true })
  writeFileSync(vpnFile, '203.0.113.0/24')
  utimesSync(vpnFile, app.now(), app.now())
  app.advance(31)
  expect(await partOf('ip-data')).toMatchObject({ state: 'ok', missing: ['country-file'] })
  rmSync(vpnFile)
  app.advance(31)
  expect(await partOf('ip-data')).toMatchObject({ state: 'off' })
})

test('IP data without any file reports those that settings name as missing', async () => {
  const { ipData } = app.services.config
  for (const [named, missing] of [
    [['country'], ['country-file']],
    [
      ['country', 'vpn'],
      ['country-file', 'vpn-file'],
    ],
  ] as const) {
    ipData.named = named
    app.advance(31)
    expect(await partOf('ip-data')).toMatchObject({ state: 'off', missing })
  }
  ipData.named = []
  app.advance(31)
  expect(await partOf('ip-data')).not.toHaveProperty('missing')
})

test('the reply has the first measured minute, which stays the same', async () => {
  nextMinute()
  await sample()
  const since = Math.floor(app.now() / 60) * 60
  expect((await partOf('database'))?.days).toMatchObject({ since })
  nextMinute()
  await sample()
  expect((await partOf('database'))?.days).toMatchObject({ since })
  expect((await partOf('mail'))?.days).not.toHaveProperty('since')
})

test('every signed-in account can see it, including administrators and resellers, and nobody else can', async () => {
  expect((await app.visitor().call('GET /status')).status).toBe(401)
  expect((await app.visitor().call('GET /reseller/status')).status).toBe(401)
  expect((await (await newAdmin(app)).visitor.call('GET /status')).status).toBe(200)
  const { visitor } = await newSellingReseller(app)
  const { status, body } = await visitor.call('GET /reseller/status')
  expect([status, body.frame, body.parts.length]).toEqual([200, null, 9])
})

test('reveals nothing that helps an attacker: no version, host, path, name, or number of tenants', async () => {
  await newOwnerWithApp(app, 'Very secret tenant')
  const text = JSON.stringify(await read())
  expect(text).not.toMatch(/secret|sqlite|postgres|127\.0|\/tmp|node|version|owner|license|tenant/i)
  const known = [
    'part',
    'state',
    'responseMs',
    'errorRate',
    'overdueQueues',
    'isReachable',
    'lastAt',
    'missing',
    'days',
  ]
  for (const part of (await read()).parts) expect(known).toEqual(expect.arrayContaining(Object.keys(part)))
})

test('answers during maintenance, which is not a failure', async () => {
  const set = (maintenanceMode: boolean) =>
    app.db.write(async (tx) => {
      const value = JSON.stringify({ maintenanceMode })
      await tx.db.deleteFrom('platform_settings').execute()
      await tx.db.insertInto('platform_settings').values({ name: 'platform', value }).execute()
      tx.publish('settings:platform')
    })
  await set(true)
  await app.services.settings.current()
  for (let n = 0; n < 20; n++) expect((await owner.visitor.call('GET /licenses')).status).toBe(503)
  app.advance(31)
  expect(await partOf('errors')).toMatchObject({ state: 'ok' })
  await set(false)
  await app.services.settings.current()
})

test('a minute counts once, however often and by however many processes it is measured', async () => {
  nextMinute()
  const before = await today('database')
  const second = await startSecondServer(app)
  try {
    await Promise.all([sample(), statusBoard(second.services).sample(), sample()])
    app.advance(20)
    await Promise.all([sample(), statusBoard(second.services).sample()])
    expect(await today('database')).toEqual({ ...before, ok: (before.ok ?? 0) + 1 })
  } finally {
    await second.close()
  }
  nextMinute()
  await sample()
  expect(await today('database')).toEqual({ ...before, ok: (before.ok ?? 0) + 2 })
})

test('when two processes see the same minute differently, the worse state counts, once', async () => {
  nextMinute()
  const second = await startSecondServer(app)
  try {
    await sample()
    const before = await today('errors')
    const fail = () => second.services.metrics.requests.record({ status: 500, seconds: 0.01 }, second.services.clock())
    for (let n = 0; n < 5; n++) fail()
    app.advance(20)
    for (let n = 0; n < 2; n++) await statusBoard(second.services).sample()
    await sample()
    expect(await today('errors')).toEqual({ ...before, ok: (before.ok ?? 0) - 1, down: (before.down ?? 0) + 1 })
  } finally {
    await second.close()
  }
})

test('a minute that starts well and turns bad is bad', async () => {
  // Requests of earlier tests no longer count.
  app.advance(400)
  nextMinute()
  await sample()
  const before = await today('errors')
  for (let n = 0; n < 50; n++)
    app.services.metrics.requests.record({ status: 500, seconds: 0.01 }, app.services.clock())
  app.advance(20)
  await sample()
  expect(await today('errors')).toEqual({ ...before, ok: (before.ok ?? 0) - 1, down: (before.down ?? 0) + 1 })
  // Lets the failures expire before the next test.
  app.advance(400)
})

test('many recent failures are reported by every process, and no longer once they have passed', async () => {
  app.advance(600)
  const { metrics, clock } = app.services
  for (let n = 0; n < 10; n++) metrics.requests.record({ status: 500, seconds: 2 }, clock())
  app.advance(31)
  // If there are two processes, requests alternate between them.
  for (let asked = 0; asked < 2; asked++) {
    expect(await partOf('errors')).toMatchObject({ state: 'down' })
    expect((await partOf('api'))?.responseMs).toBeGreaterThan(0)
    expect((await read()).state).toBe('down')
  }
  app.advance(600)
  expect(await partOf('errors')).toMatchObject({ state: 'ok' })
})

test('the last backup is shown; one that is too old is reported', async () => {
  await app.db.write((tx) => recordBackup(tx, { takenAt: app.now(), bytes: 1 }))
  app.advance(31)
  expect(await partOf('backup')).toMatchObject({ state: 'ok', lastAt: expect.any(Number) })
  expect(await partOf('backup')).not.toHaveProperty('missing')
  app.advance(9 * daySeconds)
  await app.jobsDone()
  owner = await newOwner(app)
  expect(await partOf('backup')).toMatchObject({ state: 'degraded' })
  await app.db.write((tx) => recordBackup(tx, { takenAt: app.now(), bytes: 1 }))
})

test("a ledger that adds up is operational; one that doesn't is down, for everybody and for administrators", async () => {
  const check = async () => {
    app.advance(3601)
    await app.jobsDone()
    owner = await newOwner(app)
    return partOf('ledger')
  }
  expect(await check()).toMatchObject({ state: 'ok' })
  const { id, owner: of } = await newSellingReseller(app)
  const account = (add: number) =>
    app.db.write(({ db }) =>
      db
        .updateTable('credit_accounts')
        .set((update) => ({ balance: update('balance', '+', add) }))
        .where('reseller_id', '=', id)
        .where('app_id', '=', of.appId)
        .where('kind', '=', 'balance')
        .execute(),
    )
  await account(1)
  expect(await check()).toMatchObject({ state: 'down' })
  const admin = await newAdmin(app)
  const health = await admin.visitor.call('GET /admin/health')
  expect(health.body.checks).toContainEqual({ name: 'ledger', checkedAt: expect.any(Number), problems: 2 })
  expect(health.body).toMatchObject({ state: 'down', failedJobs: 0 })
  await account(-1)
  expect(await check()).toMatchObject({ state: 'ok' })
})

test('90 days are kept, by UTC day, and days without data stay empty; older ones are deleted', async () => {
  nextMinute()
  await sample()
  app.advance(89 * daySeconds)
  owner = await newOwner(app)
  await sample()
  // Measured since the first day: these days miss nothing.
  expect((await partOf('database'))?.days).not.toHaveProperty('since')
  const { ok = [] } = (await partOf('database'))?.days ?? {}
  expect([ok[0], ok.at(-1)]).toEqual([expect.any(Number), 1])
  expect(ok[0]).toBeGreaterThan(0)
  expect(ok.slice(1, -1).every((minutes) => minutes === 0)).toBe(true)
  for (let n = 0; n < 30; n++) {
    nextMinute()
    await sample()
  }
  app.advance(daySeconds)
  owner = await newOwner(app)
  for (let n = 0; n < 3; n++) {
    nextMinute()
    await sample()
  }
  const days = await app.db.read.selectFrom('status_days').select('day').execute()
  expect(Math.min(...days.map(({ day }) => Number(day)))).toBeGreaterThan(Math.floor(app.now() / daySeconds) - 90)
  const minutes = await app.db.read.selectFrom('status_minutes').select('minute').execute()
  expect(minutes.filter(({ minute }) => Number(minute) < app.now() / 60 - 4 * 1440)).toEqual([])
})
