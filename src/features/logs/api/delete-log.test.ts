import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectAllRejected, hostileBodies } from '#testing/faults/hostile-input.ts'
import { auditOfLogs, logIds, logSignIns } from '#testing/log-rows.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

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

const remove = (logId: number) => owner.visitor.call('POST /delete_log', { body: { logId } })

test('one row is deleted, with its audit row, and can be deleted once', async () => {
  const [last = 0, ...others] = await logIds(owner)
  expect((await remove(last)).body).toMatchObject({ code: 'LOG_DELETE_OK', message: 'Log deleted successfully' })
  expect(await logIds(owner)).toEqual(others)
  expect(await auditOfLogs(app, owner)).toEqual([['log.delete', String(last)]])
  expect(await remove(last)).toMatchObject({ status: 404, body: { code: 'LOG_NOT_FOUND', message: 'Log not found' } })
})

test('what is no row is rejected and changes nothing', async () => {
  const notIds = [null, 'x', '', 0, -1, 1.5, {}, [], true, 1e16, undefined]
  await expectAllRejected(app, owner.visitor, '/delete_log', hostileBodies({ logId: 1 }, { logId: notIds }))
})

test("another owner's call deletes no log", async () => {
  const [own = 0] = await logIds(owner)
  await stranger.visitor.call('POST /delete_log', { body: { logId: own } })
  expect(await logIds(owner)).toHaveLength(3)
})
