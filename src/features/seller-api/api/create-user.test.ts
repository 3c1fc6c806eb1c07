import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostileBodies, notTexts } from '#testing/faults/hostile-input.ts'
import { Program } from '#testing/people/program.ts'
import { expectSaleRejected, newShop, type Shop, sold } from '#testing/people/sellers.ts'
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

const password = 'Correct7Horse'
const create = (body: object, headers: Record<string, string> = {}) =>
  shop.seller.send<{ user: Record<string, unknown> }>('POST', '/users', { body, headers })

test('makes a user who can sign in once there is a subscription', async () => {
  const { status, body } = await create({ username: 'ana', password, email: 'ana@example.com' })
  expect({ status, code: body.code, message: body.message }).toEqual({
    status: 200,
    code: 'USER_CREATE_OK',
    message: 'User created successfully',
  })
  expect(body.user).toMatchObject({
    username: 'ana',
    email: 'ana@example.com',
    banned: false,
    paused: false,
    hasActiveSubscription: false,
  })
  expect(JSON.stringify(body)).not.toContain(password)
  await sold(shop.seller, 'POST', '/users/ana/subscriptions', { level: 1, duration: 5 })
  expect((await program.login('ana', password)).body.success).toBe(true)
})

test('of many who take one name at once, one gets it', async () => {
  const answers = await Promise.all(['rui', 'RUI', 'Rui', 'rui'].map((username) => create({ username, password })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
})

test('the same Idempotency-Key makes one user and gives the same reply', async () => {
  const headers = { 'idempotency-key': 'sign-up-of-eva' }
  const [first, second] = [
    await create({ username: 'eva', password }, headers),
    await create({ username: 'eva', password }, headers),
  ]
  expect([first?.status, second?.status]).toEqual([200, 200])
  expect(second?.body).toEqual(first?.body)
})

test('rejects what can be no user, and changes nothing', async () => {
  const hostile = {
    username: [...notTexts, '', ' ', 'ab', 'x'.repeat(65), ' lead', 'line\nbreak', undefined],
    password: [...notTexts, '', 'short', 'x'.repeat(257), undefined],
    email: [5, null, [], 'no address', 'x'.repeat(501)],
    banned: [true],
    appId: [shop.owner.appId],
  }
  const bodies = hostileBodies({ username: 'never.made', password }, hostile)
  await expectSaleRejected(app, shop.seller, 'POST /users', bodies)
})

test('another shop’s user is its own', async () => {
  await create({ username: 'twin', password })
  await sold(shop.other, 'POST', '/users', { username: 'twin', password, email: 'other@example.com' })
  const { user } = await sold<{ user: { email: string } }>(shop.seller, 'GET', '/users/twin')
  expect(user.email).toBe('')
})
