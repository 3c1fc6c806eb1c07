import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRejected, seen } from '#testing/faults/hostile-input.ts'
import { newAdmin, newLicenses, newOwnerWithApp, type Owner, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { AuditSealer } from '../audit-chain.ts'

let app: TestApp
let owner: OwnedApp
let admin: Owner

beforeAll(async () => {
  app = await startTestApp()
  ;[owner, admin] = [await newOwnerWithApp(app), await newAdmin(app)]
  const [licenseKey = ''] = await newLicenses(owner, 1)
  await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey, banned: true } })
  const params = { id: owner.id }
  await admin.visitor.call('POST /admin/owners/{id}/plan', { params, body: { planType: 'Developer' } })
  await admin.visitor.call('POST /admin/owners/{id}/ban', { params, body: { banned: true } })
  await admin.visitor.call('POST /admin/owners/{id}/ban', { params, body: { banned: false } })
  await owner.visitor.call('POST /login', { body: { username: owner.username, password: owner.password } })
  // Otherwise entries would get their seals between two reads.
  await new AuditSealer(app.services).seal()
})
afterAll(() => app.close())

const read = (id: number | string, by: Owner = owner) =>
  by.visitor.call('GET /audit/{id}', { params: { id: String(id) } })
const readAny = (id: number | string, by: Owner = admin) =>
  by.visitor.call('GET /admin/audit/{id}', { params: { id: String(id) } })
const listed = async (by: Owner = owner) =>
  (await by.visitor.call('GET /audit', { query: { limit: 100 } })).body.entries
const ofPlatform = async () => (await admin.visitor.call('GET /admin/audit', { query: { limit: 100 } })).body.entries

test('an ID that is no number or has no entry finds nothing', async () => {
  const bad = ['x', '0', '-1', '1.5', '1e3', ' 1', '9'.repeat(16), '999999999999999', '%27']
  for (const id of bad) for (const call of [read, readAny]) expectRejected(await call(id), id, 404)
  for (const path of ['9'.repeat(21), 'NUL%00', '%E0%A4%A'])
    expectRejected(await owner.visitor.send('GET', `/api/1.0/website/audit/${path}`), path)
})

test('an entry is read as the list has it, with its undo', async () => {
  const entries = await listed()
  expect(entries.filter(({ undo }) => undo !== null).map(({ act }) => act)).toContain('license.ban')
  for (const entry of entries) expect((await read(entry.id)).body.entry).toEqual(entry)
})

test('an owner sees an administrator without name, address, or request ID; administrators see all', async () => {
  const plan = (await listed()).find(({ act }) => act === 'owner.change-plan')
  const hidden = { actor: { type: 'admin', id: '', name: '', isYou: false }, ip: '', requestId: '' }
  expect((await read(plan?.id ?? 0)).body.entry).toMatchObject(hidden)
  const { entry } = (await readAny(plan?.id ?? 0)).body
  expect(entry).toMatchObject({ actor: { name: admin.username, isYou: true }, ip: '127.0.0.1' })
  for (const each of await ofPlatform()) expect((await readAny(each.id)).body.entry).toEqual(each)
})

test('the entry of another account looks like a missing one, and only administrators read those of all', async () => {
  const stranger = await newOwnerWithApp(app)
  const [{ id = 0 } = {}] = await listed()
  expectRejected(await app.visitor().send('GET', `/api/1.0/website/audit/${id}`), 'without a session', 401)
  const foreign = await read(id, stranger)
  expectRejected(foreign, 'foreign', 404)
  expect(seen(foreign)).toBe(seen(await read(999_999_999_999_999, stranger)))
  // Administrators are owners, too.
  expectRejected(await read(id, admin), 'of an owner', 404)
  expectRejected(await readAny(id, stranger), 'not an administrator', 403)
})
