import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Calls } from '#contract/calls.ts'
import { expectAllRejected, hostileBodies, notListQueries } from '#testing/faults/hostile-input.ts'
import { auditOfLogs, insertLogRows, logIds, logSignIns } from '#testing/log-rows.ts'
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

test("deletes the listed rows, and skips missing rows and other owners' rows", async () => {
  const [a = 0, b = 0, c = 0] = await logIds(owner)
  const named = [a, c, c, 999_999, ...(await logIds(stranger))]
  const { body } = await owner.visitor.call('POST /logs/bulk-delete', { body: { logIds: named } })
  expect(body).toMatchObject({ code: 'LOGS_DELETE_OK', message: 'Deleted 2 logs successfully', deleted: 2 })
  expect(await logIds(owner)).toEqual([b])
  expect(await logIds(stranger)).toHaveLength(3)
})

test('deletes all rows that match a filter, in batches, and no others', async () => {
  await logSignIns(app, owner, 1201)
  const filter = { rejected: true, search: 'USER' }
  const { body } = await owner.visitor.call('POST /logs/bulk-delete', { body: { filter } })
  expect(body).toMatchObject({ code: 'LOGS_DELETE_OK', deleted: 601 })
  const { body: left } = await owner.visitor.call('GET /logs', { query: {} })
  expect(left.total).toBe(603)
  expect((await auditOfLogs(app, owner)).map(([, target]) => target)).toEqual(['500 logs', '101 logs'])
})

test('rejects an invalid selection and changes nothing', async () => {
  const notLists = [null, 'x', 5, {}, [], ['x'], [0], [null], Array(1001).fill(1)]
  const notFilters = [null, 5, 'x', [], ...notListQueries.filter((query) => !('page' in query || 'limit' in query))]
  const notCounts = [null, -1, 1.5, 'x', [], {}, 1e13]
  const hostile = {
    logIds: notLists,
    filter: [...notFilters, {}],
    expectedCount: notCounts,
    newestId: [null, 0, -1, 1.5, 'x', [], {}, 1e16],
  }
  await expectAllRejected(app, owner.visitor, '/logs/bulk-delete', hostileBodies({ logIds: [1] }, hostile))
  const { body } = await owner.visitor.call('POST /logs/bulk-delete', { body: {} })
  expect(body).toMatchObject({ code: 'NO_LOGS_SELECTED', message: 'No logs selected' })
  expect(await logIds(owner)).toHaveLength(3)
})

test("another owner's call deletes no logs", async () => {
  await stranger.visitor.call('POST /logs/bulk-delete', { body: { filter: {}, appId: owner.appId } })
  expect(await logIds(owner)).toHaveLength(3)
})

const listed = async (query: object = {}) => (await owner.visitor.call('GET /logs', { query })).body
const remove = async (body: Calls['POST /logs/bulk-delete']['body']) =>
  (await owner.visitor.call('POST /logs/bulk-delete', { body })).body

test('deletes the entries that were seen, and none that were stored since, whatever their time', async () => {
  const { total, newestId, logs } = await listed({ search: 'user' })
  expect(newestId).toBe(Math.max(...logs.map(({ id }) => id)))
  await insertLogRows(app, owner, [{ username: 'user 8', ago: 500 }, { username: 'user 9' }])
  const body = { filter: { search: 'user' }, expectedCount: total, newestId: newestId ?? 0 }
  expect(await remove(body)).toMatchObject({ code: 'LOGS_DELETE_OK', deleted: 3 })
  expect((await listed()).logs.map(({ username }) => username)).toEqual(['user 9', 'user 8'])
})

test("the newest entry is the app's own, whatever other apps log", async () => {
  const { newestId } = await listed()
  await insertLogRows(app, stranger, [{ username: 'of another owner' }])
  expect((await listed()).newestId).toBe(newestId)
  expect((await listed({ search: 'nothing like this' })).newestId).toBe(newestId)
  const silent = await newOwnerWithApp(app)
  expect((await silent.visitor.call('GET /logs')).body).toMatchObject({ all: 0, newestId: null })
})

test('deletes nothing if more entries match than were seen, and fewer if some are gone', async () => {
  await logSignIns(app, owner, 600)
  const before = await listed()
  expect(await remove({ filter: {}, expectedCount: 602 })).toMatchObject({
    code: 'SELECTION_CHANGED',
    values: { count: 603 },
    message: 'The list has changed: 603 rows now match. Please check again.',
  })
  expect((await listed()).total).toBe(603)
  await owner.visitor.call('POST /delete_log', { body: { logId: before.logs[0]?.id ?? 0 } })
  expect(await remove({ filter: {}, expectedCount: 603 })).toMatchObject({ deleted: 602 })
  expect(await listed()).toMatchObject({ total: 0 })
})
