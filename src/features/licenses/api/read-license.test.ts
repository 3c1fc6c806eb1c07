import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRejected, seen } from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const read = (license: string, by = owner) => by.visitor.call('GET /license/{license}', { params: { license } })

test('reads the license with exactly this key', async () => {
  const [key = ''] = await newLicenses(owner, 3)
  const listed = await owner.visitor.call('GET /licenses')
  expect((await read(key)).body.license).toEqual(listed.body.licenses.find(({ license }) => license === key))
  expectRejected(await read(key.slice(0, -1)), 'part of a key', 404)
})

test('keys with any characters are found by the path', async () => {
  for (const mask of [
    'a/b-########-########',
    '100%-########-########',
    'what?########-########',
    'x/../y########-########',
  ]) {
    const body = { amount: 1, mask, subscription: 1, expiryUnit: 'days', duration: 1 } as const
    const { keys } = (await owner.visitor.call('POST /create_licenses', { body })).body
    expect((await read(keys[0] as string)).body.license.license).toBe(keys[0])
  }
})

test('a key that is too long or broken is rejected', async () => {
  const at = (path: string) => owner.visitor.send('GET', `/api/1.0/website/license/${path}`)
  for (const path of ['k'.repeat(201), 'NUL%00', '%E0%A4%A', 'key?noSuchField=1']) expectRejected(await at(path), path)
})

test('a stranger is rejected, and a license of another owner looks like a missing one', async () => {
  const stranger = await newOwnerWithApp(app)
  const [key = ''] = await newLicenses(owner, 1)
  const path = `/api/1.0/website/license/${key}`
  expectRejected(await app.visitor().send('GET', path), path, 401)
  const foreign = await read(key, stranger)
  expectRejected(foreign, path, 404)
  expect(seen(foreign)).toBe(seen(await read('nothing-here', stranger)))
})
