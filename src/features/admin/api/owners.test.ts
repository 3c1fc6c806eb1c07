import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OwnerPlan } from '../admin.actions.ts'
import { removeErasedAccounts } from '#features/profile/profile.actions.ts'
import { newAdmin, newLicenses, newOwner, newOwnerWithApp, type Owner, setPlan } from '#testing/people/people.ts'
import { countRows } from '#testing/platform.ts'
import { Program } from '#testing/people/program.ts'
import { newSellingReseller, resellerPassword } from '#testing/people/resellers.ts'
import { newSeller } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Administration of owners. */

let app: TestApp
let admin: Owner

beforeAll(async () => {
  app = await startTestApp()
  admin = await newAdmin(app, 'the_admin')
})
afterAll(() => app.close())

const ban = (id: string, body?: { banned: boolean }) =>
  admin.visitor.call('POST /admin/owners/{id}/ban', { params: { id }, ...(body && { body }) })
const plan = (id: string, planType: string) =>
  admin.visitor.call('POST /admin/owners/{id}/plan', { params: { id }, body: { planType } })
const remove = (id: string) => admin.visitor.call('DELETE /admin/owners/{id}', { params: { id } })
const find = async (search: string) => (await admin.visitor.call('GET /admin/owners', { query: { search } })).body

test('the list shows owners with their plan and usage, and finds them by name, address, and ID', async () => {
  const owner = await newOwnerWithApp(app, undefined, { plan: 'Developer' })
  await newLicenses(owner, 3)
  const expected = {
    id: owner.id,
    ownerid: owner.id,
    username: owner.username,
    email: `${owner.username}@example.com`,
    role: 'owner',
    banned: false,
    createdDate: app.now(),
    subscriptionType: ['Developer'],
    planDisplayName: 'Developer',
    planExpiresAt: null,
    prioritySupport: false,
    stats: { apps: 1, users: 0, licenses: 3 },
  }
  for (const search of [owner.username, owner.id, `${owner.username.toUpperCase()}@EXAMPLE`]) {
    const { owners } = await find(search)
    expect(
      owners.find(({ id }) => id === owner.id),
      search,
    ).toEqual(expected)
  }
  expect((await find('100%_nobody')).owners).toEqual([])
  const page = await admin.visitor.call('GET /admin/owners', { query: { page: 1, limit: 1 } })
  expect(page.body).toMatchObject({ owners: [expect.anything()], totalPages: page.body.total })
})

test('a ban stops sessions, seller keys, and programs at once, and lifting it restores them on the next call', async () => {
  const owner = await newOwnerWithApp(app)
  const seller = await newSeller(app, owner)
  const program = await Program.of(app, owner)
  await program.init()
  expect((await ban(owner.id)).body).toMatchObject({ banned: true, message: 'Owner banned successfully' })

  expect((await owner.visitor.call('GET /apps')).status).toBe(401)
  const { username, password } = owner
  const signIn = () => app.visitor().call('POST /login', { body: { username, password } })
  expect((await signIn()).status).toBe(403)
  expect((await seller.send('GET', '/stats')).body.code).toBe('ACCOUNT_BANNED')
  expect((await program.init()).body).toMatchObject({ success: false, code: 'OWNER_BANNED' })

  expect((await ban(owner.id)).body).toMatchObject({ banned: false, message: 'Owner unbanned successfully' })
  expect((await signIn()).status).toBe(200)
  expect((await seller.send('GET', '/stats')).status).toBe(200)
  expect((await program.init()).body.success).toBe(true)
})

test('a ban ends every session of the owner for good: once it is lifted, the owner signs in again', async () => {
  const { id, username, password, visitor } = await newOwnerWithApp(app)
  const elsewhere = app.visitor()
  await elsewhere.call('POST /login', { body: { username, password, rememberMe: true } })
  const statuses = () => Promise.all([visitor, elsewhere].map(async (each) => (await each.call('GET /apps')).status))
  expect(await statuses()).toEqual([200, 200])
  await ban(id, { banned: true })
  await ban(id, { banned: false })
  expect(await statuses()).toEqual([401, 401])
  expect((await elsewhere.call('POST /login', { body: { username, password } })).status).toBe(200)
  expect(await statuses()).toEqual([401, 200])
})

