import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { logIds, logSignIns } from '#testing/log-rows.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { activityLog } from '../logs.actions.ts'

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  stranger = await newOwnerWithApp(app)
  await logSignIns(app, stranger, 3)
})
afterAll(() => app.close())
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  await logSignIns(app, owner, 3)
})

test('deletes the whole log of this app only, including the newest rows', async () => {
  activityLog(app.services).record({ appId: owner.appId, at: app.now(), call: 'init', ip: '::1' })
  const { body } = await owner.visitor.call('POST /delete_all_logs', { body: {} })
  expect(body).toMatchObject({ code: 'LOGS_DELETE_ALL_OK', message: 'All logs deleted successfully', deleted: 4 })
  expect(await logIds(owner)).toEqual([])
  expect(await logIds(stranger)).toHaveLength(3)
})

test('leaves out what was stored after the list was read', async () => {
  const { body } = await owner.visitor.call('GET /logs', { query: {} })
  await logSignIns(app, owner, 2)
  const reply = await owner.visitor.call('POST /delete_all_logs', { body: { newestId: body.newestId ?? 0 } })
  expect(reply.body.deleted).toBe(3)
  expect(await logIds(owner)).toHaveLength(2)
})

test("another owner's call deletes no logs", async () => {
  await stranger.visitor.call('POST /delete_all_logs', { body: { appId: owner.appId } })
  expect(await logIds(owner)).toHaveLength(3)
})
