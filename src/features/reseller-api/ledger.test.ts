import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { verifyLedger } from '#features/resellers/verify-ledger.ts'
import { Program } from '#testing/people/program.ts'
import { setPlan } from '#testing/people/people.ts'
import { newSellingReseller, type SellingReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
/** Every test fails if the ledger does not add up afterward. */
afterEach(async () => {
  const problems = await verifyLedger(app.db)
  if (problems.length > 0) throw new Error(JSON.stringify(problems))
})

const keysOf = ({ body }: { body: object }) => (body as { licenses: string[] }).licenses
const countOf = async ({ visitor, appName }: SellingReseller) =>
  (await visitor.call('GET /reseller/licenses', { query: { appName } })).body.total
const remove = ({ visitor, appName }: SellingReseller, id: string) =>
  visitor.call('DELETE /reseller/licenses/{id}', { params: { id }, query: { appName } })
const history = async ({ visitor, appName }: SellingReseller) =>
  (await visitor.call('GET /reseller/credits/history', { query: { appName } })).body.history
const redeem = async ({ owner }: SellingReseller, key: string) => {
  const program = await Program.of(app, owner)
  await program.init()
  return program.license(key)
}

describe('selling', () => {
  test('charges the price in the same transaction (R-LED-02)', async () => {
    const reseller = await newSellingReseller(app)
    const sold = await reseller.sell({ amount: 3 })
    expect(sold.body).toMatchObject({ success: true, creditInfo: { remainingCredits: 85, cost: 15 } })
    expect(keysOf(sold)).toHaveLength(3)
    expect(await reseller.credits()).toBe(85)
    expect((await history(reseller)).map(({ transactionType, amount }) => [transactionType, amount])).toEqual([
      ['deduction', -15],
      ['set', 100],
    ])
  })

  test('50 parallel creations with credit for 10 create exactly 10 and leave a balance of 0 (R-LED-01)', async () => {
    const reseller = await newSellingReseller(app, { credits: 50 })
    const answers = await Promise.all(Array.from({ length: 50 }, () => reseller.sell()))
    const statuses = Map.groupBy(answers, ({ status }) => status)
    expect([...statuses].map(([status, all]) => [status, all.length]).toSorted()).toEqual([
      [200, 10],
      [409, 40],
    ])
    expect([await reseller.credits(), await countOf(reseller)]).toEqual([0, 10])
  })

  test('a repeated call with the same Idempotency-Key sells once (R-LED-07)', async () => {
    const reseller = await newSellingReseller(app)
    const key = { 'idempotency-key': 'sale-number-one' }
    const answers = await Promise.all(Array.from({ length: 8 }, () => reseller.sell({ amount: 2 }, key)))
    expect(new Set(answers.map((answer) => keysOf(answer).join()))).toHaveProperty('size', 1)
    expect([await reseller.credits(), await countOf(reseller)]).toEqual([90, 2])
    expect((await reseller.sell({ amount: 3 }, key)).status).toBe(422)
  })

  test("a plan without a cost isn't for sale; one with a saved cost of 0 is free", async () => {
    const reseller = await newSellingReseller(app, { planCosts: { '30': 5 } })
    const { owner, id, appName } = reseller
    const configure = (body: object) =>
      owner.visitor.send('PUT', `/api/1.0/website/resellers/${id}/apps/${appName}`, { body })
    expect((await configure({ allowedPlans: ['7', '30'] })).status).toBe(200)
    const { status, body } = await reseller.sell({ plan: '7', amount: 1000 })
    expect([status, body.code]).toEqual([403, 'PLAN_WITHOUT_COST'])
    expect([await reseller.credits(), await countOf(reseller)]).toEqual([100, 0])
    await configure({ planCosts: { '7': 0, '30': 5 } })
    expect((await reseller.sell({ plan: '7', amount: 2 })).body).toMatchObject({ creditInfo: { cost: 0 } })
    expect([await reseller.credits(), await countOf(reseller)]).toEqual([100, 2])
  })

  test('a sale that expects another cost is rejected with the new one, and charges nothing', async () => {
    const reseller = await newSellingReseller(app, { planCosts: { '30': 5 } })
    const { owner, id, appName } = reseller
    const path = `/api/1.0/website/resellers/${id}/apps/${appName}`
    await owner.visitor.send('PUT', path, { body: { planCosts: { '30': 9 } } })
    const { status, body } = await reseller.sell({ amount: 3, expectedCost: 15 })
    expect([status, body.code, body.message]).toEqual([
      409,
      'PRICE_CHANGED',
      'The price has changed: this now costs 27 credits. Please check again.',
    ])
    expect([await reseller.credits(), await countOf(reseller)]).toEqual([100, 0])
    expect((await reseller.sell({ amount: 3, expectedCost: 27 })).body).toMatchObject({ creditInfo: { cost: 27 } })
  })

  test("a paused subscription isn't for sale until it is active again", async () => {
    const reseller = await newSellingReseller(app)
    const toggle = () => reseller.owner.visitor.call('POST /toggle_subscription_status', { body: { level: 1 } })
    await toggle()
    expect((await reseller.sell()).body).toMatchObject({ code: 'LEVEL_PAUSED' })
    const { apps } = (await reseller.visitor.call('GET /reseller/apps')).body
    expect(apps[0]?.subscriptions).toEqual({ '1': { name: 'Basic', active: false } })
    await toggle()
    expect((await reseller.sell()).status).toBe(200)
  })

  test('a sale without a level uses level 1 if allowed, otherwise the first allowed level', async () => {
    const reseller = await newSellingReseller(app)
    const { owner, id, appName, visitor } = reseller
    for (const level of [2, 3])
      await owner.visitor.call('POST /create_subscription', { body: { level, name: `L${level}` } })
    const levelSold = async (allowedSubscriptions: number[]) => {
      const body = { allowedSubscriptions }
      const saved = await owner.visitor.call('PUT /resellers/{id}/apps/{app}', { params: { id, app: appName }, body })
      expect(saved.status).toBe(200)
      const [key = ''] = keysOf(await reseller.sell())
      const { licenses } = (await visitor.call('GET /reseller/licenses', { query: { appName, search: key } })).body
      return licenses[0]?.subscription.level
    }
    expect([await levelSold([]), await levelSold([3, 1]), await levelSold([3, 2])]).toEqual([1, 1, 2])
  })

  test("a reseller who reaches the limit of the owner's plan is told whose limit it is", async () => {
    const reseller = await newSellingReseller(app, { credits: 1000 })
    await setPlan(app, reseller.owner.id, 'Free')
    const { status, body } = await reseller.sell({ amount: 26 })
    expect([status, body.code, body.message]).toEqual([
      403,
      'OWNER_LICENSE_LIMIT_REACHED',
      "Your administrator's plan allows 25 licenses per app. Ask your administrator to change it.",
    ])
    expect(await reseller.credits()).toBe(1000)
  })

  test('the history is paged back to the first transfer, for the reseller and the owner', async () => {
    const reseller = await newSellingReseller(app)
    for (let sale = 0; sale < 4; sale++) await reseller.sell()
    const { owner, visitor, id, appName } = reseller
    const pages = [
      (before?: number) => visitor.call('GET /reseller/credits/history', { query: { appName, limit: 2, before } }),
      (before?: number) =>
        owner.visitor.call('GET /resellers/{id}/credits/history', { params: { id }, query: { limit: 2, before } }),
    ]
    for (const pageOf of pages) {
      const amounts: number[][] = []
      for (let before: number | undefined, isLast = false; !isLast;) {
        const { history, next } = (await pageOf(before)).body
        amounts.push(history.map(({ amount }) => amount))
        isLast = next === null
        before = next ?? undefined
      }
      expect(amounts).toEqual([[-5, -5], [-5, -5], [100]])
    }
  })

  test('a sale above the balance creates nothing', async () => {
    const reseller = await newSellingReseller(app, { credits: 4 })
    const { status, body } = await reseller.sell()
    expect([status, body.code]).toEqual([409, 'CREDITS_MISSING'])
    expect([await reseller.credits(), await countOf(reseller)]).toEqual([4, 0])
  })

  test.each([0, -3, 1.5, '3', '1e3', 1001, null])('rejects the amount %j (R-LED-03)', async (amount) => {
    const reseller = await newSellingReseller(app)
    expect((await reseller.sell({ amount })).status).toBe(400)
    expect(await reseller.credits()).toBe(100)
  })
})

describe('a refund', () => {
  test('returns the price that was paid, once, whatever the cost is today (R-LED-04)', async () => {
    const reseller = await newSellingReseller(app)
    const [key = ''] = keysOf(await reseller.sell())
    const { owner, id, appName } = reseller
    await owner.visitor.call('PUT /resellers/{id}/apps/{app}', {
      params: { id, app: appName },
      body: { planCosts: { '30': 50 } },
    })
    const answers = await Promise.all(Array.from({ length: 6 }, () => remove(reseller, key)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404, 404])
    expect(await reseller.credits()).toBe(100)
    const refunds = (await history(reseller)).filter(({ transactionType }) => transactionType === 'refund')
    expect(refunds.map(({ amount }) => amount)).toEqual([5])
  })

  test('happens once, with the same reply, for a repeated call with the same Idempotency-Key (R-LED-07)', async () => {
    const reseller = await newSellingReseller(app)
    const [key = ''] = keysOf(await reseller.sell())
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        reseller.visitor.send('DELETE', `/api/1.0/website/reseller/licenses/${key}`, {
          query: { appName: reseller.appName },
          headers: { 'idempotency-key': `deletion-of-${key}` },
        }),
      ),
    )
    for (const { status, body } of answers)
      expect([status, body]).toMatchObject([200, { refunded: 5, remainingCredits: 100 }])
    expect(await reseller.credits()).toBe(100)
  })

  test('is rejected for a banned license', async () => {
    const reseller = await newSellingReseller(app)
    const [key = ''] = keysOf(await reseller.sell())
    const ban = () => reseller.owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: key } })
    expect((await ban()).status).toBe(200)
    expect((await remove(reseller, key)).body.code).toBe('LICENSE_IS_BANNED')
    expect([await reseller.credits(), await countOf(reseller)]).toEqual([95, 1])
    await ban()
    expect((await remove(reseller, key)).status).toBe(200)
    expect(await reseller.credits()).toBe(100)
  })

  test('is rejected for a redeemed license (R-LED-04)', async () => {
    const reseller = await newSellingReseller(app)
    const [key = ''] = keysOf(await reseller.sell())
    expect((await redeem(reseller, key)).body.success).toBe(true)
    expect((await remove(reseller, key)).body.code).toBe('LICENSE_REDEEMED')
    const deleted = await reseller.owner.visitor.call('POST /delete_license', { body: { licenseKey: key } })
    expect(deleted.status).toBe(200)
    expect(await reseller.credits()).toBe(95)
  })

  test('deletion and redemption at once end in one valid state (R-LIC-02)', async () => {
    const reseller = await newSellingReseller(app, { credits: 200 })
    const keys = keysOf(await reseller.sell({ amount: 20 }))
    let redeemed = 0
    for (const key of keys) {
      const [played, deleted] = await Promise.all([redeem(reseller, key), remove(reseller, key)])
      expect(played.body.success).not.toBe(deleted.status === 200)
      if (played.body.success) redeemed += 1
    }
    expect([await reseller.credits(), await countOf(reseller)]).toEqual([200 - redeemed * 5, redeemed])
  })

  test.each([
    ['POST /delete_license', (licenseKey: string) => ({ licenseKey })],
    ['POST /delete_unused_licenses', () => ({})],
    ['POST /delete_all_licenses', () => ({})],
    ['POST /licenses/bulk', (key: string) => ({ action: 'delete', licenses: [key] })],
  ] as const)("follows the owner's refundCredits: %s", async (call, bodyOf) => {
    for (const [flag, left] of [
      [{}, 100],
      [{ refundCredits: true }, 100],
      [{ refundCredits: false }, 95],
    ] as const) {
      const reseller = await newSellingReseller(app)
      const [key = ''] = keysOf(await reseller.sell())
      const [method, path] = call.split(' ') as [string, string]
      const body = { ...bodyOf(key), ...flag }
      const answer = await reseller.owner.visitor.send(method, `/api/1.0/website${path}`, { body })
      expect(answer.status).toBe(200)
      expect([await reseller.credits(), await countOf(reseller)]).toEqual([left, 0])
    }
  })

  test('also happens when the subscription is deleted with its licenses', async () => {
    const reseller = await newSellingReseller(app)
    await reseller.sell({ amount: 4 })
    await reseller.owner.visitor.call('POST /delete_subscription', { body: { level: 1, forceDelete: true } })
    expect([await reseller.credits(), await countOf(reseller)]).toEqual([100, 0])
  })
})

