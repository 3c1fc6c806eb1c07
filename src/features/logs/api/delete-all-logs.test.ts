import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectOnlyOwner } from '#testing/faults/hostile-input.ts'
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

test('the whole log is deleted, of this app alone, with what has just happened', async () => {
  activityLog(app.services).record({ appId: owner.appId, at: app.now(), call: 'init', ip: '::1' })
  const { body } = await owner.visitor.call('POST /delete_all_logs', { body: {} })
  expect(body).toMatchObject({ code: 'LOGS_DELETE_ALL_OK', message: 'All logs deleted successfully', deleted: 4 })
  expect(await logIds(owner)).toEqual([])
  expect(await logIds(stranger)).toHaveLength(3)
})

test('strangers are refused, and somebody else exactly as for an app that never was', async () => {
  const answer = await expectOnlyOwner(app, {
    stranger: stranger.visitor,
    call: 'POST /delete_all_logs',
    body: (which) => ({ appId: which === 'own' ? owner.appId : 'app_AAAAAAAAAAAAAAAA' }),
  })
  expect(answer.status).toBe(404)
  expect(await logIds(owner)).toHaveLength(3)
})
