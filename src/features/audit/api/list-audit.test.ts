import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAdmin, newLicenses, newOwner, newOwnerWithApp, type Owner, type OwnedApp } from '#testing/people/people.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'
import { newSeller, soldLicense } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { AuditSealer } from '../audit-chain.ts'

let app: TestApp
let owner: OwnedApp
let other: OwnedApp
let admin: Owner
let license: string

beforeAll(async () => {
  app = await startTestApp()
  ;[owner, other, admin] = [await newOwnerWithApp(app), await newOwnerWithApp(app), await newAdmin(app)]
  ;[license] = (await newLicenses(owner, 2)) as [string]
  for (const licenseKey of [license, ...(await newLicenses(other, 1))]) {
    app.advance(60)
    const visitor = licenseKey === license ? owner.visitor : other.visitor
    await visitor.call('POST /toggle_ban_license', { body: { licenseKey } })
  }
})
afterAll(() => app.close())

const list = async ({ visitor }: Owner, query: Record<string, unknown> = {}) => {
  const { status, body } = await visitor.call('GET /audit', { query: { limit: 100, ...query } })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const listAll = async (query: Record<string, unknown> = {}) => {
  const { status, body } = await admin.visitor.call('GET /admin/audit', { query: { limit: 100, ...query } })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const eventsOf = ({ entries }: { entries: { act: string }[] }) => entries.map(({ act }) => act)

test('shows who did what to which row of which app, from where, when, and how, newest first', async () => {
  const { entries, total } = await list(owner)
  expect(entries).toHaveLength(total)
  expect(eventsOf({ entries })).toEqual([
    'license.ban',
    'license.create',
    'subscription.create',
    'app.create',
    'account.register',
  ])
  expect(entries[0]).toMatchObject({
    act: 'license.ban',
    actor: { type: 'owner', id: owner.id, name: owner.username, isYou: true },
    owner: { id: owner.id, name: owner.username },
    app: { id: owner.appId, name: owner.appName },
    target: license,
    ip: '127.0.0.1',
    requestId: expect.stringMatching(/\S/),
  })
  expect(entries[1]?.details).toMatchObject({ level: 1 })
})

test('the server pages the list', async () => {
  const first = await list(owner, { limit: 2 })
  const second = await list(owner, { limit: 2, page: 2 })
  expect([first.total, first.totalPages]).toEqual([5, 3])
  expect([...eventsOf(first), ...eventsOf(second)]).toEqual(eventsOf(await list(owner)).slice(0, 4))
})

test('counts at most 10,000 entries, and says that there are more', async () => {
  const busy = await newOwner(app)
  const row = {
    at: app.now(),
    actor_type: 'owner' as const,
    actor_id: busy.id,
    owner_id: busy.id,
    app_id: null,
    act: 'planted.act',
    target: '',
    details: '{}',
    ip: '',
    request_id: '',
  }
  const plant = (amount: number) =>
    app.db.write(async (tx) => {
      for (let left = amount; left > 0; left -= 500)
        await tx.db
          .insertInto('audit')
          .values(Array.from({ length: Math.min(left, 500) }, () => row) as never)
          .execute()
    })
  const act = 'planted.act'
  await plant(10_000)
  expect(await list(busy, { act })).toMatchObject({ total: 10_000, isMore: false, totalPages: 100 })
  await plant(1)
  expect(await list(busy, { act })).toMatchObject({ total: 10_000, isMore: true, totalPages: 100 })
  expect(await listAll({ act })).toMatchObject({ total: 10_000, isMore: true })
  expect((await list(busy, { act, page: 101 })).entries).toHaveLength(1)
})

describe('an owner sees only rows about the own account', () => {
  test.each([
    ['without a filter', {}],
    ['by act', { act: 'license' }],
    ['by the kind of actor', { actor: 'owner' }],
  ])('%s', async (_, query) => {
    const { entries } = await list(owner, query)
    expect(entries.length).toBeGreaterThan(0)
    expect(entries.filter((entry) => entry.owner.id !== owner.id)).toEqual([])
  })
  test("even when the call names another owner's target, app, or actor", async () => {
    const foreign = (await list(other, { act: 'license.ban' })).entries[0]
    for (const query of [
      { target: foreign?.target },
      { search: foreign?.target },
      { inApp: other.appId },
      { actorId: other.id },
    ])
      expect((await list(owner, query)).entries).toEqual([])
  })
  test('even when the call names another owner', async () => {
    const answer = await owner.visitor.send('GET', `/api/1.0/website/audit?ownerId=${other.id}`)
    expect(answer.status).toBe(400)
  })
  test('not the whole platform', async () => {
    const { visitor } = await newOwner(app)
    for (const call of ['GET /admin/audit', 'GET /admin/export_audit'] as const)
      expect((await visitor.call(call)).status).toBe(403)
  })
})

describe('filters', () => {
  test('by action, and by all actions on a subject', async () => {
    expect(eventsOf(await list(owner, { act: 'license.ban' }))).toEqual(['license.ban'])
    expect(eventsOf(await list(owner, { act: 'license' }))).toEqual(['license.ban', 'license.create'])
    expect(eventsOf(await list(owner, { act: 'app' }))).toEqual(['app.create'])
    expect(eventsOf(await list(owner, { act: 'lic' }))).toEqual([])
  })
  test('by several actions and subjects, in the order of time on each page', async () => {
    const acts = ['license.ban', 'license.create', 'app.create']
    expect(eventsOf(await list(owner, { act: 'app,license' }))).toEqual(acts)
    expect(eventsOf(await list(owner, { act: 'license.ban,app,license.create' }))).toEqual(acts)
    const pages = [1, 2, 3].map((page) => list(owner, { act: 'app,license', limit: 1, page }))
    expect((await Promise.all(pages)).flatMap(eventsOf)).toEqual(acts)
    expect(eventsOf(await list(owner, { act: 'app,license', sort: 'time' }))).toEqual(acts.toReversed())
    expect(eventsOf(await list(owner, { act: 'lic,nothing' }))).toEqual([])
    const { entries, total } = await listAll({ act: 'license.ban,app.create' })
    expect(new Set(eventsOf({ entries }))).toEqual(new Set(['license.ban', 'app.create']))
    expect(total).toBeGreaterThan(3)
  })
  test('by several kinds of actors', async () => {
    const busy = await newOwnerWithApp(app)
    await soldLicense(await newSeller(app, busy))
    const params = { id: busy.id }
    await admin.visitor.call('POST /admin/owners/{id}/plan', { params, body: { planType: 'Developer' } })
    const typesOf = async (actor: string) => [
      ...new Set((await list(busy, { actor })).entries.map((entry) => entry.actor.type)),
    ]
    expect(await typesOf('owner,admin,seller-key')).toEqual(['admin', 'seller-key', 'owner'])
    expect(await typesOf('seller-key,admin')).toEqual(['admin', 'seller-key'])
    expect(await typesOf('reseller,system,seller-key')).toEqual(['seller-key'])
    expect(await typesOf('team,reseller')).toEqual(['admin', 'seller-key', 'owner'])
    const all = await listAll({ ownerId: busy.id, actor: 'admin,seller-key' })
    expect(new Set(all.entries.map((entry) => entry.actor.type))).toEqual(new Set(['admin', 'seller-key']))
    for (const actor of ['owner,', ',owner', 'owner,nobody', 'Owner', 'owner;admin'])
      expect((await busy.visitor.send('GET', `/api/1.0/website/audit?actor=${actor}`)).status, actor).toBe(400)
  })
  test('an action with its undo', async () => {
    const busy = await newOwnerWithApp(app)
    const licenses = await newLicenses(busy, 2)
    const { undoId } = (await busy.visitor.call('POST /licenses/bulk', { body: { action: 'ban', licenses } })).body
    await busy.visitor.call('POST /licenses/undo', { body: { undoId: undoId as string } })
    expect(eventsOf(await list(busy, { act: 'license.bulk-ban' }))).toEqual([
      'license.bulk-ban.undo',
      'license.bulk-ban',
    ])
  })
  test('by the whole target, never by a part', async () => {
    expect(eventsOf(await list(owner, { search: ` ${license} ` }))).toEqual(['license.ban'])
    expect(eventsOf(await list(owner, { target: license.slice(0, -1) }))).toEqual([])
    expect(eventsOf(await list(owner, { target: '%' }))).toEqual([])
  })
  test('by time', async () => {
    const [newest] = (await list(owner)).entries
    const at = newest?.timestamp ?? 0
    expect(eventsOf(await list(owner, { from: at }))).toEqual(['license.ban'])
    expect((await list(owner, { until: at - 1 })).total).toBe(4)
    expect((await list(owner, { from: at, until: at })).total).toBe(1)
    expect((await list(owner, { days: 1 })).total).toBe(5)
  })
  test('by app and address', async () => {
    expect((await list(owner, { inApp: owner.appId })).entries.map(({ app: of }) => of?.id)).toContain(owner.appId)
    expect((await list(owner, { ip: '127.0.0.1' })).total).toBe(5)
    expect((await list(owner, { ip: '192.0.2.1' })).total).toBe(0)
  })
})

describe('the actor on an owner’s data', () => {
  test('a reseller is named', async () => {
    const reseller = await newSellingReseller(app)
    expect((await reseller.sell()).status).toBe(200)
    const { entries } = await list(reseller.owner, { actor: 'reseller', act: 'license' })
    expect(entries[0]).toMatchObject({ act: 'license.create', actor: { name: reseller.username, isYou: false } })
  })
  test('a seller key is named', async () => {
    const seller = await newSeller(app, other, { keyName: 'Web shop' })
    await soldLicense(seller)
    const { entries } = await list(other, { actor: 'seller-key' })
    expect(entries[0]?.actor).toMatchObject({ type: 'seller-key', name: 'Web shop', isYou: false })
  })
  test('an administrator is shown as such, without name or address', async () => {
    const customer = await newOwner(app)
    const call = admin.visitor.call('POST /admin/owners/{id}/plan', {
      params: { id: customer.id },
      body: { planType: 'Developer' },
    })
    expect((await call).status).toBe(200)
    const { entries } = await list(customer, { actor: 'admin' })
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({
      act: 'owner.change-plan',
      actor: { type: 'admin', id: '', name: '', isYou: false },
      details: { before: { planType: 'Pro' }, after: { planType: 'Developer' } },
      ip: '',
      requestId: '',
    })
    // The ID cannot be found by guessing, either.
    expect((await list(customer, { actorId: admin.id })).entries).toEqual([])
    expect((await list(customer, { ip: '127.0.0.1', actor: 'admin' })).entries).toEqual([])
    expect(JSON.stringify(await list(customer))).not.toContain(admin.id)
    // Administrators see the names of other administrators.
    const all = await listAll({ ownerId: customer.id, actor: 'admin' })
    expect(all.entries[0]).toMatchObject({ actor: { id: admin.id, name: admin.username }, ip: '127.0.0.1' })
  })
  test('an administrator is the owner of their own account', async () => {
    expect((await list(admin, { actor: 'admin' })).total).toBe(0)
    await admin.visitor.call('POST /create_app', { body: { appName: 'Mine', version: '1.0.0' } })
    const { entries } = await list(admin, { actor: 'owner', act: 'app' })
    expect(entries[0]).toMatchObject({ act: 'app.create', actor: { type: 'owner', isYou: true } })
  })
})

test('administrators see all rows, and those of one owner', async () => {
  const owners = new Set((await listAll({ act: 'license.ban' })).entries.map((entry) => entry.owner.name))
  expect([...owners]).toEqual(expect.arrayContaining([owner.username, other.username]))
  const { entries } = await listAll({ ownerId: other.id })
  expect(new Set(entries.map((entry) => entry.owner.id))).toEqual(new Set([other.id]))
})

test('a sealed row shows its place in the chain', async () => {
  const late = await newOwner(app)
  await new AuditSealer(app.services).seal()
  const [entry] = (await list(late)).entries
  expect(entry).toMatchObject({ place: expect.any(Number), hash: expect.stringMatching(/^[\w-]{43}$/) })
})

describe('an action on many rows', () => {
  const targets = async ({ visitor }: Owner, id: number, query: object = {}) =>
    (await visitor.call('GET /audit/{id}/targets', { params: { id: String(id) }, query })).body

  test('has the right count and lists its targets, page by page', async () => {
    const keys = await newLicenses(owner, 12)
    const ban = (licenses: string[]) =>
      owner.visitor.call('POST /licenses/bulk', { body: { action: 'ban', licenses } as never })
    await ban(keys.slice(0, 1))
    await ban(keys)
    // One license was already banned and is not a target of the action.
    const [many, one] = (await list(owner, { act: 'license.bulk-ban' })).entries
    expect([many?.target, many?.hasTargets, one?.target, one?.hasTargets]).toEqual([
      '11 licenses',
      true,
      '1 license',
      true,
    ])
    expect(await targets(owner, one?.id ?? 0)).toMatchObject({ targets: keys.slice(0, 1), total: 1, totalPages: 1 })
    const first = await targets(owner, many?.id ?? 0)
    const second = await targets(owner, many?.id ?? 0, { page: 2 })
    expect([first.targets.length, first.total, first.totalPages]).toEqual([10, 11, 2])
    expect([...first.targets, ...second.targets].toSorted()).toEqual(keys.slice(1).toSorted())
    const params = { id: String(many?.id) }
    expect((await admin.visitor.call('GET /admin/audit/{id}/targets', { params })).body.total).toBe(11)
    expect(await targets(other, many?.id ?? 0)).toMatchObject({ targets: [], total: 0 })
    const single = (await list(owner, { act: 'license.ban' })).entries[0]
    expect([single?.hasTargets, (await targets(owner, single?.id ?? 0)).targets]).toEqual([false, []])
  })

  test.each(['x', '-1', '1.5', '9'.repeat(20)])('%s is the ID of no action', async (id) => {
    const { status, body } = await owner.visitor.call('GET /audit/{id}/targets', { params: { id } })
    expect([status, body.targets]).toEqual([200, []])
  })
})
