import { afterAll, beforeAll, expect, test } from 'vitest'
import { newAlert } from '#testing/busy-app.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const review = (id: string, who = owner) => who.visitor.call('POST /alerts/{id}/review', { params: { id }, body: {} })
const statusOf = async (id: string) =>
  (await owner.visitor.call('GET /alerts', { query: { search: id } })).body.data[0]?.status

test('a new alert becomes reviewed, with its message and its audit row', async () => {
  const id = await newAlert(app, owner)
  expect((await review(id)).body).toMatchObject({
    success: true,
    code: 'ALERT_REVIEW_OK',
    message: 'Alert marked as reviewed',
  })
  expect(await statusOf(id)).toBe('reviewed')
  const audit = await app.db.read.selectFrom('audit').selectAll().where('target', '=', id).execute()
  expect(audit).toMatchObject([{ act: 'alert.review', actor_id: owner.id, app_id: owner.appId }])
})

test('only a new alert can be reviewed or dismissed: one of five simultaneous calls succeeds', async () => {
  const id = await newAlert(app, owner)
  const answers = await Promise.all(Array.from({ length: 5 }, () => review(id)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
  for (const status of ['reviewed', 'dismissed'] as const) {
    const before = await newAlert(app, owner, { status })
    expect(await review(before)).toMatchObject({ status: 409, body: { code: 'ALERT_NOT_NEW' } })
    expect(await statusOf(before)).toBe(status)
  }
})

test("another owner's alert looks like a missing one (R-TEN-01)", async () => {
  const id = await newAlert(app, owner)
  const stranger = await newOwnerWithApp(app)
  expect(await review(id, stranger)).toMatchObject({ status: 404, body: { code: 'ALERT_NOT_FOUND' } })
  expect(await review('alert_none')).toMatchObject({ status: 404, body: { code: 'ALERT_NOT_FOUND' } })
  expect(await statusOf(id)).toBe('new')
})
