import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAlert } from '#testing/busy-app.ts'
import { newSubscriber } from '#testing/people/end-users.ts'
import { entriesOf, latestEntry, undoEntry } from '#testing/people/audit-entries.ts'
import { newAdmin, newLicenses, newOwner, newOwnerWithApp, type OwnedApp, type Owner } from '#testing/people/people.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'
import { newSeller } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const ban = ({ visitor }: OwnedApp, licenseKey: string, banned = true) =>
  visitor.call('POST /toggle_ban_license', { body: { licenseKey, banned } })
const isBanned = async ({ visitor }: OwnedApp, search: string) =>
  (await visitor.call('GET /licenses', { query: { search } })).body.licenses[0]?.banned

describe('rejects', () => {
  test("another owner's entry, which looks like a missing one, and an administrator's call for it", async () => {
    owner = await newOwnerWithApp(app)
    const [key = ''] = await newLicenses(owner, 1)
    await ban(owner, key)
    const { id } = await latestEntry(owner, 'license.ban')
    for (const stranger of [await newOwnerWithApp(app), await newAdmin(app)]) {
      const rejected = await undoEntry(stranger, id)
      expect([rejected.status, rejected.body]).toMatchObject([404, { code: 'UNDO_NOT_FOUND' }])
    }
    for (const missing of ['999999999', '0', 'x', `${id}x`, '-1'])
      expect((await undoEntry(owner, missing)).body).toMatchObject({ code: 'UNDO_NOT_FOUND' })
    expect(await isBanned(owner, key)).toBe(true)
    const reseller = await newSellingReseller(app, {}, owner)
    expect((await reseller.visitor.send('POST', `/api/1.0/website/audit/${id}/undo`)).status).toBe(403)
  })

  test('an entry twice, also by two calls at once, and says so in the list', async () => {
    owner = await newOwnerWithApp(app)
    const [key = ''] = await newLicenses(owner, 1)
    await ban(owner, key)
    const { id, undo: offered } = await latestEntry(owner, 'license.ban')
    expect(offered).toEqual({ kind: 'entry', id: String(id), until: null })
    const answers = await Promise.all([undoEntry(owner, id), undoEntry(owner, id)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await undoEntry(owner, id)).body).toMatchObject({ code: 'ALREADY_UNDONE' })
    expect(await isBanned(owner, key)).toBe(false)
    expect(await latestEntry(owner, 'license.ban')).toMatchObject({ undo: null, undone: true })
    // The undo is an action, which can be undone itself.
    const unban = await latestEntry(owner, 'license.unban')
    expect(unban).toMatchObject({ actor: { isYou: true }, undone: false, undo: { kind: 'entry' } })
    expect((await undoEntry(owner, unban.id)).status).toBe(200)
    expect(await isBanned(owner, key)).toBe(true)
  })

  test('an entry whose target was banned again, changed among many, or deleted since', async () => {
    owner = await newOwnerWithApp(app)
    const [again = '', many = '', gone = ''] = await newLicenses(owner, 3)
    for (const key of [again, many, gone]) await ban(owner, key)
    const bans = await entriesOf(owner, { act: 'license.ban' })
    const idOf = (key: string) => bans.find(({ target }) => target === key)?.id ?? 0
    await ban(owner, again, false)
    await ban(owner, again)
    await owner.visitor.call('POST /licenses/bulk', { body: { action: 'unban', licenses: [many] } })
    await owner.visitor.call('POST /licenses/bulk', { body: { action: 'ban', licenses: [many] } })
    await owner.visitor.call('POST /delete_license', { body: { licenseKey: gone, deleteUsers: false } })
    for (const key of [many, gone])
      expect((await undoEntry(owner, idOf(key))).body, key).toMatchObject({ code: 'UNDO_NOT_FOUND' })
    expect((await undoEntry(owner, idOf(again))).body).toMatchObject({ code: 'ALREADY_UNDONE' })
    const listed = await entriesOf(owner, { act: 'license.ban' })
    expect(
      listed.filter(({ id }) => [idOf(again), idOf(many), idOf(gone)].includes(id)).map((row) => row.undo),
    ).toEqual([null, null, null])
    expect(await isBanned(owner, again)).toBe(true)
    expect(await isBanned(owner, many)).toBe(true)
  })

  test('an action that changed nothing, and one without an opposite', async () => {
    owner = await newOwnerWithApp(app)
    const [key = ''] = await newLicenses(owner, 1)
    await ban(owner, key)
    await ban(owner, key)
    const second = await latestEntry(owner, 'license.ban')
    expect(second).toMatchObject({ undo: null, undone: false, details: {} })
    const made = await latestEntry(owner, 'license.create')
    for (const { id } of [second, made])
      expect((await undoEntry(owner, id)).body).toMatchObject({ code: 'UNDO_NOT_FOUND' })
    expect(await isBanned(owner, key)).toBe(true)
  })

  test('an action in a deleted app', async () => {
    owner = await newOwnerWithApp(app)
    const [key = ''] = await newLicenses(owner, 1)
    await ban(owner, key)
    const { id } = await latestEntry(owner, 'license.ban')
    await owner.visitor.call('POST /delete_app', { body: { appId: owner.appId } })
    expect((await undoEntry(owner, id)).body).toMatchObject({ code: 'UNDO_NOT_FOUND' })
  })
})

