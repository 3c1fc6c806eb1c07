import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { standardPlans } from '#features/plans/plans.rules.ts'
import { planReply } from '#features/plans/plans.reply.ts'
import { databaseDigest } from '#testing/database-digest.ts'
import { newAdmin, newOwner, type Owner, setPlan, verifyAgain } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Administration of plans. */

let app: TestApp
let admin: Owner

beforeAll(async () => {
  app = await startTestApp()
  admin = await newAdmin(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  app.advance(61)
  await verifyAgain(admin)
})

const list = async () => (await admin.visitor.call('GET /admin/plans')).body.plans
const create = (body: object) => admin.visitor.send('POST', '/api/1.0/website/admin/plans', { body })
const update = (id: string, body: object) => admin.visitor.send('PUT', `/api/1.0/website/admin/plans/${id}`, { body })
const remove = (id: string) => admin.visitor.call('DELETE /admin/plans/{id}', { params: { id } })

test('a new plan has the specified defaults and every feature off; both calls return all plans', async () => {
  const { body } = await create({ name: 'Gold', displayName: 'Gold plan' })
  expect(body.message).toBe('Plan created successfully')
  const gold = (await list()).find(({ name }) => name === 'Gold')
  expect(gold).toMatchObject({
    displayName: 'Gold plan',
    price: 0,
    order: 0,
    active: true,
    limits: {
      max_apps: 1,
      max_users_per_app: 10,
      max_licenses_per_app: 25,
      max_variables_per_app: 3,
      max_storage_mb: 2,
    },
  })
  expect(Object.values(gold?.features ?? {})).toEqual(Array(7).fill(false))
  expect(body['plans']).toEqual(await list())
})

test('a plan created again with the same Idempotency-Key is one plan, and the reply is the first one', async () => {
  const body = { name: 'Once', displayName: 'Once' }
  const repeat = () =>
    admin.visitor.call('POST /admin/plans', { body, headers: { 'idempotency-key': 'the-same-plan' } })
  const first = await repeat()
  expect(first.body.code).toBe('PLAN_CREATE_OK')
  expect((await repeat()).body).toEqual(first.body)
  expect((await create(body)).body.code).toBe('PLAN_NAME_TAKEN')
})

test.each([
  [{ name: '', displayName: 'X' }, 'PLAN_NAME_REQUIRED', 'name'],
  [{ name: 'has space', displayName: 'X' }, 'PLAN_NAME_INVALID', 'name'],
  [{ name: 'Unlimited', displayName: 'X' }, 'PLAN_NAME_TAKEN', 'name'],
  [{ name: 'Free', displayName: 'X' }, 'PLAN_NAME_TAKEN', 'name'],
  [{ name: 'New', displayName: '  ' }, 'PLAN_DISPLAY_NAME_REQUIRED', 'displayName'],
  [{ name: 'New', displayName: 'X', limits: { max_apps: -2 } }, 'NUMBER_TOO_SMALL', undefined],
  [{ name: 'New', displayName: 'X', limits: { max_storage_mb: 0 } }, 'NUMBER_TOO_SMALL', undefined],
  [{ name: 'New', displayName: 'X', limits: { max_storage_mb: -1 } }, 'NUMBER_TOO_SMALL', undefined],
  [{ name: 'New', displayName: 'X', price: -0.01 }, 'NUMBER_TOO_SMALL', undefined],
  [{ name: 'New', displayName: 'X', features: { everything: true } }, 'FIELD_UNKNOWN', undefined],
])('rejects %j with %s and creates nothing', async (body, code, field) => {
  const before = await databaseDigest(app.db)
  const answer = await create(body)
  expect(answer.body.code).toBe(code)
  if (field) expect(answer.body['field']).toBe(field)
  expect(await databaseDigest(app.db)).toBe(before)
})

test("an edit changes only the fields sent, never the name, and applies to the plan's owners at once", async () => {
  await create({ name: 'Edited', displayName: 'Edited', limits: { max_apps: 0 } })
  const owner = await newOwner(app)
  await setPlan(app, owner.id, 'Edited')
  const make = () => owner.visitor.call('POST /create_app', { body: { appName: 'An app' } })
  expect((await make()).body.code).toBe('APP_LIMIT_REACHED')
  const answer = await update('Edited', { name: 'Renamed', price: 4.99, limits: { max_apps: 2 } })
  expect(answer.body.message).toBe('Plan updated successfully')
  expect((await make()).status).toBe(200)
  const edited = (await list()).find(({ name }) => name === 'Edited')
  expect(edited).toMatchObject({ price: 4.99, limits: { max_apps: 2, max_users_per_app: 10 } })
  expect((await list()).some(({ name }) => name === 'Renamed')).toBe(false)
})

test('of two simultaneous edits of a limit the later one gets FIELD_CHANGED; another limit is no conflict', async () => {
  await create({ name: 'Shared', displayName: 'Shared' })
  const seen = { limits: { max_apps: 1 } }
  await update('Shared', { limits: { max_apps: 7 }, before: seen })
  const late = await update('Shared', { limits: { max_apps: 9 }, before: seen })
  expect(late.body).toMatchObject({ code: 'FIELD_CHANGED', current: { max_apps: 7 } })
  const other = await update('Shared', {
    limits: { max_users_per_app: 9 },
    before: { limits: { max_users_per_app: 10 } },
  })
  expect(other.status).toBe(200)
})

test('when a plan is deleted, its owners get Free', async () => {
  await create({ name: 'Short', displayName: 'Short', features: { webhooks: true } })
  const owner = await newOwner(app)
  await setPlan(app, owner.id, 'Short')
  expect((await remove('Short')).body.message).toBe('Plan deleted successfully')
  expect((await owner.visitor.call('GET /profile/plan-usage')).body.plan_type).toBe('Free')
  expect((await remove('Short')).body.code).toBe('PLAN_NOT_FOUND')
  expect((await update('Short', { price: 1 })).body.code).toBe('PLAN_NOT_FOUND')
})

test('a new plan with the name of a deleted one goes to nobody', async () => {
  const form = { name: 'Again', displayName: 'Again', features: { webhooks: true } }
  const planOf = async ({ visitor }: Owner) => (await visitor.call('GET /profile/plan-usage')).body.plan_type
  const [before, restored, until] = [await newOwner(app), await newOwner(app), app.now() + 86_400]
  await create(form)
  await setPlan(app, before.id, 'Again', until)
  await remove('Again')
  // As left by a backup or an older version.
  await setPlan(app, restored.id, 'Again')
  expect((await create(form)).status).toBe(200)
  expect([await planOf(before), await planOf(restored)]).toEqual(['Free', 'Free'])
  await setPlan(app, before.id, 'Again')
  await create(form)
  expect(await planOf(before)).toBe('Again')
})

test('the plan of new owners can be deleted only after another one is set, also when both happen at once', async () => {
  const { defaultPlan } = (await app.services.settings.current()).platform
  const choose = (plan: string) =>
    admin.visitor.call('POST /admin/settings/platform', { body: { settings: { defaultPlan: plan } } })
  await create({ name: 'Starter', displayName: 'Starter' })
  expect((await choose('Starter')).status).toBe(200)
  const before = await databaseDigest(app.db)
  expect(await remove('Starter')).toMatchObject({
    status: 409,
    body: {
      code: 'PLAN_IS_DEFAULT',
      message: 'New owners get this plan. Choose another default plan in System Settings first',
    },
  })
  expect(await databaseDigest(app.db)).toBe(before)
  expect((await choose(defaultPlan)).status).toBe(200)
  expect((await remove('Starter')).status).toBe(200)

  for (let round = 0; round < 4; round++) {
    await create({ name: 'Raced', displayName: 'Raced' })
    const [chosen, removed] = await Promise.all([choose('Raced'), remove('Raced')])
    expect([chosen.body.code, removed.body.code]).toEqual(
      chosen.status === 200 ? ['PLATFORM_SETTINGS_OK', 'PLAN_IS_DEFAULT'] : ['DEFAULT_PLAN_UNKNOWN', 'PLAN_DELETE_OK'],
    )
    await choose(defaultPlan)
    await remove('Raced')
  }
})

test('the default plans are created only while there are no plans, once, even by simultaneous calls', async () => {
  const init = () => admin.visitor.call('POST /admin/init-plans')
  expect((await init()).body.code).toBe('PLANS_EXIST')
  for (const { name } of await list()) await remove(name)
  expect(await list()).toEqual([])
  const answers = await Promise.all([init(), init(), init()])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await list()).toEqual(standardPlans.map(planReply))
})

test('after Free was deleted, its owners are counted, and owners can get it', async () => {
  const owner = await newOwner(app, 'free_after_all', { plan: 'Free' })
  expect((await remove('Free')).status).toBe(200)
  const { stats } = (await admin.visitor.call('GET /admin/stats')).body
  const free = stats.plans.find(({ name }) => name === 'Free')
  expect(free).toMatchObject({ displayName: 'Free' })
  expect(free?.count).toBeGreaterThan(0)
  expect(stats.plans.reduce((sum, { count }) => sum + count, 0)).toBe(stats.totals.owners)
  const plan = (planType: string) =>
    admin.visitor.call('POST /admin/owners/{id}/plan', { params: { id: owner.id }, body: { planType } })
  const paid = await plan('Pro')
  expect(paid.body).toMatchObject({ previous: { planType: 'Free' } })
  expect((await plan('Free')).status).toBe(200)
})
