import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Calls } from '#contract/calls.ts'
import type { Database } from '#database/database.ts'
import { runBulk } from '#server/bulk/bulk.ts'
import {
  day,
  manyUsers,
  newSubscriber,
  passTime,
  signedIn,
  subscribe,
  timeLeft,
  userOf,
  userPassword,
} from '#testing/people/end-users.ts'
import { expectAllRejected, hostileBodies } from '#testing/faults/hostile-input.ts'
import { ownerOfFiveUsers, userStatesOf } from '#testing/people/five-users.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { flagAction, userRows } from './bulk-users.actions.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

type Body = Calls['POST /users/bulk']['body']

const bulk = (owner: OwnedApp, body: Body) => owner.visitor.call('POST /users/bulk', { body })
const undo = (owner: OwnedApp, undoId: string | null, more: object = {}) =>
  owner.visitor.call('POST /users/undo', { body: { undoId: undoId as string, ...more } })

const statesOf = (owner: OwnedApp) => userStatesOf(app, owner)
const ownerOfFive = () => ownerOfFiveUsers(app)

const actions: [string, Omit<Body, 'usernames' | 'filter'>][] = [
  ['a ban', { action: 'ban' }],
  ['an unban', { action: 'unban' }],
  ['a pause', { action: 'pause' }],
  ['an unpause', { action: 'unpause' }],
  ['a reset of machines', { action: 'reset-hwid' }],
  ['added time', { action: 'extend', subscription: 1, duration: 3, unit: 'weeks' }],
  [
    'added time that wakes what has ended',
    { action: 'extend', subscription: 2, duration: 3, unit: 'weeks', extendExpired: true },
  ],
  ['time taken from one level', { action: 'subtract', subscription: 1, duration: 4, unit: 'days' }],
  ['time taken from all levels, to their end', { action: 'subtract', duration: 2, unit: 'years' }],
]

describe('undo restores exactly the state before', () => {
  test.each(actions)('after %s on a whole filter, in batches that share one undo', async (_name, action) => {
    const { owner } = await ownerOfFive()
    if (action.extendExpired) await passTime(app, owner, 6 * day)
    const before = await statesOf(owner)
    let undoId: string | null = null
    let after: number | null = null
    do {
      const { status, body }: Awaited<ReturnType<typeof bulk>> = await bulk(owner, {
        ...action,
        filter: {},
        expectedCount: 5,
        maxRows: 2,
        ...(after !== null && { after }),
        ...(undoId !== null && { undoId }),
      })
      expect(status).toBe(200)
      undoId = body.undoId
      after = body.next
    } while (after !== null)
    expect(await statesOf(owner)).not.toEqual(before)
    await passTime(app, owner, 600)
    const { status, body } = await undo(owner, undoId)
    expect([status, body.code, body.failed, body.next]).toEqual([200, 'USERS_UNDO_OK', 0, null])
    expect(body).toMatchObject({
      message: `${body.restored} restored, 0 changed since`,
      values: { restored: body.restored, failed: 0 },
    })
    expect(await statesOf(owner)).toEqual(before)
    // Already undone: a second click finds nothing and does no harm.
    expect((await undo(owner, undoId)).body).toMatchObject({ restored: 0, failed: 0 })
    expect(await statesOf(owner)).toEqual(before)
  })

  test('after a change of a thousand listed users at once', async () => {
    const owner = await newOwnerWithApp(app)
    const usernames = await manyUsers(app, owner, { prefix: 'thousand', amount: 1000 })
    await bulk(owner, { action: 'ban', usernames: usernames.slice(0, 10) })
    await bulk(owner, { action: 'pause', usernames: usernames.slice(5, 505) })
    const before = await statesOf(owner)
    for (const [action, changed] of [
      ['ban', 990],
      ['unpause', 500],
    ] as const) {
      const headers = { 'idempotency-key': `${action}-at-once` }
      const { body } = await owner.visitor.call('POST /users/bulk', { body: { action, usernames }, headers })
      expect(body).toMatchObject({ done: 1000, failed: 0, counts: { changed, unchanged: 1000 - changed } })
      expect((await undo(owner, body.undoId)).body).toMatchObject({ restored: changed, failed: 0, next: null })
      expect(await statesOf(owner)).toEqual(before)
    }
  })

  test('one batch at a time, and once for one Idempotency-Key', async () => {
    const { owner, names } = await ownerOfFive()
    const before = await statesOf(owner)
    const first = await bulk(owner, { action: 'ban', usernames: [names.bound, names.without] })
    const undoId = first.body.undoId as string
    const second = await bulk(owner, { action: 'ban', usernames: [names.lifetime], undoId })
    expect(second.body.undoId).toBe(undoId)
    const send = () =>
      owner.visitor.call('POST /users/undo', { body: { undoId }, headers: { 'idempotency-key': 'undo-batch-1' } })
    const [part, again] = [await send(), await send()]
    expect(part.body).toMatchObject({ restored: 1, failed: 0, next: expect.any(Number) })
    expect(again.body).toEqual(part.body)
    expect((await undo(owner, undoId, { maxRows: 1 })).body).toMatchObject({ restored: 2, next: null })
    expect(await statesOf(owner)).toEqual(before)
  })

  test('with effect on programs at once: bans, pauses, and machines', async () => {
    const owner = await newOwnerWithApp(app)
    const username = await newSubscriber(owner)
    const program = await signedIn(app, owner, username)
    const paused = await bulk(owner, { action: 'pause', usernames: [username] })
    expect((await program.heartbeat()).body.code).toBe('USER_PAUSED')
    await undo(owner, paused.body.undoId)
    expect((await program.heartbeat()).body.success).toBe(true)
    const reset = await bulk(owner, { action: 'reset-hwid', usernames: [username] })
    await undo(owner, reset.body.undoId)
    const other = await Program.of(app, owner)
    other.hwid = 'another-machine-altogether'
    await other.init()
    expect((await other.login(username, userPassword)).body.code).toBe('HWID_MISMATCH')
    const banned = await bulk(owner, { action: 'ban', usernames: [username] })
    await undo(owner, banned.body.undoId)
    expect((await (await signedIn(app, owner, username)).heartbeat()).body.success).toBe(true)
  })
})

