import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hostileBodies, notFlags, notIntegers } from '#testing/faults/hostile-input.ts'
import { Program } from '#testing/people/program.ts'
import { expectSaleRejected, newShop, type Shop, soldLicense, soldUser } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let shop: Shop
let program: Program

beforeAll(async () => {
  app = await startTestApp()
  shop = await newShop(app)
  program = await Program.of(app, shop.owner)
  await program.init()
})
afterAll(() => app.close())

const day = 86_400
type Answer = { user: { subscriptions: Record<string, { time_left: number | null; active: boolean }> } }
const addresses = {
  subscriptions: (username: string) => `/users/${username}/subscriptions`,
  extend: (username: string) => `/users/${username}/extend`,
  subtract: (username: string) => `/users/${username}/subtract`,
}
const send = (username: string, name: keyof typeof addresses, body: object, headers: Record<string, string> = {}) =>
  shop.seller.send<Answer>('POST', addresses[name](username), { body, headers })
const left = ({ body }: { body: Answer }) => body.user.subscriptions['1']?.time_left
/** Tolerates the real time that passes between two calls. */
const about = (seconds: number) => expect.toSatisfy((value: number) => value <= seconds && value > seconds - 60)

test("gives a user a level that the user doesn't have yet", async () => {
  const username = await soldUser(shop.seller)
  const given = await send(username, 'subscriptions', { level: 1 })
  expect(given.body).toMatchObject({ code: 'USER_SUBSCRIPTION_ADD_OK', message: 'Subscription added successfully' })
  expect(left(given)).toEqual(about(30 * day))
  const again = await send(username, 'subscriptions', { level: 1 })
  expect({ status: again.status, code: again.body.code }).toEqual({ status: 409, code: 'USER_SUBSCRIPTION_TAKEN' })
})

test('adds and subtracts time, never below now', async () => {
  const username = await soldUser(shop.seller, { days: 10 })
  const extended = await send(username, 'extend', { level: 1, duration: 2, unit: 'weeks' })
  expect(extended.body).toMatchObject({ code: 'USER_EXTEND_OK', message: 'User extended successfully' })
  expect(left(extended)).toEqual(about(24 * day))
  const taken = await send(username, 'subtract', { duration: 4, unit: 'days' })
  expect(taken.body).toMatchObject({ code: 'USER_SUBTRACT_OK', message: 'Time subtracted successfully' })
  expect(left(taken)).toEqual(about(20 * day))
  const ended = await send(username, 'subtract', { level: 1, duration: 1, unit: 'years' })
  expect(ended.body.user.subscriptions['1']).toMatchObject({ active: false, time_left: 0 })
})

test('extends an ended subscription only when asked, from now', async () => {
  const username = await soldUser(shop.seller, { days: 1 })
  await send(username, 'subtract', { duration: 1, unit: 'years' })
  app.advance(1000)
  const rejected = await send(username, 'extend', { level: 1, duration: 1, unit: 'days' })
  expect({ status: rejected.status, code: rejected.body.code }).toEqual({ status: 409, code: 'SUBSCRIPTION_EXPIRED' })
  expect(left(await send(username, 'extend', { level: 1, duration: 1, unit: 'days', extendExpired: true }))).toEqual(
    about(day),
  )
})

test('rejects adding to or subtracting from a lifetime', async () => {
  const license = await soldLicense(shop.seller, { expiryUnit: 'lifetime' })
  expect((await program.license(license)).body.success).toBe(true)
  for (const name of ['extend', 'subtract'] as const) {
    const { status, body } = await send(license, name, { level: 1, duration: 1, unit: 'days' })
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'SUBSCRIPTION_NEVER_ENDS' })
  }
})

test('rejects a change for a user without a subscription', async () => {
  const username = await soldUser(shop.seller)
  for (const name of ['extend', 'subtract'] as const) {
    const { status, body } = await send(username, name, { level: 1, duration: 1, unit: 'days' })
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'USER_SUBSCRIPTION_NOT_FOUND' })
  }
})

test('many calls at once with one Idempotency-Key extend once', async () => {
  const username = await soldUser(shop.seller, { days: 10 })
  const headers = { 'idempotency-key': 'renewal-of-ana' }
  const body = { level: 1, duration: 1, unit: 'days' }
  const answers = await Promise.all(Array.from({ length: 6 }, () => send(username, 'extend', body, headers)))
  for (const answer of answers) expect(left(answer)).toEqual(about(11 * day))
})

test('many extensions at once all count', async () => {
  const username = await soldUser(shop.seller, { days: 10 })
  await Promise.all(Array.from({ length: 8 }, () => send(username, 'extend', { level: 1, duration: 1, unit: 'days' })))
  const { body } = await shop.seller.send<Answer>('GET', `/users/${username}`)
  expect(left({ body })).toEqual(about(18 * day))
})

describe.each(['subscriptions', 'extend', 'subtract'] as const)('%s', (name) => {
  const valid = name === 'subscriptions' ? { level: 1, duration: 1 } : { level: 1, duration: 1, unit: 'days' }

  test('rejects an invalid time or level and changes nothing', async () => {
    const username = await soldUser(shop.seller, name === 'subscriptions' ? {} : { days: 10 })
    const hostile = {
      duration: [...notIntegers, 0, 1e9 + 1, ...(name === 'subscriptions' ? [3651] : [undefined])],
      level: ['', 'x', '1.5', -1, 0, null, [], {}, ...(name === 'subtract' ? [] : [undefined])],
      unit: ['day', 'lifetime', '', 5, null, ...(name === 'subscriptions' ? ['days'] : [undefined])],
      username: ['x'],
      extendExpired: name === 'extend' ? [...notFlags] : [true],
    }
    await expectSaleRejected(app, shop.seller, `POST /users/${username}/${name}`, hostileBodies(valid, hostile))
  })
})
