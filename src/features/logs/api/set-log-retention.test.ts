import { afterAll, beforeAll, expect, test } from 'vitest'
import { passTime } from '#testing/people/end-users.ts'
import { expectAllRejected, hostileBodies } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { activityLog } from '../logs.actions.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const day = 86_400
const retain = ({ visitor }: OwnedApp, days: number) => visitor.call('POST /log_retention', { body: { days } })
const list = async ({ visitor }: OwnedApp) => (await visitor.call('GET /logs', { query: { limit: 100 } })).body

test("rows older than the app's own retention are deleted within the hour", async () => {
  const brief = await newOwnerWithApp(app)
  const usual = await newOwnerWithApp(app)
  const { body } = await retain(brief, 7)
  expect(body).toMatchObject({ code: 'LOG_RETENTION_OK', message: 'Logs are stored for 7 days', days: 7 })
  expect((await list(brief)).retentionDays).toBe(7)
  const log = activityLog(app.services)
  for (const { appId } of [brief, usual]) {
    for (let n = 0; n < 600; n++) log.record({ appId, at: app.now() - 8 * day, call: 'init', ip: '::1' })
    log.record({ appId, at: app.now() - 91 * day, call: 'logout', ip: '::1' })
    log.record({ appId, at: app.now() - 6 * day, call: 'login', ip: '::1' })
  }
  await log.flush()
  await passTime(app, brief, 3601)
  await passTime(app, usual, 0)
  await app.jobsDone()
  expect((await list(brief)).logs.map(({ call }) => call)).toEqual(['login'])
  expect((await list(usual)).total).toBe(601)
})

test('returns a number changed in the meantime instead of overwriting it, also of two calls at once', async () => {
  const owner = await newOwnerWithApp(app)
  const change = (days: number) => owner.visitor.call('POST /log_retention', { body: { days, before: { days: 90 } } })
  const answers = await Promise.all([change(7), change(14)])
  const { retentionDays: days } = await list(owner)
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'FIELD_CHANGED', current: { days } })
})

test('records the change in the audit', async () => {
  const owner = await newOwnerWithApp(app)
  await retain(owner, 30)
  await retain(owner, 3650)
  expect((await list(owner)).retentionDays).toBe(3650)
  const rows = await app.db.read.selectFrom('audit').selectAll().where('act', '=', 'app.set-log-retention').execute()
  const own = rows.filter(({ app_id }) => app_id === owner.appId)
  expect(own.map(({ details }) => JSON.parse(details) as object)).toEqual([
    { days: 30, changes: { days: [90, 30] } },
    { days: 3650, changes: { days: [30, 3650] } },
  ])
})

test('rejects an invalid number of days and changes nothing', async () => {
  const { visitor } = await newOwnerWithApp(app)
  const days = [null, 'x', '', 0, -1, 3651, 1.5, {}, [], true, 1e16, undefined]
  await expectAllRejected(app, visitor, '/log_retention', hostileBodies({ days: 5 }, { days }))
  expect((await visitor.call('POST /log_retention', { body: { days: 0 } })).body).toMatchObject({
    code: 'LOG_RETENTION_INVALID',
    message: 'Logs are stored for 1 to 3650 days',
    field: 'days',
  })
})
