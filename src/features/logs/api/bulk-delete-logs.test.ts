import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectAllRefused, expectOnlyOwner, hostileBodies, notListQueries } from '#testing/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { activityLog } from '../logs.actions.ts'

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  stranger = await newOwnerWithApp(app)
  await fill(stranger, 3)
})
afterAll(() => app.close())
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  await fill(owner, 3)
})

async function fill({ appId }: OwnedApp, amount: number): Promise<void> {
  const log = activityLog(app.services)
  for (let n = 0; n < amount; n++) {
    log.record({
      appId,
      at: app.now() + n,
      call: 'login',
      username: `user ${n}`,
      ip: '::1',
      ...(n % 2 === 1 && { code: 'X' }),
    })
  }
  await log.flush()
}

const ids = async ({ visitor }: OwnedApp = owner) =>
  (await visitor.call('GET /logs', { query: { limit: 100 } })).body.logs.map(({ id }) => id)
const acts = async () => {
  const rows = await app.db.read
    .selectFrom('audit')
    .selectAll()
    .where('app_id', '=', owner.appId)
    .orderBy('id')
    .execute()
  return rows.filter(({ act }) => act.startsWith('log.')).map(({ act, target }) => [act, target])
}

test('those that are named are deleted; foreign and missing ones are passed over', async () => {
  const [a = 0, b = 0, c = 0] = await ids()
  const logIds = [a, c, c, 999_999, ...(await ids(stranger))]
  const { body } = await owner.visitor.call('POST /logs/bulk-delete', { body: { logIds } })
  expect(body).toMatchObject({ code: 'LOGS_DELETE_OK', message: 'Deleted 2 logs successfully', deleted: 2 })
  expect(await ids()).toEqual([b])
  expect(await ids(stranger)).toHaveLength(3)
})

test('all that match a filter are deleted, in batches, and no others', async () => {
  await fill(owner, 1201)
  const filter = { refused: true, search: 'USER' }
  const { body } = await owner.visitor.call('POST /logs/bulk-delete', { body: { filter } })
  expect(body).toMatchObject({ code: 'LOGS_DELETE_OK', deleted: 601 })
  const { body: left } = await owner.visitor.call('GET /logs', { query: {} })
  expect(left.total).toBe(603)
  expect((await acts()).map(([, target]) => target)).toEqual(['500 logs', '101 logs'])
})

test('what is no choice of rows is refused and changes nothing', async () => {
  const notLists = [null, 'x', 5, {}, [], ['x'], [0], [null], Array(1001).fill(1)]
  const notFilters = [null, 5, 'x', [], ...notListQueries.filter((query) => !('page' in query || 'limit' in query))]
  const hostile = { logIds: notLists, filter: [...notFilters, {}] }
  await expectAllRefused(app, owner.visitor, '/logs/bulk-delete', hostileBodies({ logIds: [1] }, hostile))
  const { body } = await owner.visitor.call('POST /logs/bulk-delete', { body: {} })
  expect(body).toMatchObject({ code: 'NO_LOGS_SELECTED', message: 'No logs selected' })
  expect(await ids()).toHaveLength(3)
})

test('strangers are refused, and somebody else exactly as for an app that never was', async () => {
  const answer = await expectOnlyOwner(app, {
    stranger: stranger.visitor,
    call: 'POST /logs/bulk-delete',
    body: (which) => ({ filter: {}, appId: which === 'own' ? owner.appId : 'app_AAAAAAAAAAAAAAAA' }),
  })
  expect(answer.status).toBe(404)
  expect(await ids()).toHaveLength(3)
})