test('undoes every action that has an exact opposite, by anybody in the account', async () => {
  owner = await newOwnerWithApp(app)
  const { visitor, appId } = owner
  const username = await newSubscriber(owner)
  const [licenseKey = ''] = await newLicenses(owner, 1)
  const seller = await newSeller(app, owner)
  const reseller = await newSellingReseller(app, {}, owner)
  const alertId = await newAlert(app, owner)
  const upload = { body: { name: 'setup.exe' }, file: new Blob(['bytes']) }
  await visitor.call('POST /downloads/upload', upload)
  const { key: sellerKey } = seller
  const named = { params: { id: reseller.id } }
  const actions: Record<string, () => Promise<{ status: number }>> = {
    'license.ban': () => seller.send('POST', `/licenses/${licenseKey}/ban`),
    'user.ban': () => visitor.call('POST /toggle_ban_user', { body: { username, banned: true } }),
    'subscription.pause': () => visitor.call('POST /toggle_subscription_status', { body: { level: 1, active: false } }),
    'seller-key.pause': () => visitor.call('POST /toggle_seller_key_status', { body: { sellerKey, status: 'paused' } }),
    'alert.review': () => visitor.call('POST /alerts/{id}/review', { params: { id: alertId } }),
    'download.disable': () =>
      visitor.call('POST /downloads/file/{name}/toggle', { params: { name: 'setup.exe' }, body: { active: false } }),
    'reseller.ban': () => visitor.call('POST /resellers/{id}/ban', { ...named, body: { banned: true } }),
  }
  for (const [act, make] of Object.entries(actions)) {
    const done = await make()
    expect(done.status, `${act} ${JSON.stringify(done)}`).toBe(200)
    const entry = await latestEntry(owner, act)
    expect(entry, act).toMatchObject({ undone: false, undo: { kind: 'entry' } })
    const undone = await undoEntry(owner, entry.id)
    expect(undone.body, act).toMatchObject({ success: true, code: 'AUDIT_UNDO_OK' })
    expect(await latestEntry(owner, act), act).toMatchObject({ undone: true, undo: null })
  }
  expect(await isBanned(owner, licenseKey)).toBe(false)
  expect((await visitor.call('GET /resellers')).body.resellers[0]).toMatchObject({ banned: false })
  expect((await visitor.call('GET /subscriptions')).body).toMatchObject({ subscriptions: [{ active: true }] })
  expect(appId).toBe(owner.appId)
})

