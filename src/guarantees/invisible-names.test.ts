import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { newUser } from '#testing/people/end-users.ts'
import { expectRejected, invisibleNames } from '#testing/faults/hostile-input.ts'
import { goodPassword, newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { newSeller, type Seller } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** A name that nobody sees, or that looks like another one, is rejected wherever one can be given. */

let app: TestApp
let owner: OwnedApp
let seller: Seller
let program: Program
let username: string
let licenseKey: string
let sellerKey: string

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  seller = await newSeller(app, owner)
  sellerKey = seller.key.slice(8, 16)
  username = await newUser(owner)
  ;[licenseKey = ''] = await newLicenses(owner, 1)
  program = await Program.of(app, owner)
  await program.init()
  // Its first use writes down when it was.
  await seller.send('GET', '/stats')
})
afterAll(() => app.close())

const website = (path: string, body: object) => owner.visitor.send('POST', `/api/1.0/website${path}`, { body })
const password = goodPassword
const email = 'new@example.com'
const path = (name: string) => encodeURIComponent(name)

const places: [string, (name: string) => Promise<{ status: number; body: object }>][] = [
  ['register, username', (name) => website('/register', { username: name, displayName: 'X', email, password })],
  [
    'register, displayName',
    (name) => website('/register', { username: 'newcomer', displayName: name, email, password }),
  ],
  ['profile', (name) => website('/profile/update', { displayName: name })],
  ['create_app', (name) => website('/create_app', { appName: name })],
  ['update_app', (name) => website('/update_app', { appId: owner.appId, appName: name })],
  ['create_subscription', (name) => website('/create_subscription', { name })],
  ['update_subscription', (name) => website('/update_subscription', { level: 1, name })],
  ['create_user', (name) => website('/create_user', { username: name, password })],
  ['user_variables', (name) => website('/user_variables', { username, name, data: 'x' })],
  ['create_seller_key', (name) => website('/create_seller_key', { keyName: name, permissions: [] })],
  ['update_seller_key', (name) => website('/update_seller_key', { sellerKey, keyName: name })],
  ['seller: users', (name) => seller.send('POST', '/users', { body: { username: name, password } })],
  ['seller: subscription', (name) => seller.send('PUT', '/subscriptions/1', { body: { name } })],
  [
    'seller: variable',
    (name) => seller.send('PUT', `/users/${path(username)}/variables/${path(name)}`, { body: { data: 'x' } }),
  ],
  ['program: register', (name) => program.register(name, 'Password-of-user', licenseKey)],
]

describe.each(places)('%s', (_name, give) => {
  test('rejects names with invisible characters', async () => {
    const before = await databaseDigest(app.db)
    for (const name of invisibleNames) {
      const answer = await give(name)
      expectRejected(answer as Parameters<typeof expectRejected>[0], name)
      expect(answer.body).not.toMatchObject({ code: 'FIELD_UNKNOWN' })
    }
    expect(await databaseDigest(app.db)).toBe(before)
  })
})
