import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Calls } from '#contract/calls.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { newSeller } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

type Body = Calls['POST /licenses/bulk']['body']

const bulk = (owner: OwnedApp, body: Body) => owner.visitor.call('POST /licenses/bulk', { body })
const undo = (owner: OwnedApp, undoId: string | null, more: object = {}) =>
  owner.visitor.call('POST /licenses/undo', { body: { undoId: undoId as string, ...more } })

/** The columns of licenses and entitlements that actions on licenses may change. */
async function statesOf({ appId }: OwnedApp) {
  const licenses = await app.db.read
    .selectFrom('licenses')
    .select(['license', 'banned', 'duration_seconds', 'expires_at'])
    .where('app_id', '=', appId)
    .orderBy('id')
    .execute()
  const entitlements = await app.db.read
    .selectFrom('user_subscriptions')
    .select(['user_id', 'level', 'expires_at', 'license_id'])
    .where('app_id', '=', appId)
    .orderBy('user_id')
    .execute()
  return { licenses, entitlements }
}

/** Five licenses: one redeemed, one banned, one lifetime license. */
async function ownerOfFive(name: string) {
  const owner = await newOwnerWithApp(app, name)
  const keys = await newLicenses(owner, 4)
  const [lifetime] = await newLicenses(owner, 1, { expiryUnit: 'lifetime' })
  await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: keys[0] as string, banned: true } })
  const program = await Program.of(app, owner)
  await program.init()
  expect((await program.license(keys[1] as string)).body['success']).toBe(true)
  return { owner, keys: [...keys, lifetime as string] }
}

describe('a dry run', () => {
  test('counts what a ban would change, and changes nothing', async () => {
    const { owner } = await ownerOfFive('dry')
    const before = await statesOf(owner)
    const { body } = await bulk(owner, { action: 'ban', filter: {}, dryRun: true })
    expect(body).toMatchObject({ dryRun: true, undoId: null, next: null })
    expect(body.counts).toEqual({ changed: 4, unchanged: 1, inUse: 1, notFound: 0 })
    expect(await statesOf(owner)).toEqual(before)
  })

  test('counts the lifetimes that added time would skip', async () => {
    const { owner } = await ownerOfFive('dry_time')
    const { body } = await bulk(owner, {
      action: 'add-time',
      filter: {},
      dryRun: true,
      duration: 5,
      expiryUnit: 'days',
    })
    expect(body.counts).toMatchObject({ changed: 4, lifetime: 1 })
  })
})

