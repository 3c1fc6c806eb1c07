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

const get = (id: string, query = {}) => owner.visitor.call('GET /alerts/{id}', { params: { id }, query })

test('an alert of another owner or another app looks like one that does not exist', async () => {
  const stranger = await newOwnerWithApp(app)
  const foreign = await newAlert(app, stranger)
  const { appId } = (await owner.visitor.call('POST /create_app', { body: { appName: 'Other' } })).body
  const elsewhere = await newAlert(app, { ...owner, appId })
  const query = { appId: owner.appId }
  for (const id of [foreign, elsewhere, 'x', "' or 1=1 --", '__proto__', '%']) {
    const { status, body } = await get(id, query)
    expect([status, body.code], id).toEqual([404, 'ALERT_NOT_FOUND'])
  }
  expect((await get(elsewhere, { appId })).status).toBe(200)
  expect((await get(elsewhere, { appId: stranger.appId })).status).not.toBe(200)
})

test('an alert has everything that the list has of it', async () => {
  const id = await newAlert(app, owner, { ip: '203.0.113.9', status: 'reviewed' })
  const { data } = (await owner.visitor.call('GET /alerts', { query: { appId: owner.appId, search: id } })).body
  expect(data).toHaveLength(1)
  expect((await get(id, { appId: owner.appId })).body.alert).toEqual(data[0])
})
