import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallDefinition } from '#contract/define-call.ts'
import { scopes } from '#features/seller-keys/seller-keys.rules.ts'
import { databaseDigest } from '#testing/database-digest.ts'
import { Program } from '#testing/people/program.ts'
import { newSeller, newShop, Seller, type Shop, sold, soldLicense, soldUser } from '#testing/people/sellers.ts'
import type { Answer } from '#testing/people/visitor.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { sellerApi } from './seller-api.feature.ts'

/**
 * Every call × key permissions: rejected without the call's scope and without a key, accepted with exactly that
 * scope and with full access. Resources of another app look as if they did not exist.
 */

interface Names {
  license: string
  username: string
  level: number
  /** Of a variable, and of a file. */
  name: string
  sessionId: string
  listenerId: string
}

/** A request body for each call that makes it take effect; path parameters come from `Names`. */
const bodies: Record<string, (names: Names) => object> = {
  createLicenses: ({ level }) => ({ amount: 2, level }),
  editLicense: () => ({ notes: 'changed' }),
  addTimeLicense: () => ({ duration: 1, expiryUnit: 'days' }),
  createUser: ({ username }) => ({ username: `${username}.too`, password: 'Correct7Horse' }),
  editUser: () => ({ email: 'changed@example.com' }),
  addUserSubscription: ({ level }) => ({ level, duration: 3 }),
  extendUser: () => ({ level: 1, duration: 1, unit: 'days' }),
  subtractUser: () => ({ duration: 1, unit: 'hours' }),
  createSubscription: ({ level }) => ({ level: level + 100_000, name: 'Made' }),
  editSubscription: () => ({ name: 'Renamed', active: false }),
  setVariable: () => ({ data: 'changed' }),
  updateSettings: () => ({ webloaderDownloadLink: `https://prism.example/${++lastLevel}` }),
  setAppVariable: () => ({ data: 'changed' }),
  updateDownload: () => ({ description: 'changed' }),
}

const { contract } = sellerApi
const calls = Object.entries(contract)
const scopedCalls = calls.filter(([, call]) => call.scope !== null)
const missing: Names = {
  license: 'NONE-NONE-NONE',
  username: 'nobody.here',
  level: 999_999,
  name: 'nothing',
  sessionId: 'no-such-session',
  listenerId: 'wl_AAAAAAAAAAAA',
}

let app: TestApp
let shop: Shop
let lastLevel = 1000

beforeAll(async () => {
  app = await startTestApp()
  shop = await newShop(app)
})
afterAll(() => app.close())

/** Objects of each kind; those that take long only for calls on them. */
async function freshNames({ path }: Pick<CallDefinition, 'path'>): Promise<Names> {
  const { seller } = shop
  const names = {
    license: await soldLicense(seller),
    username: await soldUser(seller, { days: 30 }),
    level: ++lastLevel,
    name: `hint ${lastLevel}`,
    sessionId: '',
    listenerId: '',
  }
  await sold(seller, 'POST', '/subscriptions', { level: names.level, name: 'Fresh' })
  const name = encodeURIComponent(names.name)
  await sold(seller, 'PUT', `/users/${names.username}/variables/${name}`, { data: 'before' })
  if (path.startsWith('/variables')) await sold(seller, 'PUT', `/variables/${name}`, { data: 'before' })
  if (path.startsWith('/downloads')) await upload(seller, names)
  if (path.includes('{listenerId}')) names.listenerId = await newListener(seller)
  if (!path.includes('sessions')) return names
  const program = await Program.of(app, shop.owner)
  await program.init()
  expect((await program.login(names.username, 'Correct7Horse')).body.success).toBe(true)
  const { sessions } = await sold<{ sessions: { session_id: string }[] }>(
    seller,
    'GET',
    `/sessions?username=${names.username}`,
  )
  return { ...names, sessionId: sessions[0]?.session_id ?? '' }
}

