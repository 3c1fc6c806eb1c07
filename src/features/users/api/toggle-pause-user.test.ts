import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maxEpochSeconds } from '#contract/epoch-seconds.ts'
import {
  day,
  newSubscriber,
  passTime,
  signedIn,
  subscribe,
  timeLeft,
  userOf,
  userPassword,
} from '#testing/people/end-users.ts'
import { expectAllRejected, hostileBodies, notFlags, notTexts } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Pro' } })
})
afterAll(() => app.close())

const toggle = (body: { username: string; paused?: boolean }) => owner.visitor.call('POST /toggle_pause_user', { body })
const endOf = async (username: string, level = 1) => {
  const entitlement = await app.db.read
    .selectFrom('user_subscriptions as entitlement')
    .innerJoin('users', 'users.id', 'entitlement.user_id')
    .select(['entitlement.expires_at', 'users.paused_at'])
    .where('users.username', '=', username)
    .where('entitlement.level', '=', level)
    .executeTakeFirstOrThrow()
  return entitlement
}

describe('pausing', () => {
  test('stops the time, and resuming gives back what was left, to the second', async () => {
    const username = await newSubscriber(owner, { days: 10 })
    await subscribe(owner, username, { level: 2, days: null })
    expect((await toggle({ username })).body).toMatchObject({
      code: 'USER_PAUSE_OK',
      message: 'User paused successfully',
      paused: true,
    })
    const { expires_at: end, paused_at: pausedAt } = await endOf(username)
    const left = Number(end) - Number(pausedAt)
    await passTime(app, owner, 3 * day)
    expect(await userOf(owner, username)).toMatchObject({ paused: true, hasActiveSubscription: true })
    expect(await timeLeft(owner, username)).toBe(left)
    const before = app.now()
    expect((await toggle({ username })).body).toMatchObject({
      code: 'USER_UNPAUSE_OK',
      message: 'User unpaused successfully',
      paused: false,
    })
    const moved = (await endOf(username)).expires_at as number
    expect(moved - left).toBeGreaterThanOrEqual(before)
    expect(moved - left).toBeLessThanOrEqual(app.now())
    expect(await endOf(username, 2)).toMatchObject({ expires_at: null, paused_at: null })
  })

  test('a subscription that ended before the pause stays ended', async () => {
    const username = await newSubscriber(owner, { days: 1 })
    await passTime(app, owner, 2 * day)
    const { expires_at: end } = await endOf(username)
    await toggle({ username })
    await passTime(app, owner, day)
    await toggle({ username })
    expect(await endOf(username)).toMatchObject({ expires_at: end })
  })

  test('pausing twice, or resuming twice, counts once', async () => {
    const username = await newSubscriber(owner, { days: 10 })
    await toggle({ username, paused: true })
    const { expires_at: end, paused_at: pausedAt } = await endOf(username)
    await passTime(app, owner, day)
    expect((await toggle({ username, paused: true })).body.paused).toBe(true)
    expect(await endOf(username)).toEqual({ expires_at: end, paused_at: pausedAt })
    await toggle({ username, paused: false })
    const resumed = await endOf(username)
    await passTime(app, owner, day)
    expect((await toggle({ username, paused: false })).body.paused).toBe(false)
    expect(await endOf(username)).toEqual(resumed)
  })

  test('20 concurrent calls to resume give the time back once', async () => {
    const username = await newSubscriber(owner, { days: 10 })
    await toggle({ username, paused: true })
    const { expires_at: end } = await endOf(username)
    await passTime(app, owner, 5 * day)
    await Promise.all(Array.from({ length: 20 }, () => toggle({ username, paused: false })))
    const moved = ((await endOf(username)).expires_at as number) - Number(end)
    expect(moved).toBeGreaterThanOrEqual(5 * day)
    expect(moved).toBeLessThan(5 * day + 60)
  })

  test('time added during a pause is all there afterwards', async () => {
    const username = await newSubscriber(owner, { days: 10 })
    await toggle({ username })
    const left = Number(await timeLeft(owner, username))
    await passTime(app, owner, 4 * day)
    await subscribe(owner, username, { level: 2, days: 7 })
    const selection = { usernames: [username], duration: 3, unit: 'days' as const, subscription: 1 }
    await owner.visitor.call('POST /bulk_extend_users', { body: selection })
    await passTime(app, owner, 4 * day)
    expect(await timeLeft(owner, username)).toBe(left + 3 * day)
    expect(await timeLeft(owner, username, 2)).toBe(7 * day)
    await toggle({ username })
    expect(Number(await timeLeft(owner, username, 2))).toBeGreaterThan(7 * day - 60)
    expect(Number(await timeLeft(owner, username))).toBeGreaterThan(left + 3 * day - 60)
    expect(Number(await timeLeft(owner, username))).toBeLessThanOrEqual(left + 3 * day)
  })

  test('a subscription until the last second of the year 9999 is listed with that end during the pause', async () => {
    const username = await newSubscriber(owner)
    const params = { username, id: 1 }
    await owner.visitor.call('PUT /user/{username}/subscriptions/{id}', { params, body: { expiry: maxEpochSeconds } })
    await toggle({ username })
    app.advance(60)
    const shown = { expiry: maxEpochSeconds }
    expect((await userOf(owner, username))?.subscriptions[1]).toMatchObject(shown)
    const { status, body } = await owner.visitor.call('GET /user/{username}/subscriptions', { params: { username } })
    expect(status).toBe(200)
    expect(body.subscriptions).toMatchObject([shown])
  })

  test('extending during pauses and resumptions loses no time', async () => {
    const username = await newSubscriber(owner, { days: 10 })
    const extend = () =>
      owner.visitor.call('POST /bulk_extend_users', {
        body: { usernames: [username], duration: 1, unit: 'days', subscription: 1 },
      })
    await Promise.all(
      Array.from({ length: 15 }, (_, n) => [extend(), toggle({ username, paused: n % 2 === 0 })]).flat(),
    )
    await toggle({ username, paused: false })
    const left = Number(await timeLeft(owner, username))
    expect(left).toBeGreaterThan(25 * day - 120)
    expect(left).toBeLessThanOrEqual(25 * day)
  })
})

describe('programs', () => {
  test('a paused user is rejected at once, and continues with the same session afterwards', async () => {
    const username = await newSubscriber(owner)
    const program = await signedIn(app, owner, username)
    await toggle({ username })
    expect((await program.heartbeat()).body).toMatchObject({ success: false, code: 'USER_PAUSED' })
    await toggle({ username })
    expect((await program.heartbeat()).body.success).toBe(true)
  })

  test("a paused user can't sign in", async () => {
    const username = await newSubscriber(owner)
    const program = await signedIn(app, owner, username)
    await toggle({ username })
    await program.init()
    expect((await program.login(username, userPassword)).body.code).toBe('USER_PAUSED')
  })
})

test('rejects hostile bodies and changes nothing', async () => {
  const username = await newSubscriber(owner)
  await expectAllRejected(app, owner.visitor, '/toggle_pause_user', [
    ...hostileBodies({ username }, { username: [...notTexts, '', 'u'.repeat(201)], paused: notFlags }),
    {},
  ])
})
