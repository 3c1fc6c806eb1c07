import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { licensedByNow } from '#features/bin/licensed-subscriptions.ts'
import { undoUserActions } from '#features/users/users-undo.actions.ts'
import type { AppContext } from '#server/audit/audit.ts'
import { runUndo, type UndoActions } from '#server/bulk/undo.ts'
import { day, timeLeft } from '#testing/people/end-users.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { undoLicenseActions } from './licenses-undo.actions.ts'

/** Actions on licenses and on the users who redeemed them, at the same time. */

let app: TestApp
let owner: OwnedApp
beforeAll(async () => void (app = await startTestApp()))
afterAll(() => app.close())
beforeEach(async () => void (owner = await newOwnerWithApp(app)))

const post = (call: string, body: object) =>
  owner.visitor.send<Record<string, unknown>>('POST', `/api/1.0/website/${call}`, { body })

async function redeemed(): Promise<string> {
  const [key = ''] = await newLicenses(owner, 1)
  const program = await Program.of(app, owner)
  await program.init()
  expect((await program.license(key)).status).toBe(200)
  return key
}

type Call = () => Promise<{ status: number }>

/** Starts a call, and continues once it is done or waits for a row. */
async function startBeside(call: Call): Promise<{ ended: ReturnType<Call> }> {
  const waiting = sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const ended = call()
  let isDone = false
  void ended.then(() => (isDone = true))
  // On SQLite, transactions run one after the other.
  if (app.db.engine === 'postgres')
    await expect.poll(async () => isDone || (await waiting.execute(app.db.read)).rows.length > 0).toBe(true)
  return { ended }
}

const runUndoOf = <S>(undoId: unknown, undo: UndoActions<S>) =>
  runUndo({ db: app.db, context: context(), undoId: String(undoId), undo })

/** Starts a call after the undo has compared the states. */
async function undoBeside<S>(undoId: unknown, undo: UndoActions<S>, call: Call) {
  let other: { ended: ReturnType<Call> } | undefined
  await runUndoOf(undoId, {
    ...undo,
    async snapshot(...given) {
      const states = await undo.snapshot(...given)
      other = await startBeside(call)
      return states
    },
  })
  expect((await other?.ended)?.status).toBe(200)
}

const context = (): AppContext => ({
  actor: { type: 'system' },
  app: { id: owner.appId, ownerId: owner.id, name: owner.appName },
  now: app.now(),
  caller: { ip: '', requestId: 'x' },
})

const daysLeft = async (key: string) => Math.round(((await timeLeft(owner, key)) ?? 0) / day)

test('undoing time added to a license keeps the time that its user gets at the same moment', async () => {
  const key = await redeemed()
  const { body } = await post('add_time_licenses', { licenses: [key], duration: 10, expiryUnit: 'days' })
  expect(await daysLeft(key)).toBe(40)
  const time = { usernames: [key], duration: 100, unit: 'days', subscription: 1 }
  await undoBeside(body['undoId'], undoLicenseActions(context()), () => post('bulk_extend_users', time))
  expect(await daysLeft(key)).toBe(130)
})

test('undoing time added to a user keeps the time that the license gets at the same moment', async () => {
  const key = await redeemed()
  const time = { duration: 10, unit: 'days', subscription: 1 }
  const { body } = await post('users/bulk', { action: 'extend', usernames: [key], ...time })
  expect(await daysLeft(key)).toBe(40)
  const more = { licenses: [key], duration: 100, expiryUnit: 'days' }
  await undoBeside(body['undoId'], undoUserActions(context(), licensedByNow(context())), () =>
    post('add_time_licenses', more),
  )
  expect(await daysLeft(key)).toBe(130)
})

test('bulk actions on licenses and on their users all succeed, and all of the time counts', async () => {
  const keys = await newLicenses(owner, 200)
  const now = app.now()
  const end = now + 30 * day
  await app.db.write(async ({ db }) => {
    const licenses = await db
      .selectFrom('licenses')
      .select(['id', 'license'])
      .where('app_id', '=', owner.appId)
      .execute()
    // Users and subscriptions are stored in another order than the licenses.
    for (const { id, license } of licenses.toReversed()) {
      const user = await db
        .insertInto('users')
        .values({ app_id: owner.appId, username: license, username_key: license.toLowerCase(), created_at: now })
        .returning('id')
        .executeTakeFirstOrThrow()
      const held = { app_id: owner.appId, user_id: user.id, level: 1, expires_at: end, license_id: id, created_at: now }
      await db.insertInto('user_subscriptions').values(held).execute()
      const use = { used: 1, used_by: license, used_by_user_id: user.id, used_at: now, expires_at: end }
      await db.updateTable('licenses').set(use).where('id', '=', id).execute()
    }
  })
  const rounds = 6
  for (let round = 0; round < rounds; round++) {
    const answers = await Promise.all([
      post('add_time_licenses', { licenses: keys, duration: 1, expiryUnit: 'days' }),
      post('bulk_extend_users', { usernames: keys.toReversed(), duration: 1, unit: 'days', subscription: 1 }),
      post('licenses/bulk', { action: 'add-time', licenses: keys, duration: 1, expiryUnit: 'days' }),
      post('users/bulk', { action: round % 2 ? 'unpause' : 'pause', usernames: keys }),
      post('users/bulk', { action: 'subtract', usernames: keys, duration: 1, unit: 'days' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  }
  for (const key of [keys[0], keys[100], keys[199]]) expect(await daysLeft(key ?? '')).toBe(30 + 2 * rounds)
})

test('undoing the removal of a subscription keeps the time of a license that comes back at the same moment', async () => {
  const key = await redeemed()
  const [second = ''] = await newLicenses(owner, 1)
  const program = await Program.of(app, owner)
  await program.init()
  await program.license(key)
  expect((await program.send('upgrade', { licenseKey: second })).body.success).toBe(true)
  const params = { username: key, id: 1 }
  const removal = await owner.visitor.call('DELETE /user/{username}/subscriptions/{id}', { params })
  const deletion = await post('delete_license', { licenseKey: second })
  const licensed = licensedByNow(context())
  let reads = 0
  let other: { ended: ReturnType<Call> } | undefined
  const undo = undoUserActions(context(), {
    ...licensed,
    async read(...given) {
      const found = await licensed.read(...given)
      // The last time, before what the license gave is kept for it.
      reads += 1
      if (reads === 2) other = await startBeside(() => post('bin/restore', { undoId: deletion.body['undoId'] }))
      return found
    },
  })
  expect(await runUndoOf(removal.body.undoId, undo)).toMatchObject({ restored: 1, failed: 0 })
  expect((await other?.ended)?.status).toBe(200)
  expect(await daysLeft(key)).toBe(60)
})
