import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { activityLog } from '#features/logs/logs.actions.ts'
import { activityJob } from '../overview.actions.ts'
import { insertLogRows } from '#testing/log-rows.ts'
import { newSubscriber, signedIn } from '#testing/people/end-users.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { keepSignedIn } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  await keepSignedIn(app, owner)
})
afterAll(() => app.close())

type Days = '1' | '7' | '30' | '90'

async function overview(days: Days, range?: { from: number; to: number }) {
  await activityLog(app.services).flush()
  const { status, body } = await owner.visitor.call('GET /overview', { query: { days, ...range } })
  expect(status).toBe(200)
  return body
}

/** All active users, and those who still exist: in the overview, and as many in the list of users. */
async function activeUsers(days: Days) {
  const { activeUsers: all, existingActiveUsers: existing, points } = await overview(days)
  const query = { lastLoginFrom: points[0]?.from ?? 0 }
  expect((await owner.visitor.call('GET /users', { query })).body.total).toBe(existing)
  return [all, existing]
}

test('active users who were deleted since are counted apart, and the others are those of the list', async () => {
  const stranger = await newOwnerWithApp(app)
  for (const username of ['anna', 'bruno', 'clara', 'dora']) await newSubscriber(owner, { username })
  await signedIn(app, stranger, await newSubscriber(stranger, { username: 'anna' }))
  for (const username of ['anna', 'bruno', 'clara']) await signedIn(app, owner, username)
  for (const days of ['1', '7', '30', '90'] as const) expect(await activeUsers(days)).toEqual([3, 3])

  await owner.visitor.call('POST /delete_user', { body: { username: 'bruno' } })
  // A user of the same name is another one, who has not signed in.
  await owner.visitor.call('POST /delete_user', { body: { username: 'clara' } })
  await newSubscriber(owner, { username: 'clara' })
  for (const days of ['1', '7', '30', '90'] as const) expect(await activeUsers(days)).toEqual([3, 1])

  app.advance(26 * 3600)
  await keepSignedIn(app, owner)
  expect(await activeUsers('1')).toEqual([0, 0])
  expect(await activeUsers('7')).toEqual([3, 1])
})

const job = { id: 0, lane: '', owner: '', payload: null, attempt: 1, createdAt: 0, finish: async () => {} }

test('a user whose program renewed its session was active, in the overview, the list, and the log', async () => {
  const program = await signedIn(app, owner, await newSubscriber(owner, { username: 'anna' }))
  app.advance(26 * 3600)
  await keepSignedIn(app, owner)
  expect(await activeUsers('1')).toEqual([0, 0])
  const renewed = await program.send('renew', { version: '1.0.0', hwid: program.hwid })
  expect(renewed.body).toMatchObject({ success: true })
  const customers = async () => {
    const { points } = await overview('1')
    const query = { customers: 'signed-in' as const, from: points[0]?.from ?? 0 }
    return (await owner.visitor.call('GET /logs', { query })).body.customers?.count
  }
  const counted = async () => [await activeUsers('1'), await customers(), (await overview('1')).points.at(-1)?.signIns]
  expect(await counted()).toEqual([[1, 1], 1, 0])
  for (let run = 0; run < 2; run++) await activityJob.run(app.services, job)
  expect(await counted()).toEqual([[1, 1], 1, 0])
})

test('those of a range that has ended are not told apart: they may have signed in again since', async () => {
  const hour = Math.floor(app.now() / 3600) * 3600
  await insertLogRows(app, owner, [{ username: 'anna', ago: 5 * 3600 }])
  const past = await overview('7', { from: hour - 10 * 3600, to: hour })
  expect([past.activeUsers, past.existingActiveUsers]).toEqual([1, null])
  const current = await overview('7', { from: hour - 10 * 3600, to: hour + 3600 })
  expect([current.activeUsers, current.existingActiveUsers]).toEqual([1, 0])
})
