import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectAllRefused, expectOnlyOwner, hostileBodies } from '#testing/hostile-input.ts'
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
const remove = (logId: number) => owner.visitor.call('POST /delete_log', { body: { logId } })
const acts = async () => {
  const rows = await app.db.read
    .selectFrom('audit')
    .selectAll()
    .where('app_id', '=', owner.appId)
    .orderBy('id')
    .execute()
  return rows.filter(({ act }) => act.startsWith('log.')).map(({ act, target }) => [act, target])
}

test('one row is deleted, with its audit row, and can be deleted once', async () => {
  const [last = 0, ...others] = await ids()
  expect((await remove(last)).body).toMatchObject({ code: 'LOG_DELETE_OK', message: 'Log deleted successfully' })
  expect(await ids()).toEqual(others)
  expect(await acts()).toEqual([['log.delete', String(last)]])
  expect(await remove(last)).toMatchObject({ status: 404, body: { code: 'LOG_NOT_FOUND', message: 'Log not found' } })
})

test('what is no row is refused and changes nothing', async () => {
  const notIds = [null, 'x', '', 0, -1, 1.5, {}, [], true, 1e16, undefined]
  await expectAllRefused(app, owner.visitor, '/delete_log', hostileBodies({ logId: 1 }, { logId: notIds }))
})

test('strangers are refused, and somebody else exactly as for a row that never was', async () => {
  const [own = 0] = await ids()
  const byRow = await expectOnlyOwner(app, {
    stranger: stranger.visitor,
    call: 'POST /delete_log',
    body: (which) => ({ logId: which === 'own' ? own : 999_999 }),
  })
  expect(byRow.body.code).toBe('LOG_NOT_FOUND')
  expect(await ids()).toHaveLength(3)
})
