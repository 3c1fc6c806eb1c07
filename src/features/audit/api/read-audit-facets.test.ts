import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectQueriesRejected } from '#testing/faults/hostile-input.ts'
import { newAdmin, newLicenses, newOwner, newOwnerWithApp, type Owner, type OwnedApp } from '#testing/people/people.ts'
import { newSeller, soldLicense } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let admin: Owner

beforeAll(async () => {
  app = await startTestApp()
  ;[owner, admin] = [await newOwnerWithApp(app), await newAdmin(app)]
  const { visitor } = owner
  const licenses = await newLicenses(owner, 3)
  const { undoId } = (await visitor.call('POST /licenses/bulk', { body: { action: 'ban', licenses } })).body
  await visitor.call('POST /licenses/undo', { body: { undoId: undoId as string } })
  await soldLicense(await newSeller(app, owner))
  const params = { id: owner.id }
  await admin.visitor.call('POST /admin/owners/{id}/plan', { params, body: { planType: 'Developer' } })
  const stranger = await newOwnerWithApp(app)
  await newLicenses(stranger, 1)
})
afterAll(() => app.close())

type Query = Record<string, string | number>
const facets = async (query: Query = {}, { visitor }: Owner = owner) =>
  (await visitor.call('GET /audit_facets', { query: query as object })).body
const ofAll = async (query: Query = {}) =>
  (await admin.visitor.call('GET /admin/audit_facets', { query: query as object })).body
const total = async (query: Query) => (await owner.visitor.call('GET /audit', { query: query as object })).body.total
const countOf = ({ values }: { values: { value: string; count: number }[] }, name: string) =>
  values.find(({ value }) => value === name)?.count

test('hostile filters are rejected', async () => {
  const acts = ['a,', ',,', 'x'.repeat(61), Array(42).fill('a').join(',')].map((act) => ({ act }))
  const actors = ['nobody', 'owner,', 'owner,owner,owner,owner,owner,owner,owner,owner,owner,owner,owner']
  const queries = [...acts, ...actors.map((actor) => ({ actor })), { ownerId: owner.id }, { page: 1 }]
  await expectQueriesRejected(owner.visitor, '/audit_facets', queries)
})

test('each action, together with its undo, and each kind of actor has the number of its entries', async () => {
  const { acts, actors } = await facets()
  expect([acts.isMore, actors.isMore]).toEqual([false, false])
  expect(countOf(acts, 'license.bulk-ban')).toBe(2)
  expect(countOf(acts, 'owner.change-plan')).toBe(1)
  expect(acts.values.filter(({ value }) => value.endsWith('.undo'))).toEqual([])
  expect([countOf(actors, 'admin'), countOf(actors, 'seller-key')]).toEqual([1, 1])
  const counts = acts.values.map(({ count }) => count)
  expect(counts).toEqual(counts.toSorted((one, other) => other - one))
})

test('the number is that of the list with this filter, for an owner and for an administrator', async () => {
  const { acts, actors } = await facets()
  for (const { value, count } of acts.values) expect(await total({ act: value }), value).toBe(count)
  for (const { value, count } of actors.values) expect(await total({ actor: value }), value).toBe(count)
  const listed = async (query: Query) =>
    (await admin.visitor.call('GET /admin/audit', { query: query as object })).body.total
  const platform = await ofAll()
  for (const { value, count } of platform.acts.values) expect(await listed({ act: value }), value).toBe(count)
  for (const { value, count } of platform.actors.values) expect(await listed({ actor: value }), value).toBe(count)
  expect((await ofAll({ ownerId: owner.id })).acts).toEqual((await facets()).acts)
})

test('the values of a filter are counted without it, and with all others', async () => {
  const whole = await facets()
  const ofKey = await facets({ actor: 'seller-key' })
  expect(ofKey.actors).toEqual(whole.actors)
  expect(ofKey.acts.values).toEqual([{ value: 'license.create', count: 1 }])
  const ofActs = await facets({ act: 'license.create,owner' })
  expect(ofActs.acts).toEqual(whole.acts)
  expect(countOf(ofActs.actors, 'owner')).toBe(1)
  expect(countOf(ofActs.actors, 'admin')).toBe(1)
  const both = await facets({ act: 'license.create', actor: 'seller-key,admin' })
  expect(countOf(both.acts, 'owner.change-plan')).toBe(1)
  expect(both.actors.values).toHaveLength(2)
})

test('an owner counts only the own account, and no administrator by address or ID', async () => {
  const other = await newOwner(app)
  expect((await facets({}, other)).acts.values).toEqual([{ value: 'account.register', count: 1 }])
  expect(countOf((await facets({ ip: '127.0.0.1' })).actors, 'admin')).toBeUndefined()
  expect((await facets({ actorId: admin.id })).acts.values).toEqual([])
  expect((await app.visitor().call('GET /audit_facets', { query: {} })).status).toBe(401)
  expect((await owner.visitor.call('GET /admin/audit_facets', { query: {} })).status).toBe(403)
})

test('the newest 10,000 entries are counted, and the reply says that there are more', async () => {
  const busy = await newOwner(app)
  const row = { app_id: null, target: '', details: '{}', ip: '', request_id: '', actor_id: busy.id, owner_id: busy.id }
  const plant = (amount: number) =>
    app.db.write(async (tx) => {
      for (let left = amount; left > 0; left -= 500) {
        const some = { ...row, at: app.now() + 5, actor_type: 'owner', act: 'app.update' }
        const rows = Array.from({ length: Math.min(left, 500) }, () => some)
        await tx.db
          .insertInto('audit')
          .values(rows as never)
          .execute()
      }
    })
  await plant(9999)
  expect(await facets({}, busy)).toMatchObject({ acts: { isMore: false }, actors: { isMore: false } })
  await plant(1)
  const acts = { values: [{ value: 'app.update', count: 10_000 }], isMore: true }
  expect(await facets({}, busy)).toMatchObject({ acts, actors: { values: [{ value: 'owner', count: 10_000 }] } })
})