/** Uploads a disabled file of this name. */
async function upload(seller: Seller, { name }: Names): Promise<void> {
  expect((await sendFile(seller, name)).status).toBe(200)
  await sold(seller, 'POST', `/downloads/file/${encodeURIComponent(name)}/disable`, {})
}

async function sendFile(seller: Seller, name: string): Promise<Answer> {
  const form = new FormData()
  form.append('name', name)
  form.append('file', new File(['bytes'], 'setup.exe'))
  const headers = seller.key === '' ? undefined : { authorization: `Bearer ${seller.key}` }
  const response = await fetch(`${app.url}/api/1.0/seller/downloads/upload`, { method: 'POST', headers, body: form })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] }
}

const pathOf = (call: CallDefinition, names: Names) =>
  call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name as keyof Names]))
const send = (seller: Seller, [key, call]: [string, CallDefinition], names: Names) =>
  call.upload
    ? sendFile(seller, `${names.name} too`)
    : seller.send(call.method, pathOf(call, names), { body: call.body ? (bodies[key]?.(names) ?? {}) : undefined })

/** Only its own key can follow or end a listener. An app has few, so earlier ones are ended. */
async function newListener(seller: Seller): Promise<string> {
  await app.db.write(({ db }) => db.deleteFrom('webhook_listeners').execute())
  return (await sold<{ listenerId: string }>(seller, 'POST', '/webhooks/listeners')).listenerId
}

async function keyWith(permissions: string[]): Promise<Seller> {
  const seller = await newSeller(app, shop.owner, { permissions })
  // The first call records the last use of the key.
  await seller.send('GET', '/stats')
  return seller
}

describe.each(scopedCalls)('%s', (key, call) => {
  const scope = call.scope as string

  test('is rejected without its scope, whatever other scopes the key has, and changes nothing (R-SK-03)', async () => {
    const names = await freshNames(call)
    const others = await keyWith(scopes.filter((each) => each !== scope))
    const before = await databaseDigest(app.db)
    const { status, body } = await send(others, [key, call], names)
    expect({ status, code: body.code, scope: body['scope'] }).toEqual({ status: 403, code: 'SCOPE_MISSING', scope })
    expect(await databaseDigest(app.db)).toBe(before)
  })

  test.each([
    ['with its scope alone', [scope]],
    ['with full access', []],
  ])('is done %s', async (_name, permissions) => {
    const names = await freshNames(call)
    const seller = await keyWith(permissions)
    if (call.path.includes('{listenerId}')) names.listenerId = await newListener(seller)
    const before = await databaseDigest(app.db)
    const { status, body, headers } = await send(seller, [key, call], names)
    const isStream = headers.get('content-type')?.startsWith('text/event-stream')
    expect({ status, success: isStream || body.success, message: body.message }).toMatchObject({
      status: 200,
      success: true,
    })
    if (call.method === 'GET') expect(await databaseDigest(app.db)).toBe(before)
    else expect(await databaseDigest(app.db)).not.toBe(before)
  })

  test('is rejected without a key and changes nothing', async () => {
    const names = await freshNames(call)
    const before = await databaseDigest(app.db)
    const { status, body } = await send(new Seller(app.url, ''), [key, call], names)
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'SELLER_KEY_INVALID' })
    expect(await databaseDigest(app.db)).toBe(before)
  })
})

/** `setAppVariable` creates a missing variable; its own test covers that of another shop. */
const naming = calls.filter(([key, call]) => call.path.includes('{') && key !== 'setAppVariable')

test.each(naming)("%s: another shop's object looks like a missing one and isn't changed", async (key, call) => {
  const names = await freshNames(call)
  await shop.other.send('GET', '/stats')
  const before = await databaseDigest(app.db)
  const foreign = await send(shop.other, [key, call], names)
  const absent = await send(shop.other, [key, call], missing)
  expect(foreign.status).toBe(404)
  expect({ ...foreign.body, requestId: '' }).toEqual({ ...absent.body, requestId: '' })
  expect(await databaseDigest(app.db)).toBe(before)
})

