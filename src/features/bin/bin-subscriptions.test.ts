import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lostSubscriptions } from '#contract/bin.ts'
import { deleteSubscription } from '#features/subscriptions/subscriptions.actions.ts'
import type { EntitlementRow } from '#features/entitlements/entitlements.reads.ts'
import type { AppContext } from '#server/audit/audit.ts'
import { endingAfter } from '#testing/faults/ending-after.ts'
import { day, newSubscriber, newUser, subscribe, timeLeft } from '#testing/people/end-users.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { restoreDeletion } from './bin.actions.ts'

let app: TestApp
let owner: OwnedApp
const level = 2

beforeAll(async () => void (app = await startTestApp()))
afterAll(() => app.close())
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  await owner.visitor.call('POST /create_subscription', { body: { level, name: 'Plus' } })
})

async function signedIn(key: string): Promise<Program> {
  const program = await Program.of(app, owner)
  await program.init()
  expect((await program.license(key)).body.success).toBe(true)
  return program
}

const remove = () => owner.visitor.call('POST /delete_subscription', { body: { level, forceDelete: true } })
const undo = (undoId: string | null, by = owner) =>
  by.visitor.call('POST /bin/restore', { body: { undoId: undoId as string } })
const listed = async () => (await owner.visitor.call('GET /bin', { query: { kind: 'subscription' } })).body
const stored = (table: 'user_subscriptions' | 'subscriptions' | 'licenses' | 'bin_items') =>
  app.db.read.selectFrom(table).selectAll().where('app_id', '=', owner.appId).execute()
const state = async () => ({
  levels: await stored('subscriptions'),
  users: (await stored('user_subscriptions')).toSorted((one, other) =>
    JSON.stringify(one) < JSON.stringify(other) ? -1 : 1,
  ),
  keys: (await stored('licenses')).map((row) => 'license' in row && row.license).toSorted(),
})

