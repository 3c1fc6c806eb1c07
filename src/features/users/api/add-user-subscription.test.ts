import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { day, newSubscriber, newUser, passTime, signedIn, timeLeft, userPassword } from '#testing/people/end-users.ts'
import { expectAllRejected, expectRejected, hostileBodies, notIntegers, seen } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const add = (
  username: string,
  body: Record<string, unknown>,
  { by = owner, headers = {} }: { by?: OwnedApp; headers?: Record<string, string> } = {},
) =>
  by.visitor.send<{ subscription: { time_left: number } }>('POST', '/api/1.0/website/user/{username}/subscriptions', {
    params: { username },
    body,
    headers,
  })

describe('adding a subscription', () => {
  test('lasts 30 days by default, and the program can run at once', async () => {
    const username = await newUser(owner)
    const program = await Program.of(app, owner)
    await program.init()
    expect((await program.login(username, userPassword)).body.code).toBe('SUBSCRIPTION_EXPIRED')
    const { body } = await add(username, { level: 1 })
    expect(body).toMatchObject({
      code: 'USER_SUBSCRIPTION_ADD_OK',
      message: 'Subscription added successfully',
      subscription: { level: 1, name: 'Basic', active: true, time_left: 30 * day },
    })
    expect((await program.login(username, userPassword)).body.success).toBe(true)
  })

  test.each([1, 3650])('takes %i days', async (duration) => {
    const { body } = await add(await newUser(owner), { level: 1, duration })
    expect(body.subscription.time_left).toBe(duration * day)
  })

  test('accepts the level under its other names too', async () => {
    for (const body of [{ subscription: 1 }, { subscriptionLevel: '1' }, { level: { level: 1, name: 'Basic' } }]) {
      expect((await add(await newUser(owner), body)).status).toBe(200)
    }
  })

  test("a running one is rejected, so two clicks don't double the time", async () => {
    const username = await newUser(owner)
    const answers = await Promise.all(Array.from({ length: 10 }, () => add(username, { level: 1 })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const rejected = answers.find(({ status }) => status !== 200)
    expect(rejected).toMatchObject({
      status: 409,
      body: { code: 'USER_SUBSCRIPTION_TAKEN', message: 'The user already has this subscription' },
    })
    expect(Number(await timeLeft(owner, username))).toBeLessThanOrEqual(30 * day)
  })

  test('an ended one starts again from now, and the running program continues', async () => {
    const username = await newSubscriber(owner, { days: 1 })
    await passTime(app, owner, 3 * day)
    expect((await add(username, { level: 1, duration: 5 })).body.subscription.time_left).toBe(5 * day)
    expect((await (await signedIn(app, owner, username)).heartbeat()).body.success).toBe(true)
  })

  test('the same Idempotency-Key adds it once, and applies to one user only', async () => {
    const [username, other] = [await newUser(owner), await newUser(owner)]
    const headers = { 'idempotency-key': `add-${username}` }
    const answers = [await add(username, { level: 1 }, { headers }), await add(username, { level: 1 }, { headers })]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await add(other, { level: 1 }, { headers })).body.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })
})

describe('rejections', () => {
  test('a missing level, an unknown one, and a duration out of bounds', async () => {
    const username = await newUser(owner)
    expect((await add(username, {})).body).toMatchObject({
      code: 'SUBSCRIPTION_REQUIRED',
      message: 'Please select a subscription',
    })
    expect(await add(username, { level: 99 })).toMatchObject({
      status: 404,
      body: { message: 'Subscription not found' },
    })
    for (const duration of [0, 3651]) {
      expect((await add(username, { level: 1, duration })).body).toMatchObject({
        code: 'GRANT_DAYS_RANGE',
        message: 'The duration can be 1 to 3650 days',
      })
    }
  })

  test('rejects hostile bodies and changes nothing', async () => {
    const username = await newUser(owner)
    await expectAllRejected(app, owner.visitor, `/user/${username}/subscriptions`, [
      ...hostileBodies(
        { level: 1, duration: 5 },
        {
          level: [0, -1, 1.5, 1e308, true, null, [], {}, '', 'one', '1;--'],
          duration: [...notIntegers, 0, 3651],
        },
      ),
      {},
    ])
  })

  test("rejects calls without a session, and another owner's user looks like a missing one", async () => {
    const stranger = await newOwnerWithApp(app)
    const username = await newUser(owner)
    const before = await databaseDigest(app.db)
    const path = `/api/1.0/website/user/${username}/subscriptions`
    expectRejected(await app.visitor().send('POST', path, { body: { level: 1 } }), path, 401)
    const foreign = await add(username, { level: 1 }, { by: stranger })
    expectRejected(foreign, path, 404)
    expect(seen(foreign)).toBe(seen(await add('nobody-here', { level: 1 }, { by: stranger })))
    expect(await databaseDigest(app.db)).toBe(before)
  })
})
