import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRejected, hostileBodies, notTexts, strangeNames } from '#testing/faults/hostile-input.ts'
import { expectSaleRejected, newShop, type Shop, sold, soldUser } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let shop: Shop

beforeAll(async () => {
  app = await startTestApp()
  shop = await newShop(app)
})
afterAll(() => app.close())

interface Variable {
  name: string
  data: string
}

const set = (username: string, name: string, data: unknown) =>
  shop.seller.send<{ variable: Variable; created: boolean }>(
    'PUT',
    `/users/${username}/variables/${encodeURIComponent(name)}`,
    { body: { data } },
  )
const list = async (username: string) =>
  (await sold<{ variables: Variable[] }>(shop.seller, 'GET', `/users/${username}/variables`)).variables

test('a variable is set, read, changed and deleted', async () => {
  const username = await soldUser(shop.seller)
  expect(await list(username)).toEqual([])
  const made = await set(username, 'tier', 'gold')
  expect(made.body).toMatchObject({
    code: 'VARIABLE_CREATE_OK',
    message: 'Variable created successfully',
    created: true,
    variable: { name: 'tier', data: 'gold' },
  })
  const changed = await set(username, 'tier', 'silver')
  expect(changed.body).toMatchObject({
    code: 'VARIABLE_UPDATE_OK',
    message: 'Variable updated successfully',
    created: false,
  })
  await set(username, 'discord', '81')
  expect(await list(username)).toEqual([
    { name: 'discord', data: '81' },
    { name: 'tier', data: 'silver' },
  ])
  const one = await shop.seller.send('GET', `/users/${username}/variables/tier`)
  expect(one.body['variable']).toEqual({ name: 'tier', data: 'silver' })
  const deleted = await shop.seller.send('DELETE', `/users/${username}/variables/tier`)
  expect(deleted.body).toMatchObject({
    success: true,
    code: 'VARIABLE_DELETE_OK',
    message: 'Variable deleted successfully',
  })
  expect(await list(username)).toEqual([{ name: 'discord', data: '81' }])
  expect((await shop.seller.send('GET', `/users/${username}/variables/tier`)).status).toBe(404)
})

test('spaces around a name are ignored, as in the dashboard and by programs', async () => {
  const username = await soldUser(shop.seller)
  await set(username, 'tier', 'gold')
  const changed = await set(username, ' tier ', 'silver')
  expect(changed.body).toMatchObject({ created: false, variable: { name: 'tier', data: 'silver' } })
  expect((await set(username, '\tmood', 'calm')).body).toMatchObject({ created: true, variable: { name: 'mood' } })
  expect((await list(username)).map(({ name }) => name)).toEqual(['mood', 'tier'])
  const path = `/users/${username}/variables/${encodeURIComponent(' tier')}`
  expect((await shop.seller.send('GET', path)).body['variable']).toEqual({ name: 'tier', data: 'silver' })
  const found = { query: { variable: ' tier', value: 'silver' } }
  expect((await shop.seller.send('GET', '/users', found)).body['users']).toMatchObject([{ username }])
  await sold(shop.seller, 'DELETE', path)
  expect((await list(username)).map(({ name }) => name)).toEqual(['mood'])
  expect((await set(username, ' ', 'x')).body.code).toBe('VARIABLE_REQUIRED')
})

test.each(['/users/{username}/variables/tier', '/variables/tier'])(
  'PUT %s: data that is missing is named as if it were empty',
  async (path) => {
    const username = await soldUser(shop.seller)
    for (const body of [{}, { data: '' }]) {
      const answer = await shop.seller.send('PUT', path.replace('{username}', username), { body })
      expectRejected(answer, body)
      expect(answer.body).toMatchObject({ code: 'VARIABLE_REQUIRED', message: 'Variable name and data are required' })
    }
  },
)

test('many who set one new name at once leave one variable', async () => {
  const username = await soldUser(shop.seller)
  const names = Array.from({ length: 15 }, (_, at) => `counter ${at}`)
  for (const name of names) {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => set(username, name, `value ${at}`)))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(answers.filter(({ body }) => body.created)).toHaveLength(1)
  }
  expect((await list(username)).map(({ name }) => name)).toEqual(names.toSorted())
})

test.each(strangeNames.filter((text) => text !== '__proto__'))(
  'a variable may have the name %j and the same data',
  async (text) => {
    const username = await soldUser(shop.seller)
    expect((await set(username, text, text)).status).toBe(200)
    expect(await list(username)).toEqual([{ name: text, data: text }])
  },
)

test('rejects what is no variable, and changes nothing', async () => {
  const username = await soldUser(shop.seller)
  const hostile = { data: [...notTexts, '', 'x'.repeat(10_001), undefined], name: ['other'] }
  await expectSaleRejected(
    app,
    shop.seller,
    `PUT /users/${username}/variables/x`,
    hostileBodies({ data: 'x' }, hostile),
  )
  for (const name of [' ', 'x'.repeat(101), '__proto__', 'two\nlines', 'NUL\0'])
    expectRejected(await set(username, name, 'x'), name)
  expect(await list(username)).toEqual([])
})