describe('undo restores exactly the state before', () => {
  const actions: [string, Partial<Body>][] = [
    ['a ban', { action: 'ban' }],
    ['an unban', { action: 'unban' }],
    ['added time', { action: 'add-time', duration: 3, expiryUnit: 'weeks' }],
  ]

  test.each(actions)('after %s on a whole filter, in batches that share one undo', async (name, action) => {
    const { owner } = await ownerOfFive(`undo_${name.replaceAll(' ', '_')}`)
    const before = await statesOf(owner)
    const whole = { filter: {}, expectedCount: 5, maxRows: 2, ...action } as Body
    let undoId: string | null = null
    let after: number | null = null
    do {
      const { status, body }: Awaited<ReturnType<typeof bulk>> = await bulk(owner, {
        ...whole,
        ...(after !== null && { after }),
        ...(undoId !== null && { undoId }),
      })
      expect(status).toBe(200)
      undoId = body.undoId
      after = body.next
    } while (after !== null)
    expect(await statesOf(owner)).not.toEqual(before)
    const { status, body } = await undo(owner, undoId)
    expect([status, body.failed, body.next]).toEqual([200, 0, null])
    expect(await statesOf(owner)).toEqual(before)
    // Already undone: a second click finds nothing and does no harm.
    expect((await undo(owner, undoId)).body).toMatchObject({ restored: 0, failed: 0 })
    expect(await statesOf(owner)).toEqual(before)
  })

  test('after a change of listed licenses, one batch at a time', async () => {
    const { owner, keys } = await ownerOfFive('undo_named')
    const before = await statesOf(owner)
    const first = await bulk(owner, { action: 'ban', licenses: keys.slice(1, 3) })
    const second = await bulk(owner, { action: 'ban', licenses: keys.slice(3), undoId: first.body.undoId as string })
    expect(second.body.undoId).toBe(first.body.undoId)
    const part = await undo(owner, second.body.undoId, { maxRows: 1 })
    expect(part.body).toMatchObject({ restored: 2, next: expect.any(Number) })
    expect((await undo(owner, second.body.undoId)).body).toMatchObject({ restored: 2, next: null })
    expect(await statesOf(owner)).toEqual(before)
  })

  test('a row that somebody has changed since stays unchanged and is counted', async () => {
    const { owner, keys } = await ownerOfFive('undo_changed')
    const { body } = await bulk(owner, { action: 'add-time', licenses: keys, duration: 2, expiryUnit: 'days' })
    await owner.visitor.call('POST /update_license', { body: { licenseKey: keys[2] as string, expiry: 7200 } })
    expect((await undo(owner, body.undoId)).body).toMatchObject({ restored: 3, failed: 1 })
    const { licenses } = await statesOf(owner)
    expect(licenses.find(({ license }) => license === keys[2])?.duration_seconds).toBe(7200)
  })

  test('undoing a ban lets the program in again at once', async () => {
    const { owner, keys } = await ownerOfFive('undo_program')
    const program = await Program.of(app, owner)
    await program.init()
    await program.license(keys[1] as string)
    const { body } = await bulk(owner, { action: 'ban', licenses: [keys[1] as string] })
    await undo(owner, body.undoId)
    await program.init()
    expect((await program.license(keys[1] as string)).body['success']).toBe(true)
  })
})

describe("what can't be undone", () => {
  test('offers no undo when nothing changed', async () => {
    const { owner, keys } = await ownerOfFive('no_undo')
    expect((await bulk(owner, { action: 'unban', licenses: [keys[2] as string] })).body.undoId).toBeNull()
    expect((await bulk(owner, { action: 'delete', licenses: ['nothing'] })).body.undoId).toBeNull()
  })

  test("another owner's and an unknown undo record look the same, and another action can't join one", async () => {
    const { owner, keys } = await ownerOfFive('not_mine')
    const other = await newOwnerWithApp(app, 'other_owner')
    const { body } = await bulk(owner, { action: 'ban', licenses: [keys[2] as string] })
    const before = await statesOf(owner)
    for (const [who, id] of [
      [other, body.undoId],
      [owner, 'nothing'],
    ] as const) {
      const rejected = await undo(who, id)
      expect([rejected.status, rejected.body.code]).toEqual([404, 'UNDO_NOT_FOUND'])
    }
    const joined = await bulk(owner, { action: 'unban', licenses: [keys[2] as string], undoId: body.undoId as string })
    expect([joined.status, joined.body.code]).toEqual([404, 'UNDO_NOT_FOUND'])
    expect(await statesOf(owner)).toEqual(before)
  })

  test('an undo expires', async () => {
    const { owner, keys } = await ownerOfFive('late')
    const { body } = await bulk(owner, { action: 'ban', licenses: [keys[2] as string] })
    app.advance(1850)
    expect((await undo(owner, body.undoId)).status).toBe(404)
  })
})

