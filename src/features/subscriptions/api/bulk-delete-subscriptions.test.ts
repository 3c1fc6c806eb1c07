import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectAllRejected, hostileBodies, notFlags, notIntegers } from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => void (app = await startTestApp()))
afterAll(() => app.close())
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  for (const level of [2, 3])
    await owner.visitor.call('POST /create_subscription', { body: { level, name: `L${level}` } })
  await newLicenses(owner, 4, { subscription: 3 })
})

const bulk = (levels: number[], forceDelete = false) =>
  owner.visitor.call('POST /subscriptions/bulk-delete', { body: { levels, forceDelete } })

test('deletes what it can and returns a result for each level', async () => {
  const { body } = await bulk([3, 1, 42, 1])
  expect(body).toMatchObject({ success: true, message: '1 deleted, 2 failed', deleted: 1, failed: 2 })
  expect(body.results).toEqual([
    {
      level: 3,
      ok: false,
      code: 'SUBSCRIPTION_IN_USE',
      values: { licenses: 4, users: 0 },
      undoId: null,
      message: 'Level 3: This subscription is used by 4 licenses and 0 users',
    },
    {
      level: 1,
      ok: true,
      code: 'SUBSCRIPTION_DELETE_OK',
      undoId: expect.any(String),
      message: 'Level 1: Subscription deleted successfully',
    },
    { level: 42, ok: false, code: 'SUBSCRIPTION_NOT_FOUND', undoId: null, message: 'Level 42: Subscription not found' },
  ])
  const { body: left } = await owner.visitor.call('GET /subscriptions')
  expect(left.subscriptions.map(({ level }) => level)).toEqual([2, 3])
})

test('with force, the licenses are deleted too', async () => {
  expect((await bulk([1, 2, 3], true)).body).toMatchObject({ message: '3 deleted, 0 failed', deleted: 3, failed: 0 })
  expect((await owner.visitor.call('GET /licenses')).body.total).toBe(0)
  expect((await owner.visitor.call('GET /subscriptions')).body.subscriptions).toEqual([])
})

test('requires a selection', async () => {
  const { status, body } = await bulk([])
  expect([status, body.code, body.message]).toEqual([400, 'NO_SUBSCRIPTIONS_SELECTED', 'No subscriptions selected'])
})

test('rejects hostile input and changes nothing', async () => {
  const levels = [...notIntegers, 0, 1_000_001].map((level) => [1, level])
  const hostile = {
    levels: [...levels, 1, 'x', null, {}, true, Array.from({ length: 1001 }, () => 1)],
    forceDelete: notFlags,
  }
  await expectAllRejected(
    app,
    owner.visitor,
    '/subscriptions/bulk-delete',
    hostileBodies({ levels: [1], forceDelete: true }, hostile),
  )
})