/** Users who have the level without a license. */
async function newUsers(count: number): Promise<void> {
  const now = app.now()
  const names = Array.from({ length: count }, (_each, index) => `user-${index}`)
  await app.db.write(async (tx) => {
    for (const username of names) {
      const { id } = await tx.db
        .insertInto('users')
        .values({
          app_id: owner.appId,
          username,
          username_key: username,
          password_hash: '',
          email: '',
          hwid_hash: '',
          ip: '',
          created_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await tx.db
        .insertInto('user_subscriptions')
        .values({
          app_id: owner.appId,
          user_id: id,
          level,
          expires_at: now + 1000 + Number(id),
          license_id: null,
          created_at: now,
        })
        .execute()
    }
    tx.publish(`access:${owner.appId}`)
  })
}

test('a level comes back with its users, whose programs run again, and its licenses; a pause stays', async () => {
  const keys = await newLicenses(owner, 3, { subscription: level })
  const program = await signedIn(keys[0] as string)
  await signedIn(keys[1] as string)
  await owner.visitor.call('POST /update_subscription', { body: { level, name: 'Plus *' } })
  const before = await state()
  const { body } = await remove()
  expect(body).toMatchObject({ deletedLicenses: 3, removedUsers: 2 })
  expect((await program.heartbeat()).body).toMatchObject({ success: false })
  expect((await listed()).items).toMatchObject([{ kind: 'subscription', name: 'Plus *', users: 2, status: null }])
  expect((await owner.visitor.call('GET /bin', { query: {} })).body.total).toBe(4)
  expect((await undo(body.undoId)).body).toMatchObject({ restored: 4, failed: 0, next: null })
  expect(await state()).toEqual(before)
  expect(await stored('bin_items')).toEqual([])
  expect((await program.heartbeat()).body).toMatchObject({ success: true })

  await owner.visitor.call('POST /toggle_subscription_status', { body: { level, active: false } })
  const paused = await state()
  await undo((await remove()).body.undoId)
  expect(await state()).toEqual(paused)
})

test('an unused level comes back, again and again', async () => {
  const before = await state()
  for (let round = 0; round < 2; round++) {
    const { body } = await owner.visitor.call('POST /delete_subscription', { body: { level } })
    const [item] = (await listed()).items
    const restored = await owner.visitor.call('POST /bin/restore', { body: { ids: [item?.id as number] } })
    expect(restored.body).toMatchObject({ restored: 1, undoIds: [] })
    expect((await undo(body.undoId)).body).toMatchObject({ code: 'UNDO_NOT_FOUND' })
    expect(await state()).toEqual(before)
  }
})

test('from the list, the level comes back first, and names what restores the rest', async () => {
  await newLicenses(owner, 2, { subscription: level })
  await newUsers(2)
  const before = await state()
  const { undoId } = (await remove()).body
  const [item] = (await listed()).items
  const { body } = await owner.visitor.call('POST /bin/restore', { body: { ids: [item?.id as number] } })
  expect(body).toMatchObject({ restored: 1, undoIds: [undoId] })
  expect((await undo(body.undoIds[0] as string)).body).toMatchObject({ restored: 2, failed: 0 })
  expect(await state()).toEqual(before)
})

test('nothing changes while another level has its number', async () => {
  await newLicenses(owner, 2, { subscription: level })
  await newUsers(2)
  const { undoId } = (await remove()).body
  await owner.visitor.call('POST /create_subscription', { body: { level, name: 'Another' } })
  const before = [await state(), await stored('bin_items')]
  const [item] = (await listed()).items
  const answers = [
    await undo(undoId),
    await owner.visitor.call('POST /bin/restore', { body: { ids: [item?.id as number] } }),
  ]
  for (const { status, body } of answers) expect([status, body.code]).toEqual([409, 'SUBSCRIPTION_LEVEL_TAKEN'])
  expect([await state(), await stored('bin_items')]).toEqual(before)
})

test("another owner's deletion looks like a missing one", async () => {
  const { undoId } = (await remove()).body
  const other = await newOwnerWithApp(app)
  expect((await undo(undoId, other)).body).toMatchObject({ code: 'UNDO_NOT_FOUND' })
  expect((await listed()).total).toBe(1)
})

test('a user who has the level again keeps what ends later; one who is gone is skipped, and gets it in the bin', async () => {
  await newUsers(4)
  const before = await state()
  const { undoId } = (await remove()).body
  await owner.visitor.call('POST /create_subscription', { body: { level, name: 'Meanwhile' } })
  for (const [username, days] of [
    ['user-0', 1],
    ['user-1', 1],
  ] as const) {
    await app.db.write(async (tx) => {
      const { id } = await tx.db
        .selectFrom('users')
        .select('id')
        .where('app_id', '=', owner.appId)
        .where('username', '=', username)
        .executeTakeFirstOrThrow()
      const ends = username === 'user-0' ? app.now() + 1 : null
      await tx.db
        .insertInto('user_subscriptions')
        .values({
          app_id: owner.appId,
          user_id: id,
          level,
          expires_at: ends,
          license_id: null,
          created_at: app.now() + days,
        })
        .execute()
    })
  }
  await owner.visitor.call('POST /delete_user', { body: { username: 'user-2' } })
  await app.db.write(({ db }) =>
    db.deleteFrom('subscriptions').where('app_id', '=', owner.appId).where('level', '=', level).execute(),
  )
  expect((await undo(undoId)).body).toMatchObject({ restored: 1, failed: 0 })
  const now = await stored('user_subscriptions')
  const byUser = (rows: unknown) =>
    (rows as { user_id: number; expires_at: number | null }[]).toSorted(
      (one, other) => Number(one.user_id) - Number(other.user_id),
    )
  const ends = (rows: ReturnType<typeof byUser>) => rows.map(({ expires_at }) => expires_at)
  const [first, , , fourth] = ends(byUser(before.users))
  expect(ends(byUser(now))).toEqual([first, null, fourth])
  const bin = (await owner.visitor.call('GET /bin', { query: {} })).body.items
  await owner.visitor.call('POST /bin/restore', { body: { ids: bin.map(({ id }) => id) } })
  expect((await state()).users).toHaveLength(4)
})

test('what a license gave waits for a license that is restored later', async () => {
  const [key = ''] = await newLicenses(owner, 1, { subscription: level })
  await signedIn(key)
  const before = await state()
  const { undoId } = (await remove()).body
  const [item] = (await listed()).items
  await owner.visitor.call('POST /bin/restore', { body: { ids: [item?.id as number] } })
  expect((await state()).users).toEqual([])
  await undo(undoId)
  expect(await state()).toEqual(before)
})

test.each([
  { banned: false, ends: 'later' },
  { banned: true, ends: 'as now' },
])('the time of a license that is banned: $banned ends $ends', async ({ banned }) => {
  const [key = ''] = await newLicenses(owner, 1, { subscription: level })
  await signedIn(key)
  const [before] = (await stored('user_subscriptions')) as EntitlementRow[]
  if (!before) throw new Error('The user has no subscription')
  await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: key, banned } })
  const { undoId } = (await remove()).body
  const now = { ...before, expires_at: app.now() + 60, license_id: null }
  await app.db.write(({ db }) => db.insertInto('user_subscriptions').values(now).execute())
  expect((await undo(undoId)).body).toMatchObject({ restored: 2, failed: 0 })
  const { expires_at, license_id } = banned ? now : before
  expect(await stored('user_subscriptions')).toMatchObject([{ expires_at, license_id }])
})