describe('the list says how an action is undone, and until when', () => {
  test('actions on many rows for 30 minutes, deletions for 30 days, and that they were undone', async () => {
    owner = await newOwnerWithApp(app)
    const { visitor } = owner
    const [one = '', two = '', three = ''] = await newLicenses(owner, 3)
    const banned = await visitor.call('POST /licenses/bulk', { body: { action: 'ban', licenses: [one] } })
    const deleted = await visitor.call('POST /licenses/bulk', { body: { action: 'delete', licenses: [two, three] } })
    const bulkBan = await latestEntry(owner, 'license.bulk-ban')
    const deletion = await latestEntry(owner, 'license.bulk-delete')
    expect(bulkBan.undo).toEqual({ kind: 'licenses', id: banned.body.undoId, until: bulkBan.timestamp + 1800 })
    expect(deletion.undo).toEqual({ kind: 'bin', id: deleted.body.undoId, until: deletion.timestamp + 30 * 86_400 })

    // A part of a deletion was restored: the rest still can.
    const { items } = (await visitor.call('GET /bin')).body
    await visitor.call('POST /bin/restore', { body: { ids: [items[0]?.id ?? 0] } })
    expect(await latestEntry(owner, 'license.bulk-delete')).toMatchObject({ undone: false, undo: { kind: 'bin' } })
    await visitor.call('POST /bin/restore', { body: { undoId: deleted.body.undoId ?? '' } })
    expect(await latestEntry(owner, 'license.bulk-delete')).toMatchObject({ undone: true, undo: null })
    await visitor.call('POST /licenses/undo', { body: { undoId: banned.body.undoId ?? '' } })
    expect(await latestEntry(owner, 'license.bulk-ban')).toMatchObject({ undone: true, undo: null })
    expect(await latestEntry(owner, 'license.bulk-ban.undo')).toMatchObject({ undone: false, undo: null })
  })

  test('not once the time is over, or what was deleted is gone for good', async () => {
    owner = await newOwnerWithApp(app)
    const { visitor } = owner
    const [one = '', two = ''] = await newLicenses(owner, 2)
    await visitor.call('POST /licenses/bulk', { body: { action: 'ban', licenses: [one] } })
    await visitor.call('POST /delete_license', { body: { licenseKey: two, deleteUsers: false } })
    app.advance(1801)
    expect(await latestEntry(owner, 'license.bulk-ban')).toMatchObject({ undo: null, undone: false })
    expect((await latestEntry(owner, 'license.delete')).undo).toMatchObject({ kind: 'bin' })
    await visitor.call('POST /bin/delete', { body: { all: true } })
    expect(await latestEntry(owner, 'license.delete')).toMatchObject({ undo: null, undone: false })
  })

  test('deletions of many as undone only if all of them were restored', async () => {
    owner = await newOwnerWithApp(app)
    const { visitor } = owner
    const restore = async (count?: number) => {
      const { items } = (await visitor.call('GET /bin')).body
      return visitor.call('POST /bin/restore', { body: { ids: items.slice(0, count).map(({ id }) => id) } })
    }
    const licenses = await newLicenses(owner, 3)
    const deleteAll = () => visitor.call('POST /licenses/bulk', { body: { action: 'delete', licenses } })
    await deleteAll()
    expect((await restore(1)).body).toMatchObject({ restored: 1 })
    expect((await latestEntry(owner, 'license.bulk-delete')).undo).toMatchObject({ kind: 'bin' })
    await visitor.call('POST /bin/delete', { body: { all: true } })
    expect(await latestEntry(owner, 'license.bulk-delete')).toMatchObject({ undo: null, undone: false })
    const others = await newLicenses(owner, 2)
    await visitor.call('POST /licenses/bulk', { body: { action: 'delete', licenses: others } })
    for (let times = 0; times < 2; times++) expect((await restore(1)).body).toMatchObject({ restored: 1 })
    expect(await latestEntry(owner, 'license.bulk-delete')).toMatchObject({ undo: null, undone: true })
  })

  test('a deletion with its users is one deletion, whichever entry undoes it', async () => {
    owner = await newOwnerWithApp(app)
    const { visitor } = owner
    const username = await newSubscriber(owner)
    await visitor.call('POST /delete_user', { body: { username } })
    await visitor.call('POST /modify_app_var', { body: { variableName: 'color', variableData: 'green' } })
    await visitor.call('POST /modify_app_var', { body: { variableName: 'color', deleteVariable: true } })
    for (const act of ['user.delete', 'variable.delete']) {
      const { undo: offered } = await latestEntry(owner, act)
      expect(offered, act).toMatchObject({ kind: 'bin' })
      const restored = await visitor.call('POST /bin/restore', { body: { undoId: offered?.id ?? '' } })
      expect(restored.body, act).toMatchObject({ restored: 1 })
      expect(await latestEntry(owner, act), act).toMatchObject({ undo: null, undone: true })
    }
  })

  test('a pause of a user and a removed subscription, with the undo of users', async () => {
    owner = await newOwnerWithApp(app)
    const { visitor } = owner
    const username = await newSubscriber(owner)
    await visitor.call('POST /toggle_pause_user', { body: { username } })
    await visitor.call('DELETE /user/{username}/subscriptions/{id}', { params: { username, id: 1 } })
    for (const act of ['user.remove-subscription', 'user.pause']) {
      const { undo: offered } = await latestEntry(owner, act)
      expect(offered, act).toMatchObject({ kind: 'users' })
      const undone = await visitor.call('POST /users/undo', { body: { undoId: offered?.id ?? '' } })
      expect(undone.body, act).toMatchObject({ restored: 1, failed: 0 })
      expect(await latestEntry(owner, act), act).toMatchObject({ undo: null, undone: true })
    }
  })

  test('administrators: the ban of an owner, by its own call', async () => {
    const admin = await newAdmin(app)
    const { id } = await newOwner(app)
    await admin.visitor.call('POST /admin/owners/{id}/ban', { params: { id }, body: { banned: true } })
    const read = async () =>
      (await admin.visitor.call('GET /admin/audit', { query: { actorId: admin.id, act: 'owner.ban' } })).body.entries[0]
    expect(await read()).toMatchObject({ undo: { kind: 'owner', id, until: null }, undone: false })
    await admin.visitor.call('POST /admin/owners/{id}/ban', { params: { id }, body: { banned: false } })
    expect(await read()).toMatchObject({ undo: null, undone: true })
  })
})

