import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRejected } from '#testing/faults/hostile-input.ts'
import { Program } from '#testing/people/program.ts'
import { newSeller, newShop, type Shop, soldLicense } from '#testing/people/sellers.ts'
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

const remove = (license: string, query: object = {}) =>
  shop.seller.send<{ deletedUsers: number }>('DELETE', `/licenses/${license}`, { query })
const statusOf = async (path: string) => (await shop.seller.send('GET', path)).status

test('deletes a license; its user stays unless asked', async () => {
  for (const [query, deletedUsers, left] of [
    [{}, 0, 200],
    [{ deleteUser: false }, 0, 200],
    [{ deleteUser: true }, 1, 404],
  ] as const) {
    const license = await soldLicense(shop.seller)
    await program.init()
    expect((await program.license(license)).body.success).toBe(true)
    const { status, body } = await remove(license, query)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { code: 'LICENSE_DELETE_OK', message: 'License deleted successfully', deletedUsers },
    })
    expect(await statusOf(`/licenses/${license}`)).toBe(404)
    expect(await statusOf(`/users/${license}`)).toBe(left)
    expect((await program.heartbeat()).body.success).toBe(false)
  }
})

test('deletes its user only with a key that may delete users', async () => {
  const license = await soldLicense(shop.seller)
  await program.init()
  await program.license(license)
  const permissions = ['licenses:read', 'licenses:delete']
  const limited = await newSeller(app, shop.owner, { permissions })
  const query = { deleteUsers: true }
  const rejected = await limited.send('DELETE', `/licenses/${license}`, { query })
  expect([rejected.status, rejected.body]).toMatchObject([403, { code: 'SCOPE_MISSING', scope: 'users:delete' }])
  expect([await statusOf(`/licenses/${license}`), await statusOf(`/users/${license}`)]).toEqual([200, 200])
  const allowed = await newSeller(app, shop.owner, { permissions: [...permissions, 'users:delete'] })
  expect((await allowed.send('DELETE', `/licenses/${license}`, { query })).body).toMatchObject({ deletedUsers: 1 })
  const other = await soldLicense(shop.seller)
  expect((await limited.send('DELETE', `/licenses/${other}`)).status).toBe(200)
})

test('of many deletions at once, one succeeds', async () => {
  const license = await soldLicense(shop.seller)
  const answers = await Promise.all(Array.from({ length: 6 }, () => remove(license)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(5).fill(404)])
})

test('rejects invalid queries and deletes nothing', async () => {
  const license = await soldLicense(shop.seller)
  for (const query of [
    { deleteUser: 'yes' },
    { deleteUser: 2 },
    { deleteUsers: 'perhaps' },
    { noSuchField: 1 },
    { appId: 'x' },
  ]) {
    expectRejected(await remove(license, query), query)
  }
  expect(await statusOf(`/licenses/${license}`)).toBe(200)
})
