import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { newOwner, type Owner } from '#testing/people/people.ts'
import { newReseller, resellerPassword } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Reseller calls limit how many names a caller can probe for existing accounts. */

let app: TestApp
let owner: Owner
let other: Owner

beforeAll(async () => {
  app = await startTestApp({ config: { limits: readConfig({}).limits, trustedProxies: ['127.0.0.1'] } })
})
afterAll(() => app.close())
beforeEach(async () => {
  app.advance(3600)
  owner = await newOwner(app)
  other = await newOwner(app)
})

const from = (network: number) => ({ 'x-forwarded-for': `203.0.113.${network}` })
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => `${status} ${body.code}`
const taken = '409 ACCOUNT_TAKEN'
const limited = '429 RATE_LIMITED'

let made = 0
const freeName = () => `free_${++made}`
const create = async (username: string, network: number, { visitor } = owner) =>
  codeOf(await visitor.call('POST /resellers/create', { body: { username }, headers: from(network) }))
const move = async (id: string, email: string, network: number) =>
  codeOf(await owner.visitor.call('PUT /resellers/{id}', { params: { id }, body: { email }, headers: from(network) }))
const register = async (username: string, network: number) => {
  const body = { username, email: `${username}@example.com`, password: resellerPassword, displayName: 'x' }
  return codeOf(await app.visitor().call('POST /register', { body, headers: from(network) }))
}

test('an account can learn of five taken names an hour from any networks; typos cost nothing', async () => {
  for (let n = 0; n < 8; n++) expect(await create('no-name', 1)).toBe('400 USERNAME_CHARACTERS')
  for (let n = 0; n < 5; n++) expect(await create(other.username, n)).toBe(taken)
  const answer = await owner.visitor.call('POST /resellers/create', { body: { username: freeName() } })
  expect([codeOf(answer), answer.headers.get('retry-after')]).toEqual([limited, '3600'])
  expect(await create(other.username, 9)).toBe(limited)
  expect(await create(freeName(), 9, other)).toBe('200 RESELLER_CREATE_OK')
  app.advance(3600)
  await owner.visitor.call('POST /login', { body: { username: owner.username, password: owner.password } })
  expect(await create(freeName(), 9)).toBe('200 RESELLER_CREATE_OK')
})

test('a network can learn of five an hour with any accounts and calls', async () => {
  const { id } = await newReseller(app, owner)
  for (let n = 0; n < 2; n++) expect(await create(owner.username, 20, other)).toBe(taken)
  for (let n = 0; n < 2; n++) expect(await move(id, `${other.username}@example.com`, 20)).toBe(taken)
  expect(await register(owner.username, 20)).toBe(taken)
  for (const username of [owner.username, freeName()]) {
    expect(await create(username, 20, other)).toBe(limited)
    expect(await register(username, 20)).toBe(limited)
  }
  expect(await move(id, 'free@example.com', 20)).toBe(limited)
  const email = `${other.username}@example.com`
  const profile = await owner.visitor.call('POST /profile/update', { body: { email }, headers: from(20) })
  expect(codeOf(profile)).toBe(limited)
  expect(await move(id, 'free@example.com', 21)).toBe('200 RESELLER_UPDATE_OK')
})

test('creating a reseller costs no attempt, up to fifty an hour', async () => {
  const codes = []
  for (let n = 0; n < 52; n++) codes.push(await create(freeName(), 30))
  expect(codes.filter((code) => code === '200 RESELLER_CREATE_OK')).toHaveLength(50)
  expect(codes.slice(50)).toEqual([limited, limited])
  for (let n = 0; n < 5; n++) expect(await create(owner.username, 31, other)).toBe(taken)
  expect(await create(freeName(), 31, other)).toBe(limited)
})

test('addresses of resellers and at set-up reveal at most five an hour too', async () => {
  const { id, registrationToken } = await newReseller(app, owner)
  const email = `${other.username}@EXAMPLE.com`
  for (let n = 0; n < 5; n++) expect(await move(id, email, 40 + n)).toBe(taken)
  expect(await move(id, email, 50)).toBe(limited)
  expect(await move(id, 'no address', 50)).toBe('400 EMAIL_INVALID')
  const setUp = async (address: string, network: number) => {
    const body = { email: address, password: resellerPassword }
    const params = { registrationToken }
    const headers = from(network)
    return codeOf(await app.visitor().call('POST /reseller/setup/{registrationToken}', { params, body, headers }))
  }
  for (let n = 0; n < 5; n++) expect(await setUp(email, 60 + n)).toBe(taken)
  expect(await setUp(`free-${id}@example.com`, 70)).toBe(limited)
  app.advance(3600)
  expect(await setUp(`free-${id}@example.com`, 70)).toBe('200 RESELLER_SETUP_OK')
})

test("creating a reseller or changing its address needs a recent verification; a ban doesn't (R-SES-08)", async () => {
  const { id } = await newReseller(app, owner)
  app.advance(301)
  expect(await create(freeName(), 80)).toBe('403 REAUTH_REQUIRED')
  expect(await move(id, 'theirs@example.com', 80)).toBe('403 REAUTH_REQUIRED')
  const banned = await owner.visitor.call('PUT /resellers/{id}', { params: { id }, body: { banned: true } })
  expect([codeOf(banned), banned.body.email]).toEqual(['200 RESELLER_UPDATE_OK', ''])
  await owner.visitor.call('POST /profile/reauthenticate', { body: { password: owner.password } })
  expect(await create(freeName(), 80)).toBe('200 RESELLER_CREATE_OK')
  expect(await move(id, 'theirs@example.com', 80)).toBe('200 RESELLER_UPDATE_OK')
})
