import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  day,
  newSubscriber,
  newUser,
  passTime,
  signedIn,
  subscribe,
  timeLeft,
  userOf,
} from '#testing/people/end-users.ts'
import { expectAllRejected, hostileBodies, notIntegers, notLists, notTexts } from '#testing/faults/hostile-input.ts'
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

const subtract = (usernames: string[], more: Record<string, unknown> = {}) =>
  owner.visitor.send<Record<string, unknown>>('POST', '/api/1.0/website/bulk_subtract_users', {
    body: { usernames, duration: 2, unit: 'days', ...more },
  })

describe('subtracting', () => {
  test('takes time from every subscription of the user, or from one level only', async () => {
    const username = await newSubscriber(owner, { days: 10 })
    await subscribe(owner, username, { level: 2, days: 20 })
    const answer = await subtract([username])
    expect(answer.body).toMatchObject({
      success: true,
      code: 'USERS_SUBTRACT_OK',
      message: 'Time subtracted from 1 user successfully',
      values: { count: 1 },
      updated: 1,
    })
    await subtract([username], { subscription: 2, duration: 24, unit: 'hours' })
    const [first, second] = [Number(await timeLeft(owner, username)), Number(await timeLeft(owner, username, 2))]
    expect(first).toBeGreaterThan(8 * day - 60)
    expect(first).toBeLessThanOrEqual(8 * day)
    expect(second).toBeGreaterThan(17 * day - 60)
    expect(second).toBeLessThanOrEqual(17 * day)
  })

  test('never goes below now; the subscription then counts as expired, and the program is rejected at once', async () => {
    const username = await newSubscriber(owner, { days: 10 })
    const program = await signedIn(app, owner, username)
    expect((await subtract([username], { duration: 1000, unit: 'years' })).body['updated']).toBe(1)
    const user = await userOf(owner, username)
    expect(user).toMatchObject({ hasActiveSubscription: false, subscriptions: { 1: { active: false, time_left: 0 } } })
    expect(user?.subscriptions[1]?.expiry).toBeGreaterThan(app.now() - 60)
    expect(user?.subscriptions[1]?.expiry).toBeLessThanOrEqual(app.now())
    expect((await program.heartbeat()).body).toMatchObject({ success: false, code: 'SUBSCRIPTION_EXPIRED' })
  })

  test('skips and lists users without the level, ended and lifetime ones, and missing users', async () => {
    const ended = await newSubscriber(owner, { days: 1 })
    await passTime(app, owner, 3 * day)
    const end = (await userOf(owner, ended))?.subscriptions[1]?.expiry
    const lifetime = await newSubscriber(owner, { days: null })
    const without = await newUser(owner)
    const { body } = await subtract([ended, lifetime, without, 'nobody-here'])
    expect(body).toMatchObject({
      updated: 0,
      expiredUsers: [ended],
      lifetimeUsers: [lifetime],
      usersWithoutSubscription: [without],
      usersWithoutSubscriptionCount: 1,
      notFound: ['nobody-here'],
    })
    expect((await userOf(owner, ended))?.subscriptions[1]?.expiry).toBe(end)
    expect(await timeLeft(owner, lifetime)).toBeNull()
  })

  test('50 concurrent subtractions all count', async () => {
    const username = await newSubscriber(owner, { days: 100 })
    await Promise.all(Array.from({ length: 50 }, () => subtract([username], { duration: 1 })))
    const left = Number(await timeLeft(owner, username))
    expect(left).toBeGreaterThan(50 * day - 60)
    expect(left).toBeLessThanOrEqual(50 * day)
  })

  test('a paused user loses time left at the pause, not the time of the pause', async () => {
    const username = await newSubscriber(owner, { days: 10 })
    await owner.visitor.call('POST /toggle_pause_user', { body: { username } })
    const left = Number(await timeLeft(owner, username))
    await passTime(app, owner, 30 * day)
    await subtract([username], { duration: 3 })
    expect(await timeLeft(owner, username)).toBe(left - 3 * day)
    await subtract([username], { duration: 30 })
    expect(await timeLeft(owner, username)).toBe(0)
    await owner.visitor.call('POST /toggle_pause_user', { body: { username } })
    expect(await userOf(owner, username)).toMatchObject({ hasActiveSubscription: false })
  })
})

describe('rejections', () => {
  test('says what is missing', async () => {
    const username = await newSubscriber(owner)
    expect((await subtract([])).body).toMatchObject({ message: 'No users selected' })
    expect((await subtract([username], { duration: undefined })).body).toMatchObject({
      code: 'DURATION_REQUIRED',
      message: 'Please enter a duration',
    })
    expect((await subtract([username], { subscription: 99 })).body).toMatchObject({ code: 'SUBSCRIPTION_NOT_FOUND' })
  })

  test('rejects hostile bodies and changes nothing', async () => {
    const usernames = [await newSubscriber(owner)]
    await expectAllRejected(app, owner.visitor, '/bulk_subtract_users', [
      ...hostileBodies(
        { usernames, duration: 1, unit: 'days' },
        {
          usernames: notLists,
          duration: [...notIntegers, 0, 1e10],
          unit: [...notTexts, 'lifetime'],
          subscription: [0, -1, 1.5, 1e308, true, null, [], {}, '', 'one'],
        },
      ),
      {},
    ])
  })
})
