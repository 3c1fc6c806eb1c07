import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyLedger } from '#features/resellers/verify-ledger.ts'
import type { OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { newSellingReseller, type SellingReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Any sequence of actions gives the credits of a small in-memory model (R-LED-01, R-LED-02, R-LED-04, R-LED-05). */

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

type Step =
  | { action: 'sell'; plan: string; amount: number }
  | { action: 'price'; plan: string; cost: number }
  | { action: 'add' | 'set'; amount: number }
  | { action: 'redeem' | 'refund'; which: number }
  | { action: 'owner-delete'; which: number; refund: boolean }
  | { action: 'owner-delete-all'; refund: boolean }
  | { action: 'restore'; which: number }
  | { action: 'remove-app' }

const plan = fc.constantFrom('7', '30')
const which = fc.nat(20)
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ action: fc.constant('sell' as const), plan, amount: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ action: fc.constant('price' as const), plan, cost: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ action: fc.constantFrom('add' as const, 'set' as const), amount: fc.nat(40) }) },
  { weight: 3, arbitrary: fc.record({ action: fc.constantFrom('redeem' as const, 'refund' as const), which }) },
  { weight: 2, arbitrary: fc.record({ action: fc.constant('owner-delete' as const), which, refund: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ action: fc.constant('owner-delete-all' as const), refund: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ action: fc.constant('restore' as const), which }) },
  { weight: 1, arbitrary: fc.record({ action: fc.constant('remove-app' as const) }) },
)

interface ModelLicense {
  key: string
  paid: number
  used: boolean
}

class Model {
  credits = 20
  readonly costs: Record<string, number> = { '7': 2, '30': 5 }
  licenses: ModelLicense[] = []
  bin: (ModelLicense & { refunded: boolean })[] = []

  delete(license: ModelLicense, refund: boolean): void {
    const refunded = refund && !license.used
    if (refunded) this.credits += license.paid
    this.licenses = this.licenses.filter((each) => each !== license)
    this.bin.push({ ...license, refunded })
  }
}

const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status

const binOf = async ({ visitor }: OwnedApp) => {
  const { body } = await visitor.call('GET /bin', { query: { kind: 'license', limit: 100 } })
  return body.items
}

/** Applies an action to both the server and the model, and compares the results. */
async function carryOut(reseller: SellingReseller, model: Model, step: Step): Promise<void> {
  const { owner, visitor, id, appName } = reseller
  const params = { id }
  const license = 'which' in step ? model.licenses[step.which % Math.max(1, model.licenses.length)] : undefined
  switch (step.action) {
    case 'sell': {
      const price = model.costs[step.plan] as number
      const { status, body } = await reseller.sell({ plan: step.plan, amount: step.amount })
      const isEnough = price * step.amount <= model.credits
      expect(status).toBe(isEnough ? 200 : 409)
      if (!isEnough) return
      model.credits -= price * step.amount
      const { licenses } = body as unknown as { licenses: string[] }
      model.licenses.push(...licenses.map((key) => ({ key, paid: price, used: false })))
      return
    }
    case 'price': {
      model.costs[step.plan] = step.cost
      const input = { params: { id, app: appName }, body: { planCosts: model.costs } }
      expect(await statusOf(owner.visitor.call('PUT /resellers/{id}/apps/{app}', input))).toBe(200)
      return
    }
    case 'add':
    case 'set': {
      const body = { appName, amount: step.amount }
      const isValid = step.action === 'set' || step.amount > 0
      const call = step.action === 'add' ? 'POST /resellers/{id}/credits/add' : 'POST /resellers/{id}/credits/set'
      expect(await statusOf(owner.visitor.call(call, { params, body }))).toBe(isValid ? 200 : 400)
      if (isValid) model.credits = step.amount + (step.action === 'add' ? model.credits : 0)
      return
    }
    case 'redeem': {
      if (!license) return
      const program = await Program.of(app, owner)
      await program.init()
      const { body } = await program.license(license.key)
      expect(body.success).toBe(true)
      license.used = true
      return
    }
    case 'refund': {
      if (!license) return
      const input = { params: { id: license.key }, query: { appName } }
      expect(await statusOf(visitor.call('DELETE /reseller/licenses/{id}', input))).toBe(license.used ? 409 : 200)
      if (!license.used) model.delete(license, true)
      return
    }
    case 'owner-delete': {
      if (!license) return
      const body = { licenseKey: license.key, refundCredits: step.refund }
      expect(await statusOf(owner.visitor.call('POST /delete_license', { body }))).toBe(200)
      model.delete(license, step.refund)
      return
    }
    case 'owner-delete-all': {
      if (model.licenses.length === 0) return
      const licenses = model.licenses.map(({ key }) => key)
      const body = { action: 'delete' as const, licenses, refundCredits: step.refund }
      expect(await statusOf(owner.visitor.call('POST /licenses/bulk', { body }))).toBe(200)
      for (const each of model.licenses) model.delete(each, step.refund)
      return
    }
    case 'restore': {
      const deleted = model.bin[step.which % Math.max(1, model.bin.length)]
      if (!deleted) return
      const items = await binOf(owner)
      const body = { ids: items.filter(({ name }) => name === deleted.key).map(({ id }) => id) }
      const isPaid = !deleted.refunded || deleted.paid <= model.credits
      expect(await statusOf(owner.visitor.call('POST /bin/restore', { body }))).toBe(isPaid ? 200 : 409)
      if (!isPaid) return
      if (deleted.refunded) model.credits -= deleted.paid
      model.bin = model.bin.filter((each) => each !== deleted)
      model.licenses.push({ key: deleted.key, paid: deleted.paid, used: deleted.used })
      return
    }
    case 'remove-app': {
      const input = { params: { id, app: appName }, body: {} }
      expect(await statusOf(owner.visitor.call('DELETE /resellers/{id}/apps/{app}', input))).toBe(200)
      const body = { appName, allowedPlans: ['7', '30'], planCosts: model.costs }
      expect(await statusOf(owner.visitor.call('POST /resellers/{id}/apps', { params, body }))).toBe(200)
      model.credits = 0
    }
  }
}