describe('the ledger', () => {
  test('transfers are never changed or deleted (R-LED-01)', async () => {
    await newSellingReseller(app)
    for (const statement of [
      sql`update credit_transfers set amount = amount + 1`,
      sql`delete from credit_transfers`,
      sql`update credit_accounts set balance = -1 where kind = 'balance'`,
    ])
      await expect(app.db.write(({ db: trx }) => statement.execute(trx))).rejects.toThrow(/never|constraint/i)
  })

  test('detects each kind of wrong balance (R-LED-01)', async () => {
    const reseller = await newSellingReseller(app)
    await reseller.sell()
    const spoil = (kind: string, by: number) =>
      app.db.write(({ db: trx }) =>
        sql`update credit_accounts set balance = balance + ${by}
          where reseller_id = ${reseller.id} and kind = ${kind}`.execute(trx),
      )
    for (const [kind, problems] of [
      ['balance', ['sum', 'transfers']],
      ['spent', ['spent', 'sum', 'transfers']],
    ] as const) {
      await spoil(kind, 7)
      expect((await verifyLedger(app.db)).map(({ problem }) => problem).toSorted()).toEqual(problems)
      await spoil(kind, -7)
    }
  })

  test('setting credits records the difference, adding records the amount (R-LED-05)', async () => {
    const { owner, id, appName, ...reseller } = await newSellingReseller(app)
    const move = (act: 'add' | 'set', amount: unknown) =>
      owner.visitor.send<{ credits: number }>('POST', `/api/1.0/website/resellers/${id}/credits/${act}`, {
        body: { appName, amount },
      })
    expect((await move('set', 60)).body.credits).toBe(60)
    expect((await move('set', 60)).body.credits).toBe(60)
    expect((await move('add', 5)).body.credits).toBe(65)
    const { body } = await owner.visitor.call('GET /resellers/{id}/credits/history', {
      params: { id },
      query: { appName },
    })
    expect(body.history.map(({ amount }) => amount)).toEqual([5, -40, 100])
    for (const amount of [-1, 1.5, '5', '1e3', 1_000_000_001, null, true])
      expect((await move('add', amount)).status).toBe(400)
    expect((await move('add', 0)).status).toBe(400)
    expect(await reseller.credits()).toBe(65)
  })

  test('each reseller has a separate account in each app (R-LED-08)', async () => {
    const one = await newSellingReseller(app)
    const other = await newSellingReseller(app, {}, one.owner)
    await Promise.all([one.sell(), other.sell({ amount: 2 })])
    expect([await one.credits(), await other.credits()]).toEqual([95, 90])
    const rows = await app.db.read
      .selectFrom('credit_accounts')
      .select(['reseller_id', 'kind'])
      .where('app_id', '=', one.owner.appId)
      .execute()
    expect(rows).toHaveLength(6)
  })

  test('all parallel changes count (R-LED-06)', async () => {
    const { owner, id, appName, ...reseller } = await newSellingReseller(app, { credits: 1000 })
    const add = () =>
      owner.visitor.call('POST /resellers/{id}/credits/add', { params: { id }, body: { appName, amount: 3 } })
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, number) => (number % 2 === 0 ? add() : reseller.sell())),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200))
    expect(await reseller.credits()).toBe(1000 + 15 * 3 - 15 * 5)
  })

  test('a balance set during sales is exactly that at one moment (R-LED-05, R-LED-06)', async () => {
    const { owner, id, appName, sell } = await newSellingReseller(app, { credits: 1000 })
    const params = { id }
    const set = (amount: number) =>
      owner.visitor.call('POST /resellers/{id}/credits/set', { params, body: { appName, amount } })
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, number) => [set((number + 1) * 1000), sell()]).flat(),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200))
    const rows = await app.db.read
      .selectFrom('credit_transfers')
      .select(['kind', 'debit', 'amount'])
      .where('reseller_id', '=', id)
      .orderBy('id')
      .execute()
    let balance = 0
    for (const { kind, debit, amount } of rows) {
      balance += debit === 'balance' ? -Number(amount) : Number(amount)
      // A sale costs 5; balances are set to multiples of 1000.
      if (kind === 'set') expect(balance % 1000).toBe(0)
    }
    expect(rows.length).toBeGreaterThanOrEqual(16)
  })

  test('unassigning an app returns its credits, and stops sales (R-LED-09)', async () => {
    const reseller = await newSellingReseller(app)
    const { owner, id, appName } = reseller
    const [key = ''] = keysOf(await reseller.sell())
    const params = { id, app: appName }
    const removed = await owner.visitor.call('DELETE /resellers/{id}/apps/{app}', { params, body: {} })
    expect(removed.body).toMatchObject({ success: true, message: 'App removed successfully', deletedLicenses: 0 })
    expect([(await reseller.sell()).status, (await remove(reseller, key)).status]).toEqual([404, 404])
    // The reseller's license still exists; when the owner deletes it, no one gets a refund.
    await owner.visitor.call('POST /delete_license', { body: { licenseKey: key } })
    await owner.visitor.call('POST /resellers/{id}/apps', { params: { id }, body: { appName, credits: 7 } })
    expect(await reseller.credits()).toBe(7)
    const { body } = await owner.visitor.call('GET /resellers/{id}/credits/history', { params: { id }, query: {} })
    expect(body.history.map(({ amount }) => amount)).toEqual([7, -95, -5, 100])
  })

  test('deleting a reseller deletes all its licenses and credits (R-LED-09)', async () => {
    const reseller = await newSellingReseller(app)
    await reseller.sell({ amount: 5 })
    const { owner, id } = reseller
    const deleted = await owner.visitor.call('DELETE /resellers/{id}', {
      params: { id },
      body: { deleteLicenses: true },
    })
    expect(deleted.body).toMatchObject({ success: true, deletedLicenses: 5 })
    expect((await owner.visitor.call('GET /licenses')).body.total).toBe(0)
    expect((await reseller.sell()).status).toBe(401)
  })

  test('the hourly check runs', async () => {
    app.advance(3600)
    await app.jobsDone()
    const job = await app.db.read.selectFrom('jobs').selectAll().where('kind', '=', 'verify-ledger').executeTakeFirst()
    expect(job).toMatchObject({ error: null, due_at: app.now() + 3600 })
  })
})