describe('a user changed by somebody since stays unchanged and is counted', () => {
  test("time: a new level since then doesn't count as a change, a change of the same level does", async () => {
    const { owner, names } = await ownerOfFive()
    const usernames = [names.bound, names.banned, names.paused]
    const { body } = await bulk(owner, { action: 'extend', usernames, subscription: 1, duration: 2, unit: 'days' })
    await subscribe(owner, names.banned, { level: 2 })
    const params = { username: names.bound, id: 1 }
    await owner.visitor.call('PUT /user/{username}/subscriptions/{id}', { params, body: { duration: 77 } })
    expect((await undo(owner, body.undoId)).body).toMatchObject({
      restored: 2,
      failed: 1,
      message: '2 restored, 1 changed since',
    })
    expect(await timeLeft(owner, names.bound)).toBeGreaterThan(76 * day)
    expect(await timeLeft(owner, names.banned)).toBeLessThan(20 * day)
    expect(await timeLeft(owner, names.banned, 2)).toBeGreaterThan(29 * day)
  })

  test("a subscription removed since doesn't come back", async () => {
    const { owner, names } = await ownerOfFive()
    const usernames = [names.bound]
    const { body } = await bulk(owner, { action: 'subtract', usernames, duration: 1, unit: 'days' })
    await owner.visitor.call('DELETE /user/{username}/subscriptions/{id}', { params: { username: names.bound, id: 2 } })
    expect((await undo(owner, body.undoId)).body).toMatchObject({ restored: 0, failed: 1 })
    expect(await timeLeft(owner, names.bound, 2)).toBeUndefined()
  })

  test('a pause ended by hand, a machine bound since, a deleted user', async () => {
    const { owner, names } = await ownerOfFive()
    const { bound, lifetime, without } = names
    const paused = await bulk(owner, { action: 'pause', usernames: [bound, lifetime] })
    await owner.visitor.call('POST /toggle_pause_user', { body: { username: bound } })
    expect((await undo(owner, paused.body.undoId)).body).toMatchObject({ restored: 1, failed: 1 })
    const reset = await bulk(owner, { action: 'reset-hwid', usernames: [bound] })
    const program = await Program.of(app, owner)
    program.hwid = 'a-machine-that-came-since'
    await program.init()
    await program.login(bound, userPassword)
    const { hwid } = (await userOf(owner, bound)) ?? {}
    expect((await undo(owner, reset.body.undoId)).body).toMatchObject({ restored: 0, failed: 1 })
    expect((await userOf(owner, bound))?.hwid).toBe(hwid)
    const banned = await bulk(owner, { action: 'ban', usernames: [bound, without] })
    await owner.visitor.call('POST /delete_user', { body: { username: without } })
    expect((await undo(owner, banned.body.undoId)).body).toMatchObject({ restored: 1, failed: 1 })
    expect(await userOf(owner, without)).toBeUndefined()
  })
})