describe('what has begun within 30 minutes can be finished', () => {
  const ban = (owner: OwnedApp, license = '', undoId: string | null = null) =>
    bulk(owner, { action: 'ban', licenses: [license], ...(undoId !== null && { undoId }) })
  const inThree = async (name: string) => {
    const { owner, keys } = await ownerOfFive(name)
    const before = await statesOf(owner)
    const { undoId } = (await ban(owner, keys[2])).body
    return { owner, keys, before, undoId }
  }

  test('an undo, until 30 minutes after its last batch, but not one that had not begun', async () => {
    const { owner, keys, before, undoId } = await inThree('slow_undo')
    for (const key of keys.slice(3)) await ban(owner, key, undoId)
    const left = await inThree('left_undo')
    await ban(left.owner, left.keys[3], left.undoId)
    app.advance(1790)
    expect((await undo(owner, undoId, { maxRows: 1 })).body).toMatchObject({ restored: 1, next: 2 })
    app.advance(1790)
    expect((await undo(left.owner, left.undoId)).body.code).toBe('UNDO_NOT_FOUND')
    const { entries } = (await owner.visitor.call('GET /audit', { query: { act: 'license.bulk-ban' } })).body
    expect(entries.find(({ act }) => act === 'license.bulk-ban')?.undo).toMatchObject({ until: app.now() + 10 })
    expect((await undo(owner, undoId, { maxRows: 1 })).body).toMatchObject({ restored: 1, next: 1 })
    app.advance(1801)
    expect((await undo(owner, undoId)).body.code).toBe('UNDO_NOT_FOUND')
    expect(await statesOf(owner)).not.toEqual(before)
  })

  test('an action on many, until 30 minutes after its last batch, and all of it is undone together', async () => {
    const { owner, keys, before, undoId } = await inThree('slow_action')
    for (const key of keys.slice(3)) {
      app.advance(1790)
      expect((await ban(owner, key, undoId)).body).toMatchObject({ done: 1, undoId })
    }
    app.advance(1790)
    expect((await undo(owner, undoId)).body).toMatchObject({ restored: 3, next: null })
    expect(await statesOf(owner)).toEqual(before)
  })

  test('an action on many takes no batch 30 minutes after the last one, nor after a day', async () => {
    const { owner, keys, undoId } = await inThree('late_batch')
    await app.db.write(({ db }) =>
      db
        .updateTable('undo_operations')
        .set(({ ref }) => ({ created_at: sql`${ref('created_at')} - 86400`, keep_until: app.now() + 1800 }))
        .where('id', '=', undoId)
        .execute(),
    )
    app.advance(1790)
    expect((await ban(owner, keys[3], undoId)).status).toBe(200)
    app.advance(11)
    const late = await ban(owner, keys[4], undoId)
    expect([late.status, late.body.code]).toEqual([404, 'UNDO_NOT_FOUND'])
  })
})

