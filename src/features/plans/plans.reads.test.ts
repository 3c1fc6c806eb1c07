import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOwner, setPlan } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { requirePlanFeature } from './plans.actions.ts'
import { listPlans, planInForce, planOfAccount } from './plans.reads.ts'
import { freePlan, standardPlans, unlimitedPlan } from './plans.rules.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const forEver = (plan: string) => ({ plan, plan_expires_at: null })

test('a new database has the plans of the upgrade dialog, as Initialize creates them', async () => {
  expect(await listPlans(app.db.read)).toEqual(standardPlans)
})

test("an account with a plan that doesn't exist, under any name, has Free", async () => {
  for (const plan of ['Gold', '', 'free', 'constructor', '__proto__', 'toString']) {
    expect((await planInForce(app.db.read, forEver(plan), app.now())).name).toBe('Free')
  }
})

test('Free is the stored plan of that name; without a row, it is the standard one', async () => {
  const change = (maxApps: number) =>
    app.db.write(({ db }) => db.updateTable('plans').set({ max_apps: maxApps }).where('name', '=', 'Free').execute())
  await change(7)
  expect((await planInForce(app.db.read, forEver('Gold'), app.now())).limits.apps).toBe(7)
  await change(1)
  const row = await app.db.read.selectFrom('plans').selectAll().where('name', '=', 'Free').executeTakeFirstOrThrow()
  await app.db.write(({ db }) => db.deleteFrom('plans').where('name', '=', 'Free').execute())
  expect(await planInForce(app.db.read, forEver('Free'), app.now())).toEqual(freePlan)
  await app.db.write(({ db }) => db.insertInto('plans').values(row).execute())
})

test("a row with the name of the platform’s own plan doesn't replace it", async () => {
  expect(await planInForce(app.db.read, forEver('Unlimited'), app.now())).toBe(unlimitedPlan)
})

test('an expired plan becomes Free in the same second, including its features', async () => {
  const owner = await newOwner(app)
  await setPlan(app, owner.id, 'Pro', app.now() + 60)
  const use = () => requirePlanFeature(app.db.read, { ownerId: owner.id, feature: 'webhooks', now: app.now() })
  await expect(use()).resolves.toBeUndefined()
  app.advance(60)
  await expect(use()).rejects.toMatchObject({ code: 'PLAN_FEATURE_MISSING', status: 403 })
  expect((await planOfAccount(app.db.read, owner.id, app.now())).name).toBe('Free')
})
