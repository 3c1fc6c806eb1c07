import { afterAll, beforeAll, expect, test } from 'vitest'
import { Program } from '#testing/people/program.ts'
import { expectSaleRejected, newShop, type Shop, sold, soldLicense } from '#testing/people/sellers.ts'
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

const perform = (license: string, name: 'ban' | 'unban') =>
  shop.seller.send<{ banned: boolean }>('POST', `/licenses/${license}/${name}`)

test('a ban ends the program on its next call, and lifting it lets it in again', async () => {
  const license = await soldLicense(shop.seller)
  expect((await program.license(license)).body.success).toBe(true)
  const banned = await perform(license, 'ban')
  expect(banned.body).toMatchObject({
    success: true,
    code: 'LICENSE_BAN_OK',
    message: 'License banned successfully',
    banned: true,
  })
  expect((await program.heartbeat()).body.code).toBe('LICENSE_BANNED')
  const unbanned = await perform(license, 'unban')
  expect(unbanned.body).toMatchObject({
    code: 'LICENSE_UNBAN_OK',
    message: 'License unbanned successfully',
    banned: false,
  })
  await program.init()
  expect((await program.license(license)).body.success).toBe(true)
})

test('each sets a state: repeating it changes nothing', async () => {
  const license = await soldLicense(shop.seller)
  for (const [name, banned] of [
    ['ban', true],
    ['ban', true],
    ['unban', false],
    ['unban', false],
  ] as const) {
    expect((await perform(license, name)).body.banned).toBe(banned)
    const found = await sold<{ license: object }>(shop.seller, 'GET', `/licenses/${license}`)
    expect(found.license).toMatchObject({ banned })
  }
})

test('accepts only an empty body', async () => {
  const license = await soldLicense(shop.seller)
  expect((await shop.seller.send('POST', `/licenses/${license}/ban`, { body: {} })).status).toBe(200)
  for (const call of ['ban', 'unban'] as const) {
    await expectSaleRejected(app, shop.seller, `POST /licenses/${license}/${call}`, [
      { banned: false },
      { appId: 'x' },
      [],
      'x',
      'null',
    ])
  }
})
