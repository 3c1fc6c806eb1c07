import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { day, manyUsers, newSubscriber, newUser, signedIn, timeLeft, userOf } from '#testing/people/end-users.ts'
import { expectAllRejected, hostileBodies, notFlags, notIntegers, notLists } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

interface Outcome {
  dryRun: boolean
  done: number
  failed: number
  undoId: string | null
  counts: Record<string, number>
  results: { name: string; ok: boolean; changed: boolean; code?: string; message: string }[]
}

const bulk = (body: Record<string, unknown>, by = owner) =>
  by.visitor.send<Outcome>('POST', '/api/1.0/website/users/bulk', { body })

describe('by name', () => {
  test('bans and unbans, ends the sessions, and reports the result of each', async () => {
    const names = [await newSubscriber(owner), await newSubscriber(owner)] as const
    const program = await signedIn(app, owner, names[0])
    const answer = await bulk({ action: 'ban', usernames: [...names, 'nobody-here'] })
    expect(answer.body).toMatchObject({
      code: 'USERS_BULK_OK',
      message: '2 done, 1 failed',
      values: { done: 2, failed: 1 },
      done: 2,
      failed: 1,
      dryRun: false,
      counts: { changed: 2, unchanged: 0, inUse: 2, notFound: 1 },
    })
    expect(answer.body.results).toEqual([
      { name: 'nobody-here', ok: false, changed: false, code: 'USER_NOT_FOUND', message: 'User not found' },
      ...names.map((name) => ({ name, ok: true, changed: true, message: '' })),
    ])
    expect((await program.heartbeat()).body.code).toBe('USER_BANNED')
    await bulk({ action: 'unban', usernames: [...names] })
    for (const name of names) expect(await userOf(owner, name)).toMatchObject({ banned: false })
  })

  test.each([
    ['ban', 'unban'],
    ['pause', 'unpause'],
  ])('reports as changed only those who were not so before: %s and %s', async (action, opposite) => {
    const usernames = [await newSubscriber(owner), await newSubscriber(owner)]
    const changed = async (action: string, of = usernames) =>
      (await bulk({ action, usernames: of })).body.results.map((each) => [each.ok, each.changed])
    expect(await changed(action, usernames.slice(1))).toEqual([[true, true]])
    expect(await changed(action)).toEqual([
      [true, true],
      [true, false],
    ])
    await bulk({ action: opposite, usernames: usernames.slice(0, 1) })
    expect(await changed(opposite)).toEqual([
      [true, false],
      [true, true],
    ])
  })

  test('pauses, unpauses, unbinds and deletes', async () => {
    const usernames = [await newSubscriber(owner)]
    const username = usernames[0] as string
    await signedIn(app, owner, username)
    await bulk({ action: 'pause', usernames })
    expect(await userOf(owner, username)).toMatchObject({ paused: true })
    await bulk({ action: 'unpause', usernames })
    expect(await userOf(owner, username)).toMatchObject({ paused: false })
    expect((await userOf(owner, username))?.hwid).not.toBe('')
    await bulk({ action: 'reset-hwid', usernames })
    expect(await userOf(owner, username)).toMatchObject({ hwid: '' })
    await bulk({ action: 'delete', usernames })
    expect(await userOf(owner, username)).toBeUndefined()
  })

  test('extends and subtracts, and gives the reason for each who was left alone', async () => {
    const [running, lifetime, without] = [
      await newSubscriber(owner, { days: 3 }),
      await newSubscriber(owner, { days: null }),
      await newUser(owner),
    ]
    const selection = { usernames: [running, lifetime, without], duration: 1, unit: 'days', subscription: 1 }
    const extended = await bulk({ action: 'extend', ...selection })
    expect(extended.body).toMatchObject({
      done: 1,
      failed: 2,
      counts: { changed: 1, notFound: 0, withoutSubscription: 1, lifetime: 1 },
    })
    const reasons = extended.body.results.map(({ name, code, message }) => [name, code, message])
    expect(reasons).toEqual([
      [lifetime, 'SUBSCRIPTION_NEVER_ENDS', 'The subscription never ends'],
      [without, 'USER_SUBSCRIPTION_NOT_FOUND', 'The user does not have this subscription'],
      [running, undefined, ''],
    ])
    expect(Number(await timeLeft(owner, running))).toBeGreaterThan(4 * day - 60)
    await bulk({ action: 'subtract', ...selection, duration: 2 })
    expect(Number(await timeLeft(owner, running))).toBeLessThanOrEqual(2 * day)
    await bulk({ action: 'subtract', ...selection, duration: 9 })
    const expired = await bulk({ action: 'extend', ...selection })
    expect(expired.body.results).toContainEqual(
      expect.objectContaining({ name: running, code: 'SUBSCRIPTION_EXPIRED', message: 'The subscription has expired' }),
    )
    expect(expired.body.counts).toMatchObject({ changed: 0, expired: 1 })
    expect((await bulk({ action: 'extend', ...selection, extendExpired: true })).body.counts['changed']).toBe(1)
  })

  test.each(['ban', 'unban', 'pause', 'unpause', 'reset-hwid', 'delete', 'extend', 'subtract'])(
    'a dry run of %s changes nothing and counts what would happen',
    async (action) => {
      const usernames = [await newSubscriber(owner), await newUser(owner), 'nobody-here']
      const before = await databaseDigest(app.db)
      const { body } = await bulk({ action, usernames, duration: 1, unit: 'days', subscription: 1, dryRun: true })
      const timed = action === 'extend' || action === 'subtract'
      // No user is banned or paused, and no machine is bound.
      const changed = timed ? 1 : action === 'ban' || action === 'pause' || action === 'delete' ? 2 : 0
      const [done, failed] = timed ? [1, 2] : [2, 1]
      expect(body).toMatchObject({
        code: 'USERS_BULK_PREVIEW_OK',
        message: `${done} would be done, ${failed} skipped`,
        dryRun: true,
        undoId: null,
        done,
        failed,
      })
      expect(body.counts).toEqual({
        changed,
        unchanged: timed ? 0 : 2 - changed,
        inUse: changed > 0 ? 1 : 0,
        notFound: 1,
        ...(timed && { withoutSubscription: 1 }),
      })
      expect(await databaseDigest(app.db)).toBe(before)
    },
  )
})

