import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRejected } from '#testing/faults/hostile-input.ts'
import { Program } from '#testing/people/program.ts'
import { newShop, type Shop, sold, soldUser } from '#testing/people/sellers.ts'
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

const remove = (username: string) => shop.seller.send('DELETE', `/users/${username}`)

test('a deleted user is gone and its program is rejected on the next call', async () => {
  const username = await soldUser(shop.seller, { days: 5 })
  const spared = await soldUser(shop.seller)
  expect((await program.login(username, 'Correct7Horse')).body.success).toBe(true)
  expect((await remove(username)).body).toMatchObject({
    success: true,
    code: 'USER_DELETE_OK',
    message: 'User deleted successfully',
  })
  expect((await program.heartbeat()).body.success).toBe(false)
  expect((await shop.seller.send('GET', `/users/${username}`)).status).toBe(404)
  expect((await shop.seller.send('GET', `/users/${spared}`)).status).toBe(200)
})

test('of many who delete one user at once, one does', async () => {
  const username = await soldUser(shop.seller, { days: 5 })
  const answers = await Promise.all(Array.from({ length: 6 }, () => remove(username)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(5).fill(404)])
})

test('names that are nobody are rejected, whatever they look like', async () => {
  const before = await sold<{ total: number }>(shop.seller, 'GET', '/users')
  for (const name of ['nobody', '%25', '*', '__proto__', "'%20or%201=1%20--", 'x'.repeat(200)]) {
    expect((await remove(name)).status, name).toBe(404)
  }
  expectRejected(await remove('%00'), 'NUL')
  expectRejected(await remove('x'.repeat(201)), 'too long')
  expect((await sold<{ total: number }>(shop.seller, 'GET', '/users')).total).toBe(before.total)
})
