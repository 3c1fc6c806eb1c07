import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Calls } from '#contract/calls.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
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