describe('an edit of one license', () => {
  type Edit = Calls['POST /update_license']['body']
  const edit = async (owner: OwnedApp, body: Edit) =>
    (await owner.visitor.call('POST /update_license', { body })).body.undoId
  const redeemedOf = async (name: string) => {
    const { owner, keys } = await ownerOfFive(name)
    await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Pro' } })
    return { owner, licenseKey: keys[1] as string, unused: keys[2] as string, lifetime: keys[4] as string }
  }
  const all = { subscription: 2, notes: 'vip', expiry: 7200 }

  test.each([
    ['time', { expiry: 86_400 * 60 }],
    ['a subscription', { subscription: 2 }],
    ['notes', { notes: 'ção 🎉' }],
    ['everything at once', all],
  ])('comes back once, with what its user has: %s', async (name, change) => {
    const { owner, licenseKey } = await redeemedOf(`edit_${name.replaceAll(' ', '_')}`)
    const before = await statesOf(owner)
    const undoId = await edit(owner, { licenseKey, ...change })
    const answers = [await undo(owner, undoId), await undo(owner, undoId)]
    expect(answers.map(({ body: { restored, failed } }) => [restored, failed])).toEqual([
      [1, 0],
      [0, 0],
    ])
    expect(await statesOf(owner)).toEqual(before)
    const { license } = (await owner.visitor.call('GET /license/{license}', { params: { license: licenseKey } })).body
    expect(license).toMatchObject({ level: 1, notes: '' })
  })

  test('comes back by whoever of two calls is first, and the list of the audit says so', async () => {
    const { owner, licenseKey } = await redeemedOf('edit_twice')
    const undoId = await edit(owner, { licenseKey, ...all })
    const listed = async () =>
      (await owner.visitor.call('GET /audit', { query: { act: 'license.update' } })).body.entries.find(
        ({ act }) => act === 'license.update',
      )
    expect(await listed()).toMatchObject({ undo: { kind: 'licenses', id: undoId }, undone: false })
    const answers = await Promise.all([undo(owner, undoId), undo(owner, undoId)])
    expect(answers.map(({ body }) => body.restored).toSorted()).toEqual([0, 1])
    expect(await listed()).toMatchObject({ undo: null, undone: true })
  })

  test('stays when the license was changed, redeemed, or deleted since', async () => {
    const { owner, licenseKey, unused, lifetime } = await redeemedOf('edit_since')
    const changed = await edit(owner, { licenseKey, expiry: 7200 })
    await edit(owner, { licenseKey, expiry: 7201 })
    const redeemed = await edit(owner, { licenseKey: unused, subscription: 2 })
    const program = await Program.of(app, owner)
    await program.init()
    expect((await program.license(unused)).body['success']).toBe(true)
    const deleted = await edit(owner, { licenseKey: lifetime, expiry: 7200 })
    await owner.visitor.call('POST /delete_license', { body: { licenseKey: lifetime, deleteUsers: false } })
    const before = await statesOf(owner)
    for (const undoId of [changed, redeemed, deleted])
      expect((await undo(owner, undoId)).body).toMatchObject({ restored: 0, failed: 1 })
    expect(await statesOf(owner)).toEqual(before)
  })

  test('comes back after a change of something else', async () => {
    const { owner, licenseKey } = await redeemedOf('edit_other')
    const undoId = await edit(owner, { licenseKey, expiry: 7200 })
    await edit(owner, { licenseKey, notes: 'since' })
    expect((await undo(owner, undoId)).body).toMatchObject({ restored: 1, failed: 0 })
    const { license } = (await owner.visitor.call('GET /license/{license}', { params: { license: licenseKey } })).body
    expect(license).toMatchObject({ expiry: 30 * 86_400, notes: 'since' })
  })

  test('gives no level back that is deleted, or that the user has from elsewhere since', async () => {
    const { owner, licenseKey, unused } = await redeemedOf('edit_level')
    const taken = await edit(owner, { licenseKey, subscription: 2 })
    const { license } = (await owner.visitor.call('GET /license/{license}', { params: { license: licenseKey } })).body
    const params = { username: license.usedBy }
    await owner.visitor.call('POST /user/{username}/subscriptions', { params, body: { level: 1, duration: 3 } })
    const gone = await edit(owner, { licenseKey: unused, subscription: 2 })
    expect((await undo(owner, taken)).body).toMatchObject({ restored: 0, failed: 1 })
    await owner.visitor.call('POST /delete_subscription', { body: { level: 1, forceDelete: true } })
    const before = await statesOf(owner)
    expect((await undo(owner, gone)).body).toMatchObject({ restored: 0, failed: 1 })
    expect(await statesOf(owner)).toEqual(before)
  })

  test('offers no undo when nothing changed, none to another owner or as one of users, and none later', async () => {
    const { owner, licenseKey } = await redeemedOf('edit_foreign')
    expect(await edit(owner, { licenseKey, subscription: 1, notes: '', expiry: 30 * 86_400 })).toBeNull()
    const undoId = (await edit(owner, { licenseKey, ...all })) ?? ''
    const before = await statesOf(owner)
    const other = await newOwnerWithApp(app, 'edit_stranger')
    expect((await undo(other, undoId)).body.code).toBe('UNDO_NOT_FOUND')
    expect((await owner.visitor.call('POST /users/undo', { body: { undoId } })).body.code).toBe('UNDO_NOT_FOUND')
    app.advance(1801)
    expect((await undo(owner, undoId)).body.code).toBe('UNDO_NOT_FOUND')
    expect(await statesOf(owner)).toEqual(before)
  })

  test('with a seller key comes back from the audit, also added time', async () => {
    const { owner, licenseKey } = await redeemedOf('edit_seller')
    const before = await statesOf(owner)
    const seller = await newSeller(app, owner)
    const path = `/licenses/${licenseKey}`
    await seller.send('PUT', path, { body: { expiry: 7200 } })
    await seller.send('POST', `${path}/add-time`, { body: { duration: 3, expiryUnit: 'days' } })
    for (const act of ['license.add-time', 'license.update']) {
      const { entries } = (await owner.visitor.call('GET /audit', { query: { act } })).body
      expect((await undo(owner, entries[0]?.undo?.id ?? null)).body, act).toMatchObject({ restored: 1, failed: 0 })
    }
    expect(await statesOf(owner)).toEqual(before)
  })

  test('time added to several at once comes back from all of them, except from those that changed since', async () => {
    const { owner, keys } = await ownerOfFive('add_several')
    const before = await statesOf(owner)
    const [banned = '', redeemed = '', changed = '', , lifetime = ''] = keys
    const add = (licenses: string[], duration = 3) =>
      owner.visitor.call('POST /add_time_licenses', { body: { licenses, expiryUnit: 'days', duration } })
    const { body } = await add([banned, redeemed, changed, lifetime, 'missing'])
    expect(body).toMatchObject({ updated: 3, skipped: 2 })
    expect((await add([lifetime, 'missing'])).body).toMatchObject({ updated: 0, undoId: null })
    const other = await newOwnerWithApp(app, 'add_stranger')
    expect((await undo(other, body.undoId)).body.code).toBe('UNDO_NOT_FOUND')
    const since = (await add([changed], 1)).body.undoId
    expect((await undo(owner, body.undoId)).body).toMatchObject({ restored: 2, failed: 1 })
    const ofChanged = (await statesOf(owner)).licenses.find(({ license }) => license === changed)
    expect(ofChanged?.duration_seconds).toBe(34 * 86_400)
    expect((await undo(owner, since)).body).toMatchObject({ restored: 1, failed: 0 })
    const { licenses, entitlements } = await statesOf(owner)
    expect(entitlements).toEqual(before.entitlements)
    const others = (rows: typeof licenses) => rows.filter(({ license }) => license !== changed)
    expect(others(licenses)).toEqual(others(before.licenses))
  })
})