test('every scope is used by a call, and every call but that about the key itself has an existing scope', () => {
  expect(new Set(scopedCalls.map(([, call]) => call.scope))).toEqual(new Set(scopes))
  expect(calls.filter((call) => !scopedCalls.includes(call)).map(([key]) => key)).toEqual(['me'])
})

test('the audit records actions of a key under its ID', async () => {
  const seller = await newSeller(app, shop.owner)
  const license = await soldLicense(seller)
  await sold(seller, 'POST', `/licenses/${license}/ban`, {})
  const rows = await app.db.read
    .selectFrom('audit')
    .selectAll()
    .where('actor_id', '=', seller.key.slice(8, 16))
    .orderBy('id')
    .execute()
  expect(
    rows.map(({ actor_type, act, target, owner_id, app_id }) => ({ actor_type, act, target, owner_id, app_id })),
  ).toEqual(
    ['license.create', 'license.ban'].map((act) => ({
      actor_type: 'seller-key',
      act,
      target: license,
      owner_id: shop.owner.id,
      app_id: shop.owner.appId,
    })),
  )
})

test('the audit records an action on a license the same way, whether the website or a key causes it', async () => {
  const { owner, seller } = shop
  const ways = {
    website: async () => {
      const { body: made } = await owner.visitor.call('POST /create_licenses', { body: { amount: 1, subscription: 1 } })
      const license = made.licenses[0] as string
      await owner.visitor.call('POST /update_license', { body: { licenseKey: license, notes: 'x' } })
      await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: license, banned: true } })
      await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: license, banned: false } })
      await owner.visitor.call('POST /delete_license', { body: { licenseKey: license } })
      return license
    },
    key: async () => {
      const license = await soldLicense(seller)
      await sold(seller, 'PUT', `/licenses/${license}`, { notes: 'x' })
      await sold(seller, 'POST', `/licenses/${license}/ban`, {})
      await sold(seller, 'POST', `/licenses/${license}/unban`, {})
      await sold(seller, 'DELETE', `/licenses/${license}`)
      return license
    },
  }
  const rowsOf = async (license: string) =>
    app.db.read
      .selectFrom('audit')
      .select(['act', 'details', 'owner_id', 'app_id'])
      .where('target', '=', license)
      .orderBy('id')
      .execute()
  const rows = await rowsOf(await ways.key())
  expect(rows.map(({ act }) => act)).toEqual([
    'license.create',
    'license.update',
    'license.ban',
    'license.unban',
    'license.delete',
  ])
  expect(await rowsOf(await ways.website())).toEqual(rows)
})

test('the audit records added time in seconds, regardless of who adds it', async () => {
  const { owner, seller } = shop
  const license = await soldLicense(seller)
  const time = { duration: 123, expiryUnit: 'seconds' } as const
  await owner.visitor.call('POST /add_time_licenses', { body: { licenses: [license], ...time } })
  await sold(seller, 'POST', `/licenses/${license}/add-time`, time)
  const rows = await app.db.read
    .selectFrom('audit')
    .select(['actor_type', 'target', 'details'])
    .where('act', '=', 'license.add-time')
    .where('details', '=', '{"seconds":123}')
    .orderBy('id')
    .execute()
  expect(rows.map(({ actor_type, target }) => [actor_type, target])).toEqual([
    ['owner', '1 license'],
    ['seller-key', license],
  ])
})

test("one Idempotency-Key can't be used for two licenses", async () => {
  const [first, second] = [await soldLicense(shop.seller), await soldLicense(shop.seller)]
  const input = { body: { duration: 1, expiryUnit: 'days' }, headers: { 'idempotency-key': 'the-same-key' } }
  expect((await shop.seller.send('POST', `/licenses/${first}/add-time`, input)).status).toBe(200)
  const { status, body } = await shop.seller.send('POST', `/licenses/${second}/add-time`, input)
  expect({ status, code: body.code }).toEqual({ status: 422, code: 'IDEMPOTENCY_KEY_REUSED' })
})
