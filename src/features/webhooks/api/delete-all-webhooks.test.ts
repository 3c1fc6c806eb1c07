import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  stranger = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const add = (who: OwnedApp) => who.visitor.call('POST /create_webhook', { body: { url: 'https://hooks.example/' } })
const total = async (who: OwnedApp) => (await who.visitor.call('GET /webhooks', { query: {} })).body.total

test('deletes every webhook of the app and none of another', async () => {
  for (const who of [owner, owner, stranger]) await add(who)
  expect((await owner.visitor.call('POST /delete_all_webhooks', { body: {} })).body).toMatchObject({
    code: 'WEBHOOKS_DELETE_ALL_OK',
    message: 'All webhooks deleted successfully',
    deleted: 2,
    undoId: expect.any(String),
  })
  expect([await total(owner), await total(stranger)]).toEqual([0, 1])
  expect((await owner.visitor.call('POST /delete_all_webhooks', { body: {} })).body).toMatchObject({
    deleted: 0,
    undoId: null,
  })
})