describe('administrators undo edits by their own call with the values before', () => {
  const entryOf = async (admin: Owner, act: string, target: string) =>
    (await admin.visitor.call('GET /admin/audit', { query: { act, target } })).body.entries[0]
  const edit = (admin: Owner, id: string, body: object) =>
    admin.visitor.call('PUT /admin/plans/{id}', { params: { id }, body })
  const newPlan = async (admin: Owner, name: string) => {
    await admin.visitor.call('POST /admin/plans', { body: { name, displayName: name, price: 5 } })
    return name
  }

  test('an edit of a plan, unless another administrator has changed one of its fields since', async () => {
    const [admin, other] = [await newAdmin(app), await newAdmin(app)]
    const id = await newPlan(admin, 'Undone')
    await edit(admin, id, { price: 4.999, limits: { max_apps: 7 } })
    const entry = await entryOf(admin, 'plan.update', id)
    expect(entry).toMatchObject({
      undo: { kind: 'plan', id, until: null },
      undone: false,
      details: { changes: { max_apps: [1, 7] } },
    })
    // It stays possible after an edit of something else, and other administrators can do it.
    await edit(other, id, { displayName: 'Renamed' })
    const last = (await other.visitor.call('GET /admin/audit', { query: { act: 'plan.update', target: id } })).body
    expect(last.entries.map(({ undo }) => undo?.kind)).toEqual(['plan', 'plan'])
    const restore = { limits: { max_apps: 1 }, before: { limits: { max_apps: 7 } } }
    expect((await edit(other, id, restore)).status).toBe(200)
    const states = (await other.visitor.call('GET /admin/audit', { query: { act: 'plan.update', target: id } })).body
    expect(states.entries.map(({ undo, undone }) => [undo?.kind, undone])).toEqual([
      ['plan', false],
      ['plan', false],
      [undefined, true],
    ])
    await edit(admin, id, { limits: { max_apps: 9 } })
    expect((await edit(other, id, { limits: { max_apps: 7 }, before: { limits: { max_apps: 1 } } })).body.code).toBe(
      'FIELD_CHANGED',
    )
    await admin.visitor.call('DELETE /admin/plans/{id}', { params: { id } })
    const gone = (await admin.visitor.call('GET /admin/audit', { query: { act: 'plan.update', target: id } })).body
    expect(gone.entries.every(({ undo }) => undo === null)).toBe(true)
  })

  test('a price is compared as it is stored, in cents', async () => {
    const admin = await newAdmin(app)
    const id = await newPlan(admin, 'Cents')
    await edit(admin, id, { price: 12.345, before: { price: 5.001 } })
    const { details } = (await entryOf(admin, 'plan.update', id)) ?? {}
    expect(details).toEqual({ changes: { price: [5, 12.35] } })
    expect((await edit(admin, id, { price: 5, before: { price: 12.345 } })).status).toBe(200)
    expect(await entryOf(admin, 'plan.update', id)).toMatchObject({ undo: { kind: 'plan' } })
  })

  test('a plan change of an owner with its end, but not to a plan that is gone', async () => {
    const admin = await newAdmin(app)
    const { id, username } = await newOwner(app, undefined, { plan: 'Free' })
    const change = (body: { planType: string; planExpiresAt?: number | null }) =>
      admin.visitor.call('POST /admin/owners/{id}/plan', { params: { id }, body })
    const passing = await newPlan(admin, 'Passing')
    await change({ planType: passing })
    const read = () => entryOf(admin, 'owner.change-plan', username)
    expect(await read()).toMatchObject({ undo: { kind: 'owner-plan', id, until: null } })
    const { details } = (await read()) ?? {}
    await change({ planType: 'Pro' })
    expect(await read()).toMatchObject({ undo: { kind: 'owner-plan' } })
    await admin.visitor.call('DELETE /admin/plans/{id}', { params: { id: passing } })
    expect(await read()).toMatchObject({ undo: null, undone: false })
    expect(details).toMatchObject({ before: { planType: 'Free', planExpiresAt: null }, after: { planType: passing } })
  })

  test('settings of the platform, but no mail server, no maintenance mode that was on, and no text of which only the beginning is recorded', async () => {
    const admin = await newAdmin(app)
    const save = (settings: object, before: Record<string, unknown> = {}) =>
      admin.visitor.call('POST /admin/settings/platform', { body: { settings, before } })
    const read = () => entryOf(admin, 'settings.save', 'platform')
    const { settings } = (await admin.visitor.call('GET /admin/settings')).body
    await save({ loginCooldownMinutes: 77, maxFailedLoginAttempts: 9 })
    expect(await read()).toMatchObject({
      undo: { kind: 'settings', id: 'platform', until: null },
      undone: false,
      details: { changes: { loginCooldownMinutes: [settings.platform.loginCooldownMinutes, 77] } },
    })
    await save({ loginCooldownMinutes: 78 })
    await save({ loginCooldownMinutes: 77 }, { loginCooldownMinutes: 78 })
    const query = { act: 'settings.save', target: 'platform', limit: 3 }
    const { entries } = (await admin.visitor.call('GET /admin/audit', { query })).body
    expect(entries.map(({ undo, undone }) => [undo?.kind, undone])).toEqual([
      ['settings', false],
      [undefined, true],
      [undefined, false],
    ])

    await save({ maintenanceMode: true })
    expect(await read()).toMatchObject({ undo: { kind: 'settings' } })
    await save({ maintenanceMode: false })
    expect(await read()).toMatchObject({ details: { changes: { maintenanceMode: [true, false] } }, undo: null })

    await save({ maintenanceMessage: 'long '.repeat(80) })
    expect(await read()).toMatchObject({ undo: null, undone: false })
    await save({ maintenanceMessage: 'short' })
    expect(await read()).toMatchObject({ undo: null, undone: false })

    const email = (change: object) => admin.visitor.call('POST /admin/settings/email', { body: { settings: change } })
    await email({ senderName: 'Prism' })
    expect(await entryOf(admin, 'settings.save', 'email')).toMatchObject({ undo: { kind: 'settings', id: 'email' } })
    await email({ smtpHost: 'mail.example.com', smtpPassword: 'Horse7Battery' })
    expect(await entryOf(admin, 'settings.save', 'email')).toMatchObject({ undo: null, undone: false })
  })

  test('owners are not offered the calls of administrators', async () => {
    const admin = await newAdmin(app)
    const customer = await newOwner(app)
    const params = { id: customer.id }
    await admin.visitor.call('POST /admin/owners/{id}/plan', { params, body: { planType: 'Free' } })
    await admin.visitor.call('POST /admin/owners/{id}/ban', { params, body: { banned: false } })
    const { entries } = (await customer.visitor.call('GET /audit', { query: { actor: 'team' } })).body
    expect(entries.filter(({ act }) => act.startsWith('owner.')).map(({ undo }) => undo)).toEqual([null, null])
  })
})

