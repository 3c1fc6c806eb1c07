import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectQueriesRejected, expectRejected, seen } from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  owner = await newOwnerWithApp(app, 'First')
})

const answer = (license: string, by = owner) => by.visitor.call('GET /find_license', { query: { key: license } })
const find = async (license: string, by = owner) => (await answer(license, by)).body.licenses

/** A further app of the owner, with this key. */
async function newAppWithKey(appName: string, ...keys: string[]): Promise<string> {
  const { body } = await owner.visitor.call('POST /create_app', { body: { appName, version: '1.0.0' } })
  const { appId } = body.app
  await addKeys(appId, keys)
  return appId
}

const addKeys = (appId: string, keys: readonly string[]) =>
  app.db.write(({ db }) =>
    db
      .insertInto('licenses')
      .values(keys.map((license) => ({ app_id: appId, license, level: 1, duration_seconds: 0, created_at: app.now() })))
      .execute(),
  )

test('rejects what can be no key, and finds no part of one and no pattern', async () => {
  const path = '/find_license'
  await expectQueriesRejected(owner.visitor, path, [
    {},
    { key: '' },
    { key: 'k'.repeat(201) },
    { key: 'a\0b' },
    { key: 'key', appId: owner.appId },
    { key: 'key', limit: 500 },
  ])
  const [key = ''] = await newLicenses(owner, 1)
  for (const text of [key.slice(0, -1), key.slice(1), `${key}x`, '%', `${key.slice(0, -1)}_`, `' or 1=1 --`, '*'])
    expect(await find(text), text).toEqual([])
})

test('finds the key in each own app that has it, the oldest app first', async () => {
  const [key = ''] = await newLicenses(owner, 1)
  app.advance(1)
  const second = await newAppWithKey('Second', key, 'other-key-of-second')
  app.advance(1)
  const third = await newAppWithKey('Third', 'only-in-third')
  expect(await find(key)).toEqual([
    { appId: owner.appId, appName: 'First', key },
    { appId: second, appName: 'Second', key },
  ])
  expect(await find('only-in-third')).toEqual([{ appId: third, appName: 'Third', key: 'only-in-third' }])
  await owner.visitor.call('POST /select_app', { body: { appId: third } })
  expect(await find(key)).toHaveLength(2)
})

test('a key in capitals or small letters is found, after those of exactly this key', async () => {
  await addKeys(owner.appId, ['ABCD-EF12', 'Abcd-Ef12'])
  app.advance(1)
  const second = await newAppWithKey('Second', 'abcd-ef12')
  const ofSecond = { appId: second, appName: 'Second', key: 'abcd-ef12' }
  const capitals = { appId: owner.appId, appName: 'First', key: 'ABCD-EF12' }
  expect(await find('abcd-ef12')).toEqual([ofSecond, capitals])
  expect(await find('ABCD-EF12')).toEqual([capitals, ofSecond])
  expect(await find('Abcd-Ef12')).toEqual([{ ...capitals, key: 'Abcd-Ef12' }, capitals, ofSecond])
})

test('any number of apps is looked through, and at most 20 licenses are returned', async () => {
  for (let n = 1; n <= 44; n++) {
    app.advance(1)
    await newAppWithKey(`App ${n}`, 'IN-EACH-APP', ...(n === 44 ? ['in-the-newest', 'in-each-app'] : []))
  }
  expect(await find('in-the-newest')).toMatchObject([{ appName: 'App 44' }])
  const found = await find('IN-EACH-APP')
  expect(found.map(({ appName }) => appName)).toEqual(Array.from({ length: 20 }, (_, n) => `App ${n + 1}`))
  // However many there are in other letter case, none takes the place of the same key.
  expect((await find('in-each-app'))[0]).toMatchObject({ appName: 'App 44', key: 'in-each-app' })
})

test('a stranger is rejected, and the key of another owner or of a deleted app looks like a missing one', async () => {
  const stranger = await newOwnerWithApp(app)
  const [key = ''] = await newLicenses(owner, 1)
  expectRejected(await app.visitor().send('GET', '/api/1.0/website/find_license', { query: { key } }), key, 401)
  expect(seen(await answer(key, stranger))).toBe(seen(await answer('nothing-here', stranger)))
  const deleted = await newAppWithKey('Second', key)
  expect(await find(key)).toHaveLength(2)
  expect((await owner.visitor.call('POST /delete_app', { body: { appId: deleted } })).status).toBe(200)
  expect(await find(key)).toEqual([{ appId: owner.appId, appName: 'First', key }])
})
