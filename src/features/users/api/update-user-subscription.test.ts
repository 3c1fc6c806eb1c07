import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { day, newSubscriber, newUser, passTime, signedIn, timeLeft, userOf } from '#testing/people/end-users.ts'
import { expectRejected, hostileBodies, notFlags, notIntegers, seen } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const update = (
  username: string,
  body: unknown,
  { id = 1, by = owner }: { id?: number | string; by?: OwnedApp } = {},
) =>
  by.visitor.send<{ subscription: Record<string, unknown> }>(
    'PUT',
    '/api/1.0/website/user/{username}/subscriptions/{id}',
    { params: { username, id }, body },
  )

describe('updating a subscription', () => {
  test('a duration is days from now, not added to the time left', async () => {
    const username = await newSubscriber(owner, { days: 100 })
    const { body } = await update(username, { duration: 5 })
    expect(body).toMatchObject({
      code: 'USER_SUBSCRIPTION_UPDATE_OK',
      message: 'Subscription updated successfully',
      subscription: { level: 1, name: 'Basic', active: true, time_left: 5 * day },
    })
    expect(Number(await timeLeft(owner, username))).toBeLessThanOrEqual(5 * day)
  })

  test('an expiry is the moment itself; 0 and null never end', async () => {
    const username = await newSubscriber(owner)
    const expiry = app.now() + 1234
    expect((await update(username, { expiry })).body.subscription).toMatchObject({ expiry, active: true })
    expect((await userOf(owner, username))?.subscriptions[1]?.expiry).toBe(expiry)
    for (const never of [0, null]) {
      expect((await update(username, { expiry: never })).body.subscription).toMatchObject({
        expiry: null,
        time_left: null,
        active: true,
      })
    }
    expect((await update(username, { expiry: 253_402_300_799 })).body.subscription).toMatchObject({
      expiry: 253_402_300_799,
    })
  })

  test('a duration and an expiry are rejected together, and change nothing', async () => {
    const username = await newSubscriber(owner)
    const before = await databaseDigest(app.db, [])
    for (const expiry of [app.now() + 1234, 0, null]) {
      expect(await update(username, { duration: 5, expiry })).toMatchObject({
        status: 400,
        body: { code: 'END_AMBIGUOUS', message: 'Send a duration or an expiry, not both', field: 'expiry' },
      })
    }
    expect(await databaseDigest(app.db, [])).toBe(before)
  })

  test("setting it inactive ends it at once, from the program's next call", async () => {
    const username = await newSubscriber(owner)
    const program = await signedIn(app, owner, username)
    expect((await update(username, { active: false })).body.subscription).toMatchObject({ active: false, time_left: 0 })
    expect((await program.heartbeat()).body.code).toBe('SUBSCRIPTION_EXPIRED')
    expect((await update(username, { active: true, duration: 3 })).body.subscription).toMatchObject({
      active: true,
      time_left: 3 * day,
    })
    expect((await program.heartbeat()).body.success).toBe(true)
  })

  test("active alone doesn't change a running one, and an ended one needs a duration", async () => {
    const username = await newSubscriber(owner, { days: 1 })
    const expiry = (await userOf(owner, username))?.subscriptions[1]?.expiry
    expect((await update(username, { active: true })).body.subscription).toMatchObject({ expiry })
    await passTime(app, owner, 2 * day)
    expect(await update(username, { active: true })).toMatchObject({
      status: 400,
      body: { code: 'DURATION_REQUIRED', message: 'Please enter a duration' },
    })
    expect((await update(username, { active: false })).body.subscription).toMatchObject({ expiry, active: false })
  })

  test('for a paused user, both set the time left when the pause ends', async () => {
    const username = await newSubscriber(owner, { days: 1 })
    await owner.visitor.call('POST /toggle_pause_user', { body: { username } })
    await passTime(app, owner, 10 * day)
    expect((await update(username, { duration: 3 })).body.subscription).toMatchObject({
      time_left: 3 * day,
      active: true,
    })
    const expiry = app.now() + 5 * day
    await update(username, { expiry })
    await owner.visitor.call('POST /toggle_pause_user', { body: { username } })
    const end = Number((await userOf(owner, username))?.subscriptions[1]?.expiry)
    expect(Math.abs(end - expiry)).toBeLessThan(60)
  })
})

