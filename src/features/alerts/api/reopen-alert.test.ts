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

const reopen = (id: string, who = owner) => who.visitor.call('POST /alerts/{id}/reopen', { params: { id }, body: {} })
const statusOf = async (id: string) =>
  (await owner.visitor.call('GET /alerts', { query: { search: id } })).body.data[0]?.status

test.each(['reviewed', 'dismissed'] as const)('an alert that was %s by mistake can be reopened', async (status) => {
  const id = await newAlert(app, owner, { status })
  expect((await reopen(id)).body).toMatchObject({ success: true, code: 'ALERT_REOPEN_OK' })
  expect(await statusOf(id)).toBe('new')
  expect(await reopen(id)).toMatchObject({ status: 409, body: { code: 'ALERT_IS_NEW' } })
})

test('there are never two new alerts for one finding', async () => {
  const id = await newAlert(app, owner, { status: 'dismissed', fingerprint: 'same' })
  await newAlert(app, owner, { fingerprint: 'same' })
  expect(await reopen(id)).toMatchObject({ status: 409, body: { code: 'ALERT_RAISED_AGAIN' } })
  expect(await statusOf(id)).toBe('dismissed')
})

test('of two alerts for one finding that are reopened at once, one is', async () => {
  for (let round = 0; round < 5; round++) {
    const fingerprint = `twice ${round}`
    const ids = [
      await newAlert(app, owner, { status: 'dismissed', fingerprint }),
      await newAlert(app, owner, { status: 'reviewed', fingerprint }),
    ]
    const answers = await Promise.all(ids.map((id) => reopen(id)))
    expect(answers.map(({ body }) => body.code).toSorted()).toEqual(['ALERT_RAISED_AGAIN', 'ALERT_REOPEN_OK'])
  }
})

test("another owner's alert looks like a missing one (R-TEN-01)", async () => {
  const id = await newAlert(app, owner, { status: 'reviewed' })
  const stranger = await newOwnerWithApp(app)
  expect(await reopen(id, stranger)).toMatchObject({ status: 404, body: { code: 'ALERT_NOT_FOUND' } })
})
