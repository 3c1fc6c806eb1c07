import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertTransfers } from '#features/credits/credits.writes.ts'
import { maxBalance } from '#features/credits/credits.rules.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('credits of one app can be added and set, and the history has the level', async () => {
  const { owner, id, appName } = await newSellingReseller(app)
  const body = { appName, amount: 5, subscriptionLevel: 1 }
  const { body: added } = await owner.visitor.call('POST /resellers/{id}/credits/add', { params: { id }, body })
  expect(added).toMatchObject({ credits: 105, totalCredits: 105 })
  const { history } = (await owner.visitor.call('GET /resellers/{id}/credits/history', { params: { id } })).body
  expect(history[0]).toMatchObject({ transactionType: 'addition', amount: 5, subscriptionLevel: 1, appName })
})

test('a balance has a limit, so sums of it stay exact', async () => {
  const { owner, id, appName, credits } = await newSellingReseller(app, { credits: 0 })
  const transfer = {
    idempotency_key: 'nearly full',
    kind: 'addition' as const,
    debit: 'source' as const,
    credit: 'balance' as const,
    amount: maxBalance - 10,
    license_id: null,
    description: '',
    level: null,
    created_at: app.now(),
  }
  await app.db.write(({ db }) => insertTransfers(db, { appId: owner.appId, resellerId: id }, [transfer]))
  const add = (amount: number) =>
    owner.visitor.call('POST /resellers/{id}/credits/add', { params: { id }, body: { appName, amount } })
  const { status, body } = await add(11)
  expect([status, body.code, await credits()]).toEqual([400, 'CREDITS_TOO_MANY', maxBalance - 10])
  expect((await add(10)).body).toMatchObject({ credits: maxBalance })
})

test.each([
  ['add', 0, 'NUMBER_TOO_SMALL', 'amount must be at least 1'],
  ['add', -5, 'NUMBER_TOO_SMALL', 'amount must be at least 1'],
  ['set', -1, 'NUMBER_TOO_SMALL', 'amount must be at least 0'],
  ['add', 1_000_000_001, 'NUMBER_TOO_LARGE', 'amount can be at most 1000000000'],
  ['add', 1.5, 'CREDITS_INVALID', 'Credits must be a whole number'],
  ['set', '5', 'CREDITS_INVALID', 'Credits must be a whole number'],
  ['set', undefined, 'CREDITS_INVALID', 'Credits must be a whole number'],
])('to %s %s credits is rejected with the reason', async (action, amount, code, message) => {
  const { owner, id, appName, credits } = await newSellingReseller(app)
  const path = `/api/1.0/website/resellers/${id}/credits/${action}`
  const { status, body } = await owner.visitor.send('POST', path, { body: { appName, amount } })
  expect([status, body]).toMatchObject([400, { code, message, field: 'amount' }])
  expect(await credits()).toBe(100)
})