test('banning an owner twice leaves the owner banned', async () => {
  const { id } = await newOwner(app)
  for (let n = 0; n < 2; n++) expect((await ban(id, { banned: true })).body.banned).toBe(true)
})

test('an assigned plan applies on the next call and returns to Free after 30 days', async () => {
  const owner = await newOwnerWithApp(app, undefined, { plan: 'Free' })
  const create = (appName: string) => owner.visitor.call('POST /create_app', { body: { appName } })
  expect((await create('Second')).body.code).toBe('APP_LIMIT_REACHED')
  const { body } = await plan(owner.id, 'Developer')
  expect(body).toMatchObject({ message: 'Owner plan updated successfully', planExpiresAt: app.now() + 30 * 86_400 })
  expect((await create('Second')).status).toBe(200)
  expect((await find(owner.id)).owners[0]).toMatchObject({
    subscriptionType: ['Developer'],
    planExpiresAt: body.planExpiresAt,
  })
  const stored = await app.db.read.selectFrom('accounts').selectAll().where('id', '=', owner.id).executeTakeFirst()
  expect(stored?.plan_expires_at).toBe(app.now() + 2_592_000)
  await plan(owner.id, 'Pro')
  expect((await find(owner.id)).owners[0]).toMatchObject({ prioritySupport: true })
})

test('Free has no end; an unknown plan is rejected, and so is the platform’s own for an owner', async () => {
  const { id } = await newOwner(app)
  expect((await plan(id, 'Free')).body.planExpiresAt).toBeNull()
  for (const name of ['Gold', 'Unlimited', '__proto__']) expect((await plan(id, name)).body.code).toBe('PLAN_NOT_FOUND')
  expect((await plan(admin.id, 'Free')).status).toBe(200)
  expect((await plan(admin.id, 'Unlimited')).body).toMatchObject({ success: true, planExpiresAt: null })
})

test('deleting an owner deletes everything of that owner', async () => {
  const owner = await newOwnerWithApp(app)
  await newLicenses(owner, 2)
  expect((await remove(owner.id)).body.message).toBe('Owner deleted successfully')
  expect((await owner.visitor.call('GET /check-auth')).status).toBe(401)
  expect((await find(owner.id)).owners).toEqual([])
  for (const answer of [ban(owner.id), plan(owner.id, 'Free'), remove(owner.id)])
    expect((await answer).body.code).toBe('OWNER_NOT_FOUND')
  await removeErasedAccounts(app.services)
  expect(JSON.stringify(await app.db.read.selectFrom('apps').selectAll().execute())).not.toContain(owner.id)
})

test("resellers of a deleted owner are signed out at once and can't sign in again", async () => {
  const reseller = await newSellingReseller(app)
  expect((await reseller.visitor.call('GET /reseller/apps')).status).toBe(200)
  await remove(reseller.owner.id)
  expect((await reseller.visitor.call('GET /reseller/apps')).status).toBe(401)
  const login = { username: reseller.username, password: resellerPassword }
  expect((await reseller.visitor.call('POST /reseller/login', { body: login })).status).toBe(403)
})

test('deleting needs recent identity verification (R-SES-08)', async () => {
  const late = await newAdmin(app)
  const owner = await newOwner(app)
  app.advance(301)
  const answer = await late.visitor.call('DELETE /admin/owners/{id}', { params: { id: owner.id } })
  expect(answer.body.code).toBe('REAUTH_REQUIRED')
})

test("administrators can't be banned or deleted", async () => {
  admin = await newAdmin(app)
  const other = await newAdmin(app)
  for (const id of [other.id, admin.id]) {
    for (const answer of [ban(id), remove(id)]) {
      const { status, body } = await answer
      expect([status, body.code]).toEqual([403, 'OWNER_IS_ADMIN'])
    }
  }
  expect((await other.visitor.call('GET /admin/stats')).status).toBe(200)
})