describe('an end that somebody else has changed in the meantime', () => {
  test('is returned instead of overwritten, also of two calls at once', async () => {
    const username = await newSubscriber(owner, { days: 10 })
    const expiry = Number((await userOf(owner, username))?.subscriptions[1]?.expiry)
    const extend = (days: number) => update(username, { expiry: expiry + days * day, before: { expiry } })
    const answers = await Promise.all([extend(30), extend(100)])
    const stored = (await userOf(owner, username))?.subscriptions[1]?.expiry
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'FIELD_CHANGED',
      current: { expiry: stored },
    })
    // Sending what is already stored, after a lost reply, is no conflict.
    expect((await update(username, { expiry: stored, before: { expiry } })).status).toBe(200)
    expect((await update(username, { duration: 5, before: { expiry } })).status).toBe(409)
  })

  test('is compared by the time left while the user is paused, whose end moves', async () => {
    const username = await newSubscriber(owner, { days: 10 })
    await owner.visitor.call('POST /toggle_pause_user', { body: { username } })
    const left = Number(await timeLeft(owner, username))
    await passTime(app, owner, 3 * day)
    expect((await update(username, { duration: 20, before: { time_left: left } })).status).toBe(200)
    expect(await update(username, { duration: 5, before: { time_left: left } })).toMatchObject({
      status: 409,
      body: { code: 'FIELD_CHANGED', current: { time_left: 20 * day } },
    })
  })

  test('with both, what is added to a paused user counts from the end that was seen, to the second', async () => {
    const username = await newSubscriber(owner, { days: 10 })
    await owner.visitor.call('POST /toggle_pause_user', { body: { username } })
    const seen = (await userOf(owner, username))?.subscriptions[1]
    const [expiry, left] = [Number(seen?.expiry), Number(seen?.time_left)]
    await passTime(app, owner, 3 * day)
    const before = { expiry, time_left: left }
    expect((await update(username, { expiry: expiry + 5 * day, before })).body.subscription).toMatchObject({
      time_left: left + 5 * day,
    })
    expect((await update(username, { expiry: expiry + 5 * day, before })).status).toBe(409)
  })
})

describe('rejections', () => {
  test('rejects hostile bodies and IDs and changes nothing', async () => {
    const username = await newSubscriber(owner)
    const before = await databaseDigest(app.db)
    const bodies = [
      ...hostileBodies(
        { duration: 5 },
        {
          duration: [...notIntegers, 0, 3651],
          expiry: ['', 'abc', '2030-01-01', 1.5, -1, 1e308, true, [], {}, 253_402_300_800],
          active: notFlags,
          before: [5, { level: 1 }, { expiry: 1.5 }],
          level: [2],
        },
      ),
      {},
    ]
    for (const body of bodies) expectRejected(await update(username, body), body)
    for (const id of ['0', '-1', '1.5', 'abc', '1e308', '1;--'])
      expectRejected(await update(username, { duration: 5 }, { id }), id)
    expect(await databaseDigest(app.db)).toBe(before)
  })

  test("rejects a level that the user doesn't have", async () => {
    const username = await newUser(owner)
    expect(await update(username, { duration: 5 })).toMatchObject({
      status: 404,
      body: { code: 'USER_SUBSCRIPTION_NOT_FOUND' },
    })
  })

  test("rejects calls without a session, and another owner's user looks like a missing one", async () => {
    const stranger = await newOwnerWithApp(app)
    const username = await newSubscriber(owner)
    const before = await databaseDigest(app.db)
    const path = `/api/1.0/website/user/${username}/subscriptions/1`
    expectRejected(await app.visitor().send('PUT', path, { body: { duration: 5 } }), path, 401)
    const foreign = await update(username, { duration: 5 }, { by: stranger })
    expectRejected(foreign, path, 404)
    expect(seen(foreign)).toBe(seen(await update('nobody-here', { duration: 5 }, { by: stranger })))
    expect(await databaseDigest(app.db)).toBe(before)
  })
})
