import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { withoutTable } from '#testing/faults/without-table.ts'
import { activityLog } from './logs.actions.ts'

let app: TestApp
let owner: OwnedApp

const logEntriesPerApp = 25_000

beforeAll(async () => {
  app = await startTestApp({ config: { logEntriesPerApp } })
})
afterAll(() => app.close())

const rowsOf = (appId: string) =>
  app.db.read.selectFrom('logs').selectAll().where('app_id', '=', appId).orderBy('id').execute()

test('stores the activity of programs in batches and in order', async () => {
  owner = await newOwnerWithApp(app)
  const log = activityLog(app.services)
  const activity = { appId: owner.appId, at: app.now(), ip: '203.0.113.7' }
  log.record({ ...activity, call: 'login', username: 'marta', hwidHash: 'h', session: 's' })
  for (let n = 0; n < 1200; n++)
    log.record({ ...activity, call: 'license', license: `key ${n}`, code: 'LICENSE_BANNED' })
  await log.flush()
  const rows = await rowsOf(owner.appId)
  expect(rows).toHaveLength(1201)
  expect(rows[0]).toMatchObject({
    call: 'login',
    code: '',
    username: 'marta',
    hwid_hash: 'h',
    session: 's',
    license: '',
  })
  expect(rows.slice(1).map(({ license }) => license)).toEqual(Array.from({ length: 1200 }, (_, n) => `key ${n}`))
})

test('repeats a failed write without storing a row twice', async () => {
  owner = await newOwnerWithApp(app)
  const log = activityLog(app.services)
  log.record({ appId: owner.appId, at: app.now(), call: 'init', ip: '::1' })
  await withoutTable(app.db, 'logs', () => log.flush())
  log.record({ appId: owner.appId, at: app.now(), call: 'login', ip: '::1' })
  await log.flush()
  expect((await rowsOf(owner.appId)).map(({ call }) => call)).toEqual(['init', 'login'])
})

test("activity of an app deleted meanwhile doesn't block other rows", async () => {
  owner = await newOwnerWithApp(app)
  const log = activityLog(app.services)
  log.record({ appId: 'app_AAAAAAAAAAAAAAAA', at: app.now(), call: 'init', ip: '::1' })
  log.record({ appId: owner.appId, at: app.now(), call: 'init', ip: '::1' })
  await log.flush()
  expect(await rowsOf(owner.appId)).toHaveLength(1)
})

test('bounds a flood: excess rows are dropped, the rest is stored', async () => {
  owner = await newOwnerWithApp(app)
  const log = activityLog(app.services)
  for (let n = 0; n < 20_100; n++) log.record({ appId: owner.appId, at: app.now(), call: 'init', ip: '::1' })
  await log.flush()
  expect(await rowsOf(owner.appId)).toHaveLength(20_000)
})

test('a stopping server stores its waiting rows', async () => {
  owner = await newOwnerWithApp(app)
  activityLog(app.services).record({ appId: owner.appId, at: app.now(), call: 'init', ip: '::1' })
  await app.stop()
  expect(await rowsOf(owner.appId)).toHaveLength(1)
  await app.start()
})

test('deletes the oldest rows over the limit of an app, separately for each app', async () => {
  owner = await newOwnerWithApp(app)
  const other = await newOwnerWithApp(app)
  const log = activityLog(app.services)
  const excess = 1203
  const activity = { appId: owner.appId, call: 'init', ip: '::1' }
  // All in the same second, so they are ordered by ID.
  for (let from = 0; from < logEntriesPerApp + excess; from += 10_000) {
    const count = Math.min(10_000, logEntriesPerApp + excess - from)
    for (let n = from; n < from + count; n++) log.record({ ...activity, at: app.now(), message: `entry ${n}` })
    await log.flush()
  }
  log.record({ ...activity, appId: other.appId, at: app.now() - 1000 })
  await log.flush()
  app.advance(3601)
  await app.jobsDone()
  const rows = await rowsOf(owner.appId)
  expect(rows).toHaveLength(logEntriesPerApp)
  expect([rows[0]?.message, rows.at(-1)?.message]).toEqual([
    `entry ${excess}`,
    `entry ${logEntriesPerApp + excess - 1}`,
  ])
  expect(await rowsOf(other.appId)).toHaveLength(1)
})
