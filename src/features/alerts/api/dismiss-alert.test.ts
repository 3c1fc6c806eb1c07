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

const dismiss = (id: string, who = owner) => who.visitor.call('POST /alerts/{id}/dismiss', { params: { id }, body: {} })
const statusOf = async (id: string) =>
  (await owner.visitor.call('GET /alerts', { query: { search: id } })).body.data[0]?.status

test('a new alert becomes dismissed, with its text and its audit row', async () => {
  const id = await newAlert(app, owner)
  expect((await dismiss(id)).body).toMatchObject({
    success: true,
    code: 'ALERT_DISMISS_OK',
    message: 'Alert dismissed',
  })
  expect(await statusOf(id)).toBe('dismissed')
  const audit = await app.db.read.selectFrom('audit').selectAll().where('target', '=', id).execute()
  expect(audit).toMatchObject([{ act: 'alert.dismiss', actor_id: owner.id, app_id: owner.appId }])
})

test('only a new alert can be acted on: of five together one is done', async () => {
  const id = await newAlert(app, owner)
  const answers = await Promise.all(Array.from({ length: 5 }, () => dismiss(id)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
  for (const status of ['reviewed', 'dismissed'] as const) {
    const before = await newAlert(app, owner, { status })
    expect(await dismiss(before)).toMatchObject({ status: 409, body: { code: 'ALERT_NOT_NEW' } })
    expect(await statusOf(before)).toBe(status)
  }
})

test('an alert of another owner is as missing as one that never was (R-TEN-01)', async () => {
  const id = await newAlert(app, owner)
  const stranger = await newOwnerWithApp(app)
  expect(await dismiss(id, stranger)).toMatchObject({ status: 404, body: { code: 'ALERT_NOT_FOUND' } })
  expect(await dismiss('alert_none')).toMatchObject({ status: 404, body: { code: 'ALERT_NOT_FOUND' } })
  expect(await statusOf(id)).toBe('new')
})