test.each([
  [1, 30],
  [50, 50],
])('a deleted user who had the level again for %i days comes back with what ends later', async (days, left) => {
  const username = await newSubscriber(owner, { days: 30, level })
  const { undoId } = (await remove()).body
  const [item] = (await listed()).items
  await owner.visitor.call('POST /bin/restore', { body: { ids: [item?.id as number] } })
  await subscribe(owner, username, { level, days })
  const deleted = await owner.visitor.call('POST /delete_user', { body: { username } })
  expect((await undo(undoId)).body.failed).toBe(0)
  expect((await undo(deleted.body.undoId)).body).toMatchObject({ restored: 1 })
  expect(await timeLeft(owner, username, level)).toBe(left * day)
})

test('deleting a level for good deletes what its users lost', async () => {
  await newUsers(2)
  const { undoId } = (await remove()).body
  const [item] = (await listed()).items
  const { body } = await owner.visitor.call('POST /bin/delete', { body: { ids: [item?.id as number] } })
  expect(body).toMatchObject({ deleted: 1 })
  expect(await stored('bin_items')).toEqual([])
  expect((await undo(undoId)).body).toMatchObject({ code: 'UNDO_NOT_FOUND' })
})

test('two restorations at once, and one during a deletion, double nothing', async () => {
  await newLicenses(owner, 20, { subscription: level })
  await newUsers(600)
  const before = await state()
  const { undoId } = (await remove()).body
  const answers = await Promise.all([undo(undoId), undo(undoId)])
  const sum = answers.reduce((total, { body }) => total + (body.restored ?? 0), 0)
  expect(sum).toBe(21)
  expect(await state()).toEqual(before)
  const { body } = await remove()
  const [again, restored] = await Promise.all([remove(), undo(body.undoId)])
  expect(restored.body.success).toBe(true)
  if (again.status === 200) await undo(again.body.undoId)
  // What could not be restored while the level was gone again.
  await undo(body.undoId)
  expect(await state()).toEqual(before)
  expect(await stored('bin_items')).toEqual([])
})

test('a deletion and a restoration that end between two batches of users are completed by calling again', async () => {
  await newUsers(1100)
  const before = await state()
  const context: AppContext = {
    actor: { type: 'system' },
    app: { id: owner.appId, ownerId: owner.id, name: owner.appName },
    now: app.now(),
    caller: { ip: '', requestId: 'ended' },
  }
  await expect(deleteSubscription(endingAfter(app.db, 1), context, { level, force: true })).rejects.toThrow('has ended')
  const [part] = (await stored('bin_items')) as { operation_id: string }[]
  expect((await stored('user_subscriptions')).length).toBe(600)
  const { undoId, removedUsers } = (await remove()).body
  expect(removedUsers).toBe(600)
  await expect(restoreDeletion(endingAfter(app.db, 2).write, context, { undoId: undoId as string })).rejects.toThrow(
    'has ended',
  )
  const first = await owner.visitor.call('POST /bin/restore', { body: { undoId: undoId as string, maxRows: 500 } })
  expect(first.body.next).not.toBeNull()
  await undo(undoId)
  await undo(part?.operation_id as string)
  expect(await state()).toEqual(before)
  expect(await stored('bin_items')).toEqual([])
})

test('what users lost with a level, also twice, is neither restored nor deleted by its own ID', async () => {
  const username = await newUser(owner)
  const create = () => owner.visitor.call('POST /create_subscription', { body: { level, name: 'Plus' } })
  const deletions: (string | null)[] = []
  for (const days of [10, 20]) {
    await create()
    await subscribe(owner, username, { days, level })
    deletions.push((await remove()).body.undoId)
  }
  await create()
  const items = await app.db.read.selectFrom('bin_items').selectAll().where('app_id', '=', owner.appId).execute()
  const hidden = items.filter(({ kind }) => kind === lostSubscriptions).map(({ id }) => Number(id))
  expect(hidden).toHaveLength(2)
  const restore = (ids: number[]) => owner.visitor.call('POST /bin/restore', { body: { ids } })
  const missing = { status: 404, body: { code: 'BIN_ITEM_NOT_FOUND' } }
  expect(await restore(hidden.slice(0, 1))).toMatchObject(missing)
  expect((await restore(hidden)).body).toMatchObject({ restored: 0, failed: 2, failures: [] })
  expect(await owner.visitor.call('POST /bin/delete', { body: { ids: hidden } })).toMatchObject(missing)
  expect(await timeLeft(owner, username, level)).toBeUndefined()
  await owner.visitor.call('POST /delete_subscription', { body: { level } })
  expect((await undo(deletions[1] ?? null)).body).toMatchObject({ restored: 1, failed: 0 })
  expect(await timeLeft(owner, username, level)).toBe(20 * day)
})