describe('by filter', () => {
  test('acts on every user of it, over many batches, and on nobody else', async () => {
    const other = await newOwnerWithApp(app)
    await manyUsers(app, other, { prefix: 'ended', amount: 1203, expiresAt: app.now() - 1 })
    await manyUsers(app, other, { prefix: 'active', amount: 3, expiresAt: null })
    const { body } = await bulk({ action: 'ban', filter: { status: 'expired' }, expectedCount: 1203 }, other)
    expect(body).toMatchObject({ done: 1203, failed: 0 })
    expect(body.results).toHaveLength(1000)
    expect((await other.visitor.call('GET /users')).body.counts).toMatchObject({ banned: 1203, active: 3, expired: 0 })
  })

  test('rejects when the filter no longer matches as many as the person saw', async () => {
    const other = await newOwnerWithApp(app)
    await manyUsers(app, other, { prefix: 'some', amount: 5, expiresAt: null })
    const before = await databaseDigest(app.db)
    const answer = await bulk({ action: 'delete', filter: { status: 'active' }, expectedCount: 4 }, other)
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'SELECTION_CHANGED', message: 'The list has changed: 5 rows now match. Please check again.' },
    })
    expect(await databaseDigest(app.db)).toBe(before)
  })

  test('a dry run of a filter needs no count and gives one', async () => {
    const other = await newOwnerWithApp(app)
    await manyUsers(app, other, { prefix: 'yes', amount: 4, expiresAt: app.now() + day })
    await manyUsers(app, other, { prefix: 'no', amount: 3 })
    await app.db.searchSettled()
    const extend = { action: 'extend', duration: 1, unit: 'days', subscription: 1, dryRun: true }
    expect((await bulk({ ...extend, filter: {} }, other)).body).toMatchObject({
      done: 4,
      counts: { withoutSubscription: 3 },
    })
    expect((await bulk({ ...extend, filter: { search: 'yes-1' } }, other)).body).toMatchObject({ done: 1, failed: 0 })
  })

  test('without names, and without a filter or its count, there is nobody to act on', async () => {
    for (const body of [{}, { usernames: [] }, { filter: {} }, { expectedCount: 1 }]) {
      const answer = await bulk({ action: 'delete', ...body })
      expect(answer).toMatchObject({ status: 400, body: { code: 'NO_USERS_SELECTED', message: 'No users selected' } })
    }
  })
})

describe('rejecting', () => {
  test('hostile bodies are rejected and nothing changes', async () => {
    const usernames = [await newSubscriber(owner)]
    const valid = { action: 'extend', usernames, duration: 1, unit: 'days', subscription: 1 }
    await expectAllRejected(app, owner.visitor, '/users/bulk', [
      ...hostileBodies(valid, {
        action: ['', 'drop', 5, null, [], {}, ['ban'], '__proto__'],
        usernames: notLists,
        filter: ['x', 5, [], null, { noSuchField: 1 }, { status: 'frozen' }],
        expectedCount: notIntegers,
        duration: [...notIntegers, 0],
        unit: ['lifetime', 5, null],
        extendExpired: notFlags,
        dryRun: notFlags,
      }),
      { action: 'extend', usernames, unit: 'days', subscription: 1 },
      { action: 'extend', usernames, duration: 1, unit: 'days' },
      { action: 'subtract', usernames, duration: 1 },
      { usernames },
    ])
  })

  test("another owner's users look like missing ones", async () => {
    const stranger = await newOwnerWithApp(app)
    const username = await newSubscriber(owner)
    const answer = await bulk({ action: 'delete', usernames: [username] }, stranger)
    expect(answer.body).toMatchObject({
      done: 0,
      failed: 1,
      results: [{ name: username, ok: false, changed: false, message: 'User not found' }],
    })
    expect(await userOf(owner, username)).toBeDefined()
  })
})