describe("what can't be undone", () => {
  test('offers no undo when nothing changed', async () => {
    const { owner, names } = await ownerOfFive()
    const usernames = [names.without]
    for (const action of ['unban', 'unpause', 'reset-hwid'] as const) {
      expect((await bulk(owner, { action, usernames })).body.undoId).toBeNull()
    }
  })

  test("another owner's and an unknown undo record look the same, and another action can't join one", async () => {
    const { owner, names } = await ownerOfFive()
    const other = await newOwnerWithApp(app)
    const usernames = [names.bound]
    const { body } = await bulk(owner, { action: 'ban', usernames })
    const undoId = body.undoId as string
    const before = await statesOf(owner)
    for (const [who, id] of [
      [other, undoId],
      [owner, 'nothing'],
    ] as const) {
      const rejected = await undo(who, id)
      expect([rejected.status, rejected.body.code]).toEqual([404, 'UNDO_NOT_FOUND'])
    }
    const ofLicenses = await owner.visitor.call('POST /licenses/undo', { body: { undoId } })
    expect(ofLicenses.body.code).toBe('UNDO_NOT_FOUND')
    const joined = await bulk(owner, { action: 'unban', usernames, undoId })
    expect([joined.status, joined.body.code]).toEqual([404, 'UNDO_NOT_FOUND'])
    expect(await statesOf(owner)).toEqual(before)
  })

  test('rejects hostile bodies and changes nothing', async () => {
    const { owner, names } = await ownerOfFive()
    const { body } = await bulk(owner, { action: 'ban', usernames: [names.bound] })
    const hostile = { undoId: ['', 5, null, [], {}, 'u'.repeat(41)], maxRows: [0, -1, 1.5, '1x'] }
    await expectAllRejected(app, owner.visitor, '/users/undo', [...hostileBodies({ undoId: body.undoId }, hostile), {}])
  })
})

test('a transaction that the database retries is reported once and undone completely', async () => {
  const { owner } = await ownerOfFive()
  const before = await statesOf(owner)
  const context = {
    actor: { type: 'anyone' },
    app: { id: owner.appId, ownerId: '', name: owner.appName },
    now: app.now(),
    caller: { ip: '', requestId: 'retried' },
  } as const
  // As on a deadlock in PostgreSQL: the first attempt is rolled back.
  const retrying: Database = {
    ...app.db,
    write: async (work) => {
      const first = app.db.write(async (tx) => {
        await work(tx)
        throw new Error('rolled back')
      })
      await expect(first).rejects.toThrow('rolled back')
      return app.db.write(work)
    },
  }
  const rows = userRows(retrying, context)
  const target = { filter: {}, expectedCount: 5 }
  const report = await runBulk({ db: retrying, context, rows, action: flagAction(context, 'ban'), target })
  expect(report).toMatchObject({ done: 5, failed: 0, counts: { changed: 4, unchanged: 1 } })
  expect(report.results).toHaveLength(5)
  expect((await undo(owner, report.undoId)).body).toMatchObject({ restored: 4, failed: 0 })
  expect(await statesOf(owner)).toEqual(before)
})