test('the actions of a team leave out what customers and the server do', async () => {
  owner = await newOwnerWithApp(app)
  const reseller = await newSellingReseller(app, {}, owner)
  await reseller.sell()
  const types = new Set((await entriesOf(owner, { actor: 'team' })).map(({ actor }) => actor.type))
  expect([...types].toSorted()).toEqual(['owner', 'reseller'])
})

test('the actions of a team leave out who signed in and out, and who failed to', async () => {
  const visitor = app.visitor()
  const admin = await newAdmin(app)
  const { username, password } = admin
  const body = { username, password }
  const { visitor: signedIn } = admin
  await visitor.call('POST /login', { body: { ...body, password: 'Wrong7Horse' } })
  await visitor.call('POST /login', { body })
  await visitor.call('POST /logout')
  await signedIn.call('POST /create_app', { body: { appName: 'Watched' } })
  const acts = async (query: object) => {
    const own = await signedIn.call('GET /audit', { query })
    const platform = await signedIn.call('GET /admin/audit', { query: { ...query, actorId: admin.id } })
    return [own, platform].map((answer) => new Set(answer.body.entries.map(({ act }) => act)))
  }
  for (const all of await acts({})) expect([...all]).toEqual(expect.arrayContaining(['account.login', 'app.create']))
  for (const of of await acts({ actor: 'team' })) {
    expect([...of].filter((act) => /login|logout/.test(act))).toEqual([])
    expect(of).toContain('app.create')
  }
})
