import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRejected } from '#testing/faults/hostile-input.ts'
import { Program } from '#testing/people/program.ts'
import { newShop, type Shop, sold, soldLicense, soldUser } from '#testing/people/sellers.ts'
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

test('counts the licenses, users and active sessions of this app alone', async () => {
  const { seller, other } = shop
  for (let at = 0; at < 3; at++) await soldLicense(seller)
  const banned = await soldLicense(seller)
  await sold(seller, 'POST', `/licenses/${banned}/ban`, {})
  const paused = await soldUser(seller, { days: 5 })
  await sold(seller, 'POST', `/users/${paused}/pause`, {})
  await soldUser(seller)
  const used = await soldLicense(seller)
  expect((await program.license(used)).body.success).toBe(true)
  await soldLicense(other)
  expect(await sold(seller, 'GET', '/stats')).toEqual({
    success: true,
    licenses: { total: 5, unused: 3, used: 1, banned: 1, expiring: 0 },
    users: { total: 3, banned: 0, paused: 1, active: 1, expired: 1 },
    sessions: { live: 1 },
  })
  app.advance(700)
  expect(await sold(seller, 'GET', '/stats')).toMatchObject({ sessions: { live: 0 } })
})

test('rejects questions that it does not know', async () => {
  for (const query of [{ appId: shop.owner.appId }, { from: 0 }])
    expectRejected(await shop.seller.send('GET', '/stats', { query }), query)
})
