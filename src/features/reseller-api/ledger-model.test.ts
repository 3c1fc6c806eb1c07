import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyLedger } from '#features/resellers/verify-ledger.ts'
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
  { weight: 1, arbitrary: fc.record({ action: fc.constant('remove-app' as const) }) },
)

class Model {
  credits = 20
  readonly costs: Record<string, number> = { '7': 2, '30': 5 }
  licenses: { key: string; paid: number; used: boolean }[] = []
}

const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status

/** Applies an action to both the server and the model, and compares the results. */
async function carryOut(reseller: SellingReseller, model: Model, step: Step): Promise<void> {
  const { owner, visitor, id, appName } = reseller
  const params = { id }
  const license = 'which' in step ? model.licenses[step.which % Math.max(1, model.licenses.length)] : undefined
  const forget = () => void (model.licenses = model.licenses.filter((each) => each !== license))
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
      if (license.used) return
      model.credits += license.paid
      forget()
      return
    }
    case 'owner-delete': {
      if (!license) return
      const body = { licenseKey: license.key, refundCredits: step.refund }
      expect(await statusOf(owner.visitor.call('POST /delete_license', { body }))).toBe(200)
      if (step.refund && !license.used) model.credits += license.paid
      forget()
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
