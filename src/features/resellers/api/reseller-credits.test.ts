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
