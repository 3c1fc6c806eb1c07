import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Tx } from '#database/database.ts'
import { deleteLicenses, setLicensesBanned } from '#features/licenses/licenses.actions.ts'
import { lockLicenseRows } from '#features/licenses/licenses.writes.ts'
import { setUsersBanned } from '#features/users/user-access.actions.ts'
import { deleteUsersById } from '#features/users/users.actions.ts'
import { enqueueJobs } from '#server/jobs/jobs.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/**
 * The sessions of a license shared by thousands of programs end in batches, but each program is rejected immediately.
 */

const sessions = 3500
const batch = 1000

let app: TestApp
let owner: OwnedApp
let program: Program
let own: { app_id: string; user_id: number; license_id: number; key: string }

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  const [key = ''] = await newLicenses(owner, 1)
  program = await Program.of(app, owner)
  await program.init()
  await program.license(key)
  const row = await rowOf()
  own = { app_id: row.app_id, user_id: Number(row.user_id), license_id: Number(row.license_id), key }
  await insertSessions(sessions, {})
})

const rowOf = () =>
  app.db.read
    .selectFrom('client_sessions')
    .selectAll()
    .where('app_id', '=', owner.appId)
    .limit(1)
    .executeTakeFirstOrThrow()

/** Adds copies of the existing session. */
async function insertSessions(count: number, columns: { created_at?: number }): Promise<void> {
  const row = { ...(await rowOf()), ...columns, ended_code: null }
  const rows = Array.from({ length: count }, () => ({
    ...row,
    token_hash: randomBytes(32).toString('base64url'),
    handle: randomUUID(),
  }))
  await app.db.write(async ({ db: trx }) => {
    for (let from = 0; from < count; from += 500)
      await trx
        .insertInto('client_sessions')
        .values(rows.slice(from, from + 500))
        .execute()
  })
}

const countOf = async ({ db }: { db: Tx['db'] | TestApp['db']['read'] }, code: string | null): Promise<number> => {
  const { n } = await db
    .selectFrom('client_sessions')
    .select((select) => select.fn.countAll<number>().as('n'))
    .where('app_id', '=', owner.appId)
    .where('ended_code', code === null ? 'is' : '=', code)
    .executeTakeFirstOrThrow()
  return Number(n)
}
const ended = (code: string | null) => countOf({ db: app.db.read }, code)
test.each(['LICENSE_BANNED', 'USER_BANNED'] as const)(
  '%s: one transaction ends a batch of sessions, and a job ends the rest',
  async (code) => {
    const { app_id: appId, user_id: userId, license_id: licenseId } = own
    const now = app.now()
    const first = await app.db.write(async (tx) => {
      if (code === 'LICENSE_BANNED') await setLicensesBanned(tx, { appId, ids: [licenseId], banned: true, now })
      else await setUsersBanned(tx, { appId, users: [{ id: userId }], banned: true, now })
      return countOf(tx, code)
    })
    expect(first).toBe(batch)
    expect((await program.heartbeat()).body.code).toBe(code)
    await app.jobsDone()
    expect([await ended(code), await ended(null)]).toEqual([sessions + 1, 0])
    expect((await program.heartbeat()).body.code).toBe(code)
  },
)

test.each(['license', 'user'] as const)(
  'deleting a %s: one transaction ends a batch of its sessions, and a job ends the rest',
  async (what) => {
    expect((await program.heartbeat()).body.success).toBe(true)
    await insertSessions(1, {})
    const { app_id: appId, user_id: userId, license_id: licenseId } = own
    const now = app.now()
    const actor = { type: 'system' as const }
    const context = { actor, app: { id: appId, ownerId: owner.id, name: '' }, now, caller: { ip: '', requestId: '' } }
    const first = await app.db.write(async (tx) => {
      if (what === 'user') await deleteUsersById(tx, context, [userId])
      else {
        const licenses = await lockLicenseRows(tx.db, appId, { ids: [licenseId] })
        await deleteLicenses(tx, context, licenses, { withUsers: false, refund: false })
      }
      return countOf(tx, 'SESSION_ENDED')
    })
    expect(first).toBe(batch)
    // Without the license, the user has no access.
    const codes = what === 'user' ? ['SESSION_ENDED'] : ['SESSION_ENDED', 'SUBSCRIPTION_EXPIRED']
    expect(codes).toContain((await program.heartbeat()).body.code)
    await app.jobsDone()
    expect((await program.heartbeat()).body.code).toBe('SESSION_ENDED')
    expect([await ended('SESSION_ENDED'), await ended(null)]).toEqual([sessions + 2, 0])
  },
)

test('a session of a deleted user is rejected before its row is marked', async () => {
  expect((await program.heartbeat()).body.success).toBe(true)
  await app.db.write(async (tx) => {
    await tx.db.deleteFrom('users').where('id', '=', own.user_id).execute()
    tx.publish(`access:${owner.appId}`)
  })
  for (const call of ['heartbeat', 'logout'] as const) expect((await program[call]()).body.code).toBe('SESSION_ENDED')
})

test('a session of a banned license is rejected before its row is marked (R-CLI-06)', async () => {
  expect((await program.heartbeat()).body.success).toBe(true)
  await app.db.write(async (tx) => {
    await tx.db.updateTable('licenses').set({ banned: 1 }).where('license', '=', own.key).execute()
    tx.publish(`access:${owner.appId}`)
  })
  for (const call of ['heartbeat', 'logout'] as const) expect((await program[call]()).body.code).toBe('LICENSE_BANNED')
})

test('a sign-in after a ban was lifted goes on, also in a session that was opened before the ban', async () => {
  const { app_id: appId, user_id: userId } = own
  await owner.visitor.call('POST /update_app', { body: { settings: { oneSessionPerCredential: false } } })
  const [opened, signedIn] = [await Program.of(app, owner), await Program.of(app, owner)]
  for (const each of [opened, signedIn]) await each.init()
  await signedIn.license(own.key)
  const now = app.now()
  app.advance(60)
  for (const each of [opened, signedIn]) expect((await each.license(own.key)).body.success).toBe(true)
  const choice = { appId, userIds: [userId], startedUntil: now }
  const job = { kind: 'sessions.end', lane: appId, payload: { choice, code: 'USER_BANNED' }, dueAt: now }
  await app.db.write((tx) => enqueueJobs(tx, [job], now))
  await app.jobsDone()
  expect([await ended('USER_BANNED'), await ended(null)]).toEqual([sessions + 1, 2])
  for (const each of [opened, signedIn]) expect((await each.heartbeat()).body.success).toBe(true)
})

test('sessions from before a ban end although it was lifted, and new ones continue', async () => {
  const { app_id: appId, license_id: licenseId } = own
  const now = app.now()
  await app.stop()
  for (const banned of [true, false])
    await app.db.write((tx) => setLicensesBanned(tx, { appId, ids: [licenseId], banned, now }))
  await insertSessions(1, { created_at: now + 1 })
  expect(await ended('LICENSE_BANNED')).toBe(batch)
  await app.start()
  await app.jobsDone()
  expect([await ended('LICENSE_BANNED'), await ended(null)]).toEqual([sessions + 1, 1])
  expect((await program.heartbeat()).body.code).toBe('LICENSE_BANNED')
})
