import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { day, manyUsers, newSubscriber, signedIn, userOf } from '#testing/people/end-users.ts'
import { expectAllRejected, hostileBodies, notFlags, notIntegers } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let bystander: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  bystander = await newOwnerWithApp(app)
  await manyUsers(app, bystander, { prefix: 'bystander', amount: 3 })
})
afterAll(() => app.close())

const calls = ['/delete_expired_users', '/delete_all_users', '/reset_all_hwid', '/unban_all_users'] as const
const post = (owner: OwnedApp, path: (typeof calls)[number], body: object = {}) =>
  owner.visitor.send<Record<string, unknown>>('POST', `/api/1.0/website${path}`, { body })
const countsOf = async (owner: OwnedApp) => (await owner.visitor.call('GET /users')).body.counts

describe('delete_expired_users', () => {
  test('deletes only users whose status is Expired, over many batches', async () => {
    const owner = await newOwnerWithApp(app)
    const now = app.now()
    await manyUsers(app, owner, { prefix: 'ended', amount: 1100, expiresAt: now - 1 })
    await manyUsers(app, owner, { prefix: 'without', amount: 5 })
    await manyUsers(app, owner, { prefix: 'active', amount: 4, expiresAt: now + day })
    await manyUsers(app, owner, { prefix: 'lifetime', amount: 3, expiresAt: null })
    await manyUsers(app, owner, { prefix: 'banned', amount: 1, expiresAt: now - 1 })
    await manyUsers(app, owner, { prefix: 'paused', amount: 1, expiresAt: now - 1 })
    await owner.visitor.call('POST /toggle_ban_user', { body: { username: 'banned-0' } })
    await owner.visitor.call('POST /toggle_pause_user', { body: { username: 'paused-0' } })
    expect((await post(owner, '/delete_expired_users', { dryRun: true })).body).toMatchObject({
      deleted: 1105,
      dryRun: true,
    })
    const answer = await post(owner, '/delete_expired_users', { expectedCount: 1105 })
    expect(answer.body).toMatchObject({
      code: 'USERS_DELETE_OK',
      message: 'Deleted 1105 users successfully',
      values: { count: 1105 },
      deleted: 1105,
      dryRun: false,
    })
    expect(await countsOf(owner)).toEqual({ total: 9, banned: 1, paused: 1, active: 7, expired: 0 })
    expect((await post(owner, '/delete_expired_users')).body).toMatchObject({ deleted: 0 })
  })
})

describe('delete_all_users', () => {
  test("deletes all users of the app, ends their sessions, and doesn't touch other apps", async () => {
    const owner = await newOwnerWithApp(app)
    const username = await newSubscriber(owner)
    const program = await signedIn(app, owner, username)
    await manyUsers(app, owner, { prefix: 'all', amount: 1001, expiresAt: null })
    expect((await post(owner, '/delete_all_users')).body).toMatchObject({
      deleted: 1002,
      code: 'USERS_DELETE_OK',
      message: 'Deleted 1002 users successfully',
      values: { count: 1002 },
    })
    expect(await countsOf(owner)).toMatchObject({ total: 0 })
    expect((await program.heartbeat()).body.code).toBe('SESSION_ENDED')
    const left = await app.db.read
      .selectFrom('user_subscriptions')
      .select('user_id')
      .where('app_id', '=', owner.appId)
      .execute()
    expect(left).toEqual([])
    expect(await countsOf(bystander)).toMatchObject({ total: 3 })
  })
})

describe('reset_all_hwid', () => {
  test('unbinds every machine, and counts only users who had one', async () => {
    const owner = await newOwnerWithApp(app)
    const names = [await newSubscriber(owner), await newSubscriber(owner)]
    for (const name of names) await signedIn(app, owner, name)
    await newSubscriber(owner)
    expect((await post(owner, '/reset_all_hwid', { dryRun: true })).body).toMatchObject({ reset: 2 })
    expect((await userOf(owner, names[0] as string))?.hwid).not.toBe('')
    expect((await post(owner, '/reset_all_hwid')).body).toMatchObject({
      reset: 2,
      code: 'USERS_HWID_RESET_OK',
      message: 'HWID of 2 users reset successfully',
      values: { count: 2 },
    })
    for (const name of names) expect((await userOf(owner, name))?.hwid).toBe('')
  })
})

describe('unban_all_users', () => {
  test('unbans every banned user, over many batches, and keeps pauses', async () => {
    const owner = await newOwnerWithApp(app)
    const names = await manyUsers(app, owner, { prefix: 'banned', amount: 700, expiresAt: null })
    await owner.visitor.call('POST /users/bulk', { body: { action: 'ban', usernames: names } })
    await owner.visitor.call('POST /toggle_pause_user', { body: { username: 'banned-5' } })
    expect((await post(owner, '/unban_all_users')).body).toMatchObject({
      unbanned: 700,
      code: 'USERS_UNBAN_OK',
      message: 'Unbanned 700 users successfully',
      values: { count: 700 },
    })
    expect(await countsOf(owner)).toMatchObject({ total: 700, banned: 0, paused: 1, active: 699 })
  })
})

describe.each(calls)('%s', (path) => {
  test('rejects a number of users other than expected, and a dry run changes nothing', async () => {
    const before = await databaseDigest(app.db)
    const answer = await post(bystander, path, { expectedCount: 17 })
    expect(answer).toMatchObject({ status: 409, body: { code: 'SELECTION_CHANGED' } })
    expect((await post(bystander, path, { dryRun: true })).status).toBe(200)
    expect(await databaseDigest(app.db)).toBe(before)
  })

  test('rejects hostile bodies and changes nothing', async () => {
    const bodies = hostileBodies(
      { dryRun: true },
      { dryRun: notFlags, expectedCount: notIntegers, appName: [5, null, [], ''] },
    )
    await expectAllRejected(app, bystander.visitor, path, bodies)
  })
})
