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
import {
  expectAllRejected,
  hostileBodies,
  notFlags,
  notIntegers,
  notLists,
  notTexts,
  seen,
} from '#testing/faults/hostile-input.ts'
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

const extend = (usernames: string[], more: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  owner.visitor.send<Record<string, unknown>>('POST', '/api/1.0/website/bulk_extend_users', {
    body: { usernames, duration: 2, unit: 'days', subscription: 1, ...more },
    headers,
  })

describe('extending', () => {
  test('adds to the time left of that subscription, and to no other', async () => {
    const username = await newSubscriber(owner, { days: 10 })
    await subscribe(owner, username, { level: 2, days: 5 })
    const answer = await extend([username])
    expect(answer.body).toMatchObject({
      success: true,
      code: 'USERS_EXTEND_OK',
      message: 'Extended 1 user successfully',
      values: { count: 1 },
      updated: 1,
      usersWithoutSubscription: [],
    })
    expect(Number(await timeLeft(owner, username))).toBeGreaterThan(12 * day - 60)
    expect(Number(await timeLeft(owner, username))).toBeLessThanOrEqual(12 * day)
    expect(Number(await timeLeft(owner, username, 2))).toBeLessThanOrEqual(5 * day)
  })

  test.each([
    ['hours', 3600],
    ['days', day],
    ['weeks', 7 * day],
    ['months', 30 * day],
    ['years', 365 * day],
  ] as const)('a unit of %s is %i seconds', async (unit, seconds) => {
    const username = await newSubscriber(owner, { days: 1 })
    await extend([username], { duration: 3, unit })
    const left = Number(await timeLeft(owner, username))
    expect(left).toBeGreaterThan(day + 3 * seconds - 60)
    expect(left).toBeLessThanOrEqual(day + 3 * seconds)
  })

  test('skips and lists users without the level, ended and lifetime ones, and missing users', async () => {
    const ended = await newSubscriber(owner, { days: 1 })
    await passTime(app, owner, 2 * day)
    const running = await newSubscriber(owner, { days: 1 })
    const lifetime = await newSubscriber(owner, { days: null })
    const without = await newUser(owner)
    const otherLevel = await newSubscriber(owner, { level: 2 })
    const answer = await extend([running, ended, lifetime, without, otherLevel, 'nobody-here'])
    expect(answer.body).toMatchObject({
      updated: 1,
      usersWithoutSubscription: [without, otherLevel],
      usersWithoutSubscriptionCount: 2,
      expiredUsers: [ended],
      lifetimeUsers: [lifetime],
      notFound: ['nobody-here'],
    })
    expect(await timeLeft(owner, ended)).toBe(0)
    expect(await timeLeft(owner, lifetime)).toBeNull()
    expect(await timeLeft(owner, without)).toBeUndefined()
  })

  test('with extendExpired, an ended one runs from now, and a running one is extended as usual', async () => {
    const ended = await newSubscriber(owner, { days: 1 })
    await passTime(app, owner, 5 * day)
    const running = await newSubscriber(owner, { days: 1 })
    expect((await extend([ended, running], { extendExpired: true })).body).toMatchObject({
      updated: 2,
      expiredUsers: [],
    })
    expect(Number(await timeLeft(owner, ended))).toBeGreaterThan(2 * day - 60)
    expect(Number(await timeLeft(owner, ended))).toBeLessThanOrEqual(2 * day)
    expect(Number(await timeLeft(owner, running))).toBeGreaterThan(3 * day - 60)
    const program = await signedIn(app, owner, ended)
    expect((await program.heartbeat()).body.success).toBe(true)
  })

  test('the level can be a number, its text, or the object from lists', async () => {
    const username = await newSubscriber(owner, { days: 1 })
    for (const subscription of [1, '1', { level: 1, name: 'Basic' }])
      expect((await extend([username], { subscription })).body['updated']).toBe(1)
    expect((await extend([username], { subscription: undefined, subscriptionLevel: 1 })).body['updated']).toBe(1)
    expect(Number(await timeLeft(owner, username))).toBeGreaterThan(9 * day - 60)
  })

  test('a name that is listed twice, in any case, is extended once', async () => {
    const username = await newSubscriber(owner, { days: 1 })
    expect((await extend([username, username.toUpperCase()])).body['updated']).toBe(1)
    expect(Number(await timeLeft(owner, username))).toBeLessThanOrEqual(3 * day)
  })

  test('time never grows past the year 9999 (R-LIC-06)', async () => {
    const username = await newSubscriber(owner, { days: 1 })
    for (let round = 0; round < 9; round++)
      expect((await extend([username], { duration: 1000, unit: 'years' })).status).toBe(200)
    expect((await userOf(owner, username))?.subscriptions[1]?.expiry).toBe(253_402_300_799)
    expect((await extend([username], { duration: 1001, unit: 'years' })).status).toBe(400)
  })

  test('the same Idempotency-Key extends once', async () => {
    const username = await newSubscriber(owner, { days: 1 })
    const headers = { 'idempotency-key': `extend-${username}` }
    const answers = [await extend([username], {}, headers), await extend([username], {}, headers)]
    expect(answers.map(({ body }) => body['updated'])).toEqual([1, 1])
    expect(Number(await timeLeft(owner, username))).toBeLessThanOrEqual(3 * day)
  })
})

describe('many at once', () => {
  test('50 concurrent extensions all count', async () => {
    const usernames = [await newSubscriber(owner, { days: 1 }), await newSubscriber(owner, { days: 1 })]
    const orders = [usernames, usernames.toReversed()]
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => extend(orders[n % 2] as string[], { duration: 1 })),
    )
    expect(answers.map(({ body }) => body['updated'])).toEqual(Array.from({ length: 50 }, () => 2))
    for (const username of usernames) {
      const left = Number(await timeLeft(owner, username))
      expect(left).toBeGreaterThan(51 * day - 60)
      expect(left).toBeLessThanOrEqual(51 * day)
    }
  })

  test('25 extensions and 25 subtractions at the same time cancel each other out', async () => {
    const username = await newSubscriber(owner, { days: 100 })
    const subtract = () =>
      owner.visitor.call('POST /bulk_subtract_users', {
        body: { usernames: [username], duration: 2, unit: 'days', subscription: 1 },
      })
    await Promise.all(Array.from({ length: 50 }, (_, n) => (n % 2 ? extend([username]) : subtract())))
    const left = Number(await timeLeft(owner, username))
    expect(left).toBeGreaterThan(100 * day - 60)
    expect(left).toBeLessThanOrEqual(100 * day)
  })
})

