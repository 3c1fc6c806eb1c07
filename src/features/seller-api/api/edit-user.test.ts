import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostileBodies, notTexts } from '#testing/faults/hostile-input.ts'
import { Program } from '#testing/people/program.ts'
import { expectSaleRejected, newShop, type Shop, soldUser } from '#testing/people/sellers.ts'
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

const edit = (username: string, body: object) =>
  shop.seller.send<{ user: Record<string, unknown> }>('PUT', `/users/${username}`, { body })

test('changes what is given and leaves the rest', async () => {
  const username = await soldUser(shop.seller, { days: 5 })
  const { status, body } = await edit(username, { email: ' new@example.com ' })
  expect({ status, code: body.code, message: body.message }).toEqual({
    status: 200,
    code: 'USER_UPDATE_OK',
    message: 'User updated successfully',
  })
  expect(body.user).toMatchObject({ username, email: 'new@example.com', hasActiveSubscription: true })
  expect((await edit(username, {})).body.user).toMatchObject({ email: 'new@example.com' })
  expect((await program.login(username, 'Correct7Horse')).body.success).toBe(true)
})

test('a new password ends the session of the old one, and only the new one signs in', async () => {
  const username = await soldUser(shop.seller, { days: 5 })
  await program.init()
  expect((await program.login(username, 'Correct7Horse')).body.success).toBe(true)
  await edit(username, { password: 'Another8Zebra' })
  expect((await program.heartbeat()).body.success).toBe(false)
  await program.init()
  expect((await program.login(username, 'Correct7Horse')).body.success).toBe(false)
  expect((await program.login(username, 'Another8Zebra')).body.success).toBe(true)
})

test('rejects what is no change, and changes nothing', async () => {
  const username = await soldUser(shop.seller)
  const hostile = {
    email: [5, null, [], {}, 'no address', 'x'.repeat(501), 'NUL \0'],
    password: [...notTexts, '', 'short', 'x'.repeat(257)],
    hwid: [5, null, [], 'short', 'h'.repeat(1025)],
    username: ['other'],
    banned: [true],
    appId: ['x'],
  }
  const bodies = hostileBodies({ email: 'a@example.com' }, hostile)
  await expectSaleRejected(app, shop.seller, `PUT /users/${username}`, bodies)
})