describe('with an Idempotency-Key', () => {
  test('a batch whose reply was lost adds its time once', async () => {
    const { owner } = await ownerOfFive('keyed')
    const body: Body = { action: 'add-time', filter: {}, expectedCount: 5, duration: 1, expiryUnit: 'days' }
    const send = () => owner.visitor.call('POST /licenses/bulk', { body, headers: { 'Idempotency-Key': 'press-no-1' } })
    const [first, second] = [await send(), await send()]
    expect(second.body).toEqual(first.body)
    expect(first.body).toMatchObject({ done: 4, failed: 1, next: null })
    const { licenses } = await statesOf(owner)
    expect(new Set(licenses.map(({ duration_seconds }) => duration_seconds))).toEqual(new Set([31 * 86_400, 0]))
  })

  test('an undo whose reply was lost reports what it restored, one batch at a time', async () => {
    const { owner, keys } = await ownerOfFive('keyed_undo')
    const before = await statesOf(owner)
    const first = await bulk(owner, { action: 'ban', licenses: keys.slice(1, 3) })
    const undoId = first.body.undoId as string
    await bulk(owner, { action: 'ban', licenses: keys.slice(3), undoId })
    const send = (key: string, after?: number) =>
      owner.visitor.call('POST /licenses/undo', {
        body: { undoId, ...(after !== undefined && { after }) },
        headers: { 'Idempotency-Key': key },
      })
    const part = await send('undo-no-1')
    expect((await send('undo-no-1')).body).toEqual(part.body)
    expect(part.body).toMatchObject({ restored: 2, failed: 0, next: 1 })
    expect((await send('undo-no-2', 1)).body).toMatchObject({ restored: 2, failed: 0, next: null })
    expect(await statesOf(owner)).toEqual(before)
  })
})