describe('rejections', () => {
  test('says what is missing', async () => {
    const username = await newSubscriber(owner)
    expect((await extend([])).body).toMatchObject({ message: 'No users selected' })
    expect((await extend([username], { duration: undefined })).body).toMatchObject({
      code: 'DURATION_REQUIRED',
      message: 'Please enter a duration',
    })
    expect((await extend([username], { duration: 0 })).body).toMatchObject({
      code: 'DURATION_REQUIRED',
      message: 'Please enter a duration',
    })
    expect((await extend([username], { subscription: undefined })).body).toMatchObject({
      code: 'SUBSCRIPTION_REQUIRED',
      message: 'Please select a subscription',
    })
    expect((await extend([username], { subscription: 99 })).body).toMatchObject({ code: 'SUBSCRIPTION_NOT_FOUND' })
  })

  test('rejects hostile bodies and changes nothing', async () => {
    const usernames = [await newSubscriber(owner)]
    const valid = { usernames, duration: 1, unit: 'days', subscription: 1, extendExpired: true }
    await expectAllRejected(app, owner.visitor, '/bulk_extend_users', [
      ...hostileBodies(valid, {
        usernames: notLists,
        duration: [...notIntegers, 0, 1e10],
        unit: [...notTexts, 'lifetime', 'toString'],
        subscription: [0, -1, 1.5, 1e308, true, null, [], {}, '', 'one', '1;--'],
        extendExpired: notFlags,
      }),
      {},
    ])
  })

  test("another owner's users look like missing ones", async () => {
    const stranger = await newOwnerWithApp(app)
    const username = await newSubscriber(owner)
    const by = (name: string) =>
      stranger.visitor.call('POST /bulk_extend_users', {
        body: { usernames: [name], duration: 1, unit: 'days', subscription: 1 },
      })
    const missing = await by('nobody-here')
    expect(seen(await by(username)).replaceAll(username, 'nobody-here')).toBe(seen(missing))
    expect(Number(await timeLeft(owner, username))).toBeLessThanOrEqual(30 * day)
  })
})