type Rival = { action: 'sell' | 'refund' | 'delete' | 'forfeit' | 'delete-all' | 'restore' | 'redeem'; which: number }

const rivals: fc.Arbitrary<Rival> = fc.record({
  action: fc.constantFrom('sell', 'refund', 'delete', 'forfeit', 'delete-all', 'restore', 'redeem'),
  which,
})

/** One of several actions at once on the same few licenses: each succeeds or is rejected, whichever comes first. */
async function compete(reseller: SellingReseller, { action, which }: Rival): Promise<void> {
  const { owner, visitor, appName } = reseller
  const { body: list } = await owner.visitor.call('GET /licenses', { query: { limit: 100 } })
  const keys = list.licenses.map(({ license }) => license)
  const key = keys[which % Math.max(1, keys.length)] ?? ''
  const remove = { licenseKey: key, refundCredits: action !== 'forfeit' }
  const answers: Record<Rival['action'], () => Promise<{ status: number }>> = {
    sell: () => reseller.sell({ plan: which % 2 === 0 ? '7' : '30', amount: 1 + (which % 3) }),
    refund: () => visitor.call('DELETE /reseller/licenses/{id}', { params: { id: key }, query: { appName } }),
    delete: () => owner.visitor.call('POST /delete_license', { body: remove }),
    forfeit: () => owner.visitor.call('POST /delete_license', { body: remove }),
    'delete-all': () => owner.visitor.call('POST /licenses/bulk', { body: { action: 'delete', licenses: keys } }),
    restore: async () =>
      owner.visitor.call('POST /bin/restore', { body: { ids: (await binOf(owner)).map(({ id }) => id) } }),
    redeem: async () => {
      const program = await Program.of(app, owner)
      await program.init()
      return program.license(key)
    },
  }
  if (key === '' && action !== 'sell' && action !== 'restore') return
  expect((await answers[action]()).status, action).toBeLessThan(500)
}

/** What the licenses of a reseller have cost that exist, or lie in the bin without a refund. */
async function creditsGone({ owner: { appId } }: SellingReseller): Promise<number> {
  const [licenses, items] = await Promise.all([
    app.db.read.selectFrom('licenses').select(['license', 'price']).where('app_id', '=', appId).execute(),
    app.db.read.selectFrom('bin_items').select(['name', 'content']).where('app_id', '=', appId).execute(),
  ])
  const deleted = items
    .map(({ content }) => JSON.parse(content) as { license?: { price: number }; refunded?: boolean })
    .filter(({ license, refunded }) => license && !refunded)
  const prices = [...licenses.map(({ price }) => price), ...deleted.map(({ license }) => license?.price)]
  return prices.reduce((sum: number, price) => sum + Number(price ?? 0), 0)
}

test('random actions at once lose, double, and invent no credit (R-LED-01)', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(rivals, { minLength: 2, maxLength: 6 }), { minLength: 2, maxLength: 4 }),
      async (rounds) => {
        app.advance(3600)
        const credits = 30
        const reseller = await newSellingReseller(app, { credits })
        await reseller.sell({ plan: '7', amount: 3 })
        for (const round of rounds) {
          await Promise.all(round.map((rival) => compete(reseller, rival)))
          expect(await reseller.credits(), JSON.stringify(round)).toBe(credits - (await creditsGone(reseller)))
          expect(await verifyLedger(app.db)).toEqual([])
        }
      },
    ),
    { numRuns: 8 },
  )
})

test('random actions leave what the model says (R-LED-01)', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 20 }), async (sequence) => {
      app.advance(3600)
      const reseller = await newSellingReseller(app, { credits: 20 })
      const model = new Model()
      for (const step of sequence) {
        await carryOut(reseller, model, step)
        expect(await reseller.credits(), JSON.stringify(step)).toBe(model.credits)
      }
      expect(await verifyLedger(app.db)).toEqual([])
    }),
    { numRuns: 15 },
  )
})
