import { afterAll, beforeAll, expect, test } from 'vitest'
import { newAdmin, newLicenses, newOwner, newOwnerWithApp, type Owner } from '#testing/people/people.ts'
import { newUser } from '#testing/people/end-users.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** An owner, as administrators see it. */

let app: TestApp
let admin: Owner

beforeAll(async () => {
  app = await startTestApp()
  admin = await newAdmin(app)
})
afterAll(() => app.close())

const get = (id: string) => admin.visitor.call('GET /admin/owners/{id}', { params: { id } })

test('unknown, foreign, and deleted IDs are owners that do not exist', async () => {
  const owner = await newOwnerWithApp(app)
  const gone = await newOwner(app)
  await admin.visitor.call('DELETE /admin/owners/{id}', { params: { id: gone.id } })
  for (const id of ['x', "' or 1=1 --", '__proto__', '%', owner.appId, owner.username, gone.id]) {
    const { status, body } = await get(id)
    expect([status, body.code], id).toEqual([404, 'OWNER_NOT_FOUND'])
  }
})

test('an owner has the fields of the list, the use of the plan with storage, and the latest sign-in', async () => {
  const owner = await newOwnerWithApp(app, undefined, { plan: 'Developer' })
  await newLicenses(owner, 3)
  await newUser(owner, 'one')
  await owner.visitor.call('POST /create_app', { body: { appName: 'Second' } })
  app.advance(100)
  const { username, password } = owner
  expect((await app.visitor().call('POST /login', { body: { username, password } })).status).toBe(200)
  const signedInAt = app.now()
  app.advance(100)
  const { owners } = (await admin.visitor.call('GET /admin/owners', { query: { search: owner.id } })).body
  const { body } = await get(owner.id)
  expect(body).toMatchObject({
    owner: owners[0],
    twoFactor: false,
    lastSignInAt: signedInAt,
    usage: { apps: 2, max_users_in_any_app: 1, max_licenses_in_any_app: 3, max_variables_in_any_app: 0 },
    limits: { max_apps: 5, max_users_per_app: 'unlimited' },
    storage: { usedBytes: 0, limitBytes: 500_000_000 },
  })
  const own = (await owner.visitor.call('GET /profile/plan-usage')).body
  expect([body.usage, body.limits]).toEqual([own.usage, own.limits])
})

test('an administrator has no limits, and an account that never signed in says so', async () => {
  const unused = await newOwner(app)
  const { body } = await get(unused.id)
  expect(body.lastSignInAt).toBeNull()
  const self = (await get(admin.id)).body
  expect(self.owner.role).toBe('admin')
  expect(self.limits.max_apps).toBe('unlimited')
  expect(self.storage.limitBytes).toBe(-1)
})