test('when all administrators leave at once, one stays', async () => {
  const fresh = await startTestApp()
  try {
    const admins = [await newAdmin(fresh), await newAdmin(fresh), await newAdmin(fresh)]
    const answers = await Promise.all(admins.map(({ visitor }) => visitor.call('POST /profile/delete-account')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    const [last] = answers.filter(({ status }) => status !== 200)
    expect(last).toMatchObject({ status: 409, body: { code: 'LAST_ADMIN' } })
    const left = await fresh.db.read.selectFrom('accounts').select('id').where('role', '=', 'admin').execute()
    expect(left).toHaveLength(1)
  } finally {
    await fresh.close()
  }
})

test('the figures count owners, apps, users, and licenses, those new this month, and owners by current plan', async () => {
  const fresh = await startTestApp()
  try {
    const { visitor } = await newAdmin(fresh)
    const owner = await newOwnerWithApp(fresh, undefined, { plan: 'Pro' })
    await newLicenses(owner, 4)
    const ended = await newOwner(fresh)
    await fresh.db.write(({ db }) =>
      db
        .updateTable('accounts')
        .set({ plan_expires_at: fresh.now() - 1 })
        .where('id', '=', ended.id)
        .execute(),
    )
    const gone = await newOwner(fresh)
    await fresh.db.write(({ db }) =>
      db.updateTable('accounts').set({ plan: 'Gone', created_at: 1 }).where('id', '=', gone.id).execute(),
    )
    const { stats } = (await visitor.call('GET /admin/stats')).body
    expect(stats).toEqual({
      totals: { owners: 4, apps: 1, users: 0, licenses: 4 },
      recent: { owners: 3, apps: 1 },
      states: { active: 3, banned: 0, admin: 1 },
      plans: [
        { name: 'Free', displayName: 'Free', price: 0, count: 2 },
        { name: 'Developer', displayName: 'Developer', price: 9.99, count: 0 },
        { name: 'Pro', displayName: 'Pro', price: 24.99, count: 1 },
        { name: 'Unlimited', displayName: 'Unlimited', price: 0, count: 1 },
      ],
    })
    expect(await countRows(fresh, 'accounts')).toBe(4)
  } finally {
    await fresh.close()
  }
})

const changePlan = (id: string, body: { planType: string; planExpiresAt?: number | null; before?: OwnerPlan }) =>
  admin.visitor.call('POST /admin/owners/{id}/plan', { params: { id }, body })
const planOf = async (id: string) => {
  const { plan: planType, plan_expires_at: planExpiresAt } = await app.db.read
    .selectFrom('accounts')
    .select(['plan', 'plan_expires_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { planType, planExpiresAt: planExpiresAt === null ? null : Number(planExpiresAt) }
}

test('a plan change returns the former plan with its end, and with it the change is undone', async () => {
  const { id } = await newOwner(app)
  const former = { planType: 'Developer', planExpiresAt: app.now() + 1234 }
  await setPlan(app, id, former.planType, former.planExpiresAt)
  app.advance(10)
  const { body } = await changePlan(id, { planType: 'Pro' })
  expect(body).toMatchObject({ previous: former, planExpiresAt: app.now() + 30 * 86_400 })
  const before = { planType: 'Pro', planExpiresAt: body.planExpiresAt }
  const undone = await changePlan(id, { ...former, before })
  expect(undone.body).toMatchObject({ success: true, previous: before, planExpiresAt: former.planExpiresAt })
  expect(await planOf(id)).toEqual(former)
  // Undoing twice is no conflict.
  expect((await changePlan(id, { ...former, before })).status).toBe(200)
})

test('an undo after another change gets FIELD_CHANGED and changes nothing', async () => {
  const { id } = await newOwner(app, undefined, { plan: 'Free' })
  const { body } = await changePlan(id, { planType: 'Pro' })
  await changePlan(id, { planType: 'Developer', planExpiresAt: null })
  const late = await changePlan(id, {
    ...(body.previous as OwnerPlan),
    before: { planType: 'Pro', planExpiresAt: body.planExpiresAt },
  })
  expect(late.body).toMatchObject({
    code: 'FIELD_CHANGED',
    current: { planType: 'Developer' },
  })
  expect(await planOf(id)).toEqual({ planType: 'Developer', planExpiresAt: null })
})

test('a plan that an owner cannot be put on again is not offered for an undo', async () => {
  for (const former of ['Unlimited', 'Gone']) {
    const { id } = await newOwner(app)
    await setPlan(app, id, former)
    expect((await changePlan(id, { planType: 'Free' })).body.previous).toBeNull()
    expect((await changePlan(id, { planType: former, planExpiresAt: null })).body.code).toBe('PLAN_NOT_FOUND')
  }
})
