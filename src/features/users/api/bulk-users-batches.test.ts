import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Calls } from '#contract/calls.ts'
import { day, newSubscriber, newUser, timeLeft, userOf } from '#testing/people/end-users.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

type Body = Calls['POST /users/bulk']['body']
const bulk = (owner: OwnedApp, body: Body, key?: string) =>
  owner.visitor.call('POST /users/bulk', { body, ...(key && { headers: { 'idempotency-key': key } }) })

async function ownerOfFive() {
  const owner = await newOwnerWithApp(app)
  const names: string[] = []
  for (let each = 0; each < 5; each++) names.push(await newSubscriber(owner))
  return { owner, names }
}

test.each([
  { maxRows: 0 },
  { maxRows: -1 },
  { maxRows: 1.5 },
  { maxRows: 100_001 },
  { after: 0 },
  { after: -4 },
  { after: '1x' },
])('rejects %o and changes nothing', async (batch) => {
  const { owner, names } = await ownerOfFive()
  const wrong = { action: 'ban', filter: {}, expectedCount: 5, ...batch } as Body
  expect((await bulk(owner, wrong)).status).toBe(400)
  expect(await userOf(owner, names[0] as string)).toMatchObject({ banned: false })
})

test('scans a filter in batches, counting only at the start', async () => {
  const { owner, names } = await ownerOfFive()
  const first = await bulk(owner, { action: 'ban', filter: { status: 'active' }, expectedCount: 5, maxRows: 2 })
  expect(first.body).toMatchObject({ done: 2, failed: 0, next: expect.any(Number) })
  expect(first.body.results.map(({ name }) => name)).toEqual(names.slice(0, 2))
  const rest = { action: 'ban', filter: { status: 'active' }, expectedCount: 5, maxRows: 2 } as const
  const second = await bulk(owner, { ...rest, after: first.body.next as number })
  expect(second.body.results.map(({ name }) => name)).toEqual(names.slice(2, 4))
  const third = await bulk(owner, { ...rest, after: second.body.next as number })
  expect(third.body).toMatchObject({ done: 1, next: null })
  expect((await bulk(owner, { ...rest, after: third.body.next ?? 1 })).body.done).toBe(0)
})

test('a position in another owner’s list reveals and changes nothing', async () => {
  const { owner } = await ownerOfFive()
  const { owner: stranger, names } = await ownerOfFive()
  const { body } = await bulk(owner, { action: 'ban', filter: {}, expectedCount: 5, maxRows: 1 })
  const tried = await bulk(stranger, { action: 'delete', filter: { status: 'banned' }, after: body.next as number })
  expect(tried.body).toMatchObject({ done: 0, results: [], next: null })
  expect(await userOf(stranger, names[0] as string)).toBeDefined()
})

test('the same Idempotency-Key adds time once, also for simultaneous calls', async () => {
  const { owner, names } = await ownerOfFive()
  const body = { action: 'extend', usernames: names, subscription: 1, duration: 10, unit: 'days' } as const
  const replies = await Promise.all([1, 2, 3].map(() => bulk(owner, body, 'a-key-of-this-test')))
  for (const reply of replies) expect(reply.body).toMatchObject({ done: 5, failed: 0, next: null })
  expect(await timeLeft(owner, names[0] as string)).toBeLessThanOrEqual(40 * day)
  const other = await bulk(owner, { ...body, duration: 11 }, 'a-key-of-this-test')
  expect(other).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } })
})

test('a filter batch whose reply was lost adds its time once, and the next one continues after it', async () => {
  const { owner, names } = await ownerOfFive()
  const filter = { filter: {}, expectedCount: 5, maxRows: 3 }
  const body = { action: 'extend', ...filter, subscription: 1, duration: 10, unit: 'days' } as const
  const [first, second] = [await bulk(owner, body, 'first-batch'), await bulk(owner, body, 'first-batch')]
  expect(second.body).toEqual(first.body)
  const { next, undoId } = first.body
  const last = await bulk(owner, { ...body, after: next as number, undoId: undoId as string }, 'second-batch')
  expect(last.body).toMatchObject({ done: 2, failed: 0, next: null, undoId })
  for (const name of names) {
    const left = Number(await timeLeft(owner, name))
    expect([left > 39 * day, left <= 40 * day]).toEqual([true, true])
  }
})

test.each([
  ['POST /delete_all_users', 'deleted'],
  ['POST /delete_expired_users', 'deleted'],
] as const)('%s runs in batches too', async (call, counted) => {
  const owner = await newOwnerWithApp(app)
  for (let each = 0; each < 3; each++) await newUser(owner)
  const first = await owner.visitor.call(call, { body: { expectedCount: 3, maxRows: 2 } })
  expect(first.body).toMatchObject({ [counted]: 2, next: expect.any(Number) })
  const rest = await owner.visitor.call(call, {
    body: { expectedCount: 3, maxRows: 2, after: first.body.next as number },
  })
  expect(rest.body).toMatchObject({ [counted]: 1, next: null })
})
