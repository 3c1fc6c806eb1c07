import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Type } from 'typebox'
import { defineCall } from '#contract/define-call.ts'
import { reply } from '#contract/fields.ts'
import { buildServer } from '#server/http/build-server.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { databaseDigest } from '#testing/database-digest.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { newSeller, Seller, setSellerLimits } from '#testing/people/sellers.ts'
import { keepSignedIn } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { purgeDeletedApps } from '#features/apps/apps.purge.ts'
import { features } from '../../features.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const outcome = async (seller: Seller, headers: Record<string, string> = {}) => {
  const { status, body } = await seller.send('GET', '/stats', { headers })
  return { status, code: body.code }
}
const lastUse = async ({ key }: Seller) => {
  const { body } = await owner.visitor.call('GET /seller_keys', { query: { search: key.slice(8, 16) } })
  return body.sellerKeys[0]?.lastUsed
}

describe('a key', () => {
  test('works only in the Authorization header, in any case of "Bearer"', async () => {
    const seller = await newSeller(app, owner)
    const bare = new Seller(app.url, '')
    expect(await outcome(bare)).toEqual({ status: 401, code: 'SELLER_KEY_INVALID' })
    expect(await outcome(bare, { authorization: `bearer ${seller.key}` })).toEqual({ status: 200, code: undefined })
    expect(await outcome(bare, { authorization: `Basic ${seller.key}` })).toEqual({
      status: 401,
      code: 'SELLER_KEY_INVALID',
    })
    expect(await outcome(bare, { 'x-api-key': seller.key })).toEqual({ status: 401, code: 'SELLER_KEY_INVALID' })
    expect(await outcome(bare, { cookie: `sid=${seller.key}` })).toEqual({ status: 401, code: 'SELLER_KEY_INVALID' })
  })

  test.each(['key', 'sellerKey', 'seller_key', 'api_key', 'access_token', 'search'])(
    'in the query as %s is rejected (R-SK-02)',
    async (name) => {
      const seller = await newSeller(app, owner)
      for (const sender of [seller, new Seller(app.url, '')]) {
        const { status, body } = await sender.send('GET', '/licenses', { query: { [name]: seller.key } })
        expect({ status, code: body.code }).toEqual({ status: 400, code: 'SELLER_KEY_IN_URL' })
        expect(JSON.stringify(body)).not.toContain(seller.key.slice(17, 60))
      }
    },
  )

  test('that was sent in a URL is marked until it is rotated; knowing its ID marks nothing (R-SK-02)', async () => {
    const seller = await newSeller(app, owner)
    const exposedAt = async () => {
      const { body } = await owner.visitor.call('GET /seller_keys', { query: { search: seller.key.slice(8, 16) } })
      return body.sellerKeys[0]?.exposedAt
    }
    const stranger = new Seller(app.url, '')
    const forged = `${seller.key.slice(0, 17)}${(await newSeller(app, owner)).key.slice(17)}`
    for (const text of [seller.key.slice(0, 16), forged]) await stranger.send('GET', '/stats', { query: { key: text } })
    expect(await exposedAt()).toBeNull()
    const inUrl = await stranger.send('GET', '/stats', { query: { key: seller.key } })
    expect(inUrl.body.code).toBe('SELLER_KEY_IN_URL')
    expect(await exposedAt()).toBeGreaterThan(0)
    expect((await outcome(seller)).status).toBe(200)
    const rotated = await owner.visitor.call('POST /rotate_seller_key', {
      body: { sellerKey: seller.key.slice(8, 16), overlapHours: 1 },
    })
    expect([rotated.status, await exposedAt()]).toEqual([200, null])
    // The leaked secret is the previous one; the current one is not exposed.
    await stranger.send('GET', '/stats', { query: { key: seller.key } })
    expect(await exposedAt()).toBeNull()
  })

  test('with another ID, another secret, or one wrong character is rejected like a missing one (R-SK-06)', async () => {
    const seller = await newSeller(app, owner)
    const other = await newSeller(app, owner)
    const wrong = [
      seller.key.slice(0, 17) + other.key.slice(17),
      `${seller.key.slice(0, -1)}${seller.key.endsWith('A') ? 'B' : 'A'}`,
      seller.key.slice(0, 16),
      `${seller.key}x`,
    ]
    const none = await new Seller(app.url, '').send('GET', '/stats')
    for (const key of wrong) {
      const { status, body } = await new Seller(app.url, key).send('GET', '/stats')
      expect({ status, body: { ...body, requestId: '' } }).toEqual({
        status: 401,
        body: { ...none.body, requestId: '' },
      })
    }
  })

  test("can't make website calls, and a session can't make calls of the seller API", async () => {
    const seller = await newSeller(app, owner)
    const website = await app
      .visitor()
      .send('GET', '/api/1.0/website/licenses', { headers: { authorization: `Bearer ${seller.key}` } })
    expect(website.status).toBe(401)
    expect((await owner.visitor.send('GET', '/api/1.0/seller/stats')).status).toBe(401)
  })

  test('acts only on its own app, whatever a header says', async () => {
    const stranger = await newOwnerWithApp(app)
    const seller = await newSeller(app, owner)
    const made = await seller.send<{ licenses: string[] }>('POST', '/licenses', {
      body: { amount: 1, level: 1 },
      headers: { 'x-app-id': stranger.appId },
    })
    const { body } = await owner.visitor.call('GET /licenses', { query: { search: made.body.licenses[0] } })
    expect(body.total).toBe(1)
    expect(
      (await seller.send('POST', '/licenses', { body: { amount: 1, level: 1, appId: stranger.appId } })).status,
    ).toBe(400)
  })
})

describe('the IP list', () => {
  test('admits exactly the addresses on it (R-SK-04)', async () => {
    expect(await outcome(await newSeller(app, owner, { whitelistedIPs: ['127.0.0.0/8'] }))).toEqual({
      status: 200,
      code: undefined,
    })
    const elsewhere = await newSeller(app, owner, { whitelistedIPs: ['192.0.2.1', '2001:db8::/32'] })
    expect(await outcome(elsewhere)).toEqual({ status: 403, code: 'SELLER_KEY_IP_REFUSED' })
  })

  test('ignores headers about the address', async () => {
    const elsewhere = await newSeller(app, owner, { whitelistedIPs: ['192.0.2.1'] })
    const headers = { 'x-forwarded-for': '192.0.2.1', 'x-real-ip': '192.0.2.1', forwarded: 'for=192.0.2.1' }
    expect(await outcome(elsewhere, headers)).toEqual({ status: 403, code: 'SELLER_KEY_IP_REFUSED' })
  })
})

test('rejects keys of a banned owner', async () => {
  const banned = await newOwnerWithApp(app)
  const seller = await newSeller(app, banned)
  expect((await outcome(seller)).status).toBe(200)
  await app.db.write((tx) => tx.db.updateTable('accounts').set({ banned: 1 }).where('id', '=', banned.id).execute())
  expect(await outcome(seller)).toEqual({ status: 403, code: 'ACCOUNT_BANNED' })
})

test('takes a key of a deleted app for a wrong one, before and after the data of the app is removed', async () => {
  const other = await newOwnerWithApp(app)
  const [seller, paused] = [await newSeller(app, other), await newSeller(app, other)]
  const deletedAt = { deleted_at: app.now() }
  const status = { sellerKey: paused.key.slice(8, 16), status: 'paused' as const }
  await other.visitor.call('POST /toggle_seller_key_status', { body: status })
  // Without the call, which also starts to remove the data.
  await app.db.write(({ db }) => db.updateTable('apps').set(deletedAt).where('id', '=', other.appId).execute())
  for (const each of [seller, paused]) expect(await outcome(each)).toEqual({ status: 401, code: 'SELLER_KEY_INVALID' })
  await purgeDeletedApps(app.services)
  expect(await outcome(seller)).toEqual({ status: 401, code: 'SELLER_KEY_INVALID' })
})

test('records the last use at most once a minute (R-SK-05)', async () => {
  const seller = await newSeller(app, owner)
  await outcome(seller)
  const first = (await lastUse(seller)) as number
  const before = await databaseDigest(app.db)
  app.advance(50)
  await outcome(seller)
  expect(await databaseDigest(app.db)).toBe(before)
  app.advance(10)
  await outcome(seller)
  expect(await lastUse(seller)).toBeGreaterThanOrEqual(first + 60)
})

describe('limits', () => {
  // These tests advance the clock by hours, so sessions expire.
  beforeEach(async () => {
    owner = await newOwnerWithApp(app)
  })

  test('each key has its own 60 calls a minute (R-SK-06)', async () => {
    const [busy, idle] = [await newSeller(app, owner), await newSeller(app, owner)]
    const codes = []
    for (let call = 0; call < 61; call++) codes.push((await outcome(busy)).code)
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(1)
    expect(codes.at(-1)).toBe('RATE_LIMITED')
    expect((await busy.send('GET', '/stats')).headers.get('retry-after')).toMatch(/^\d+$/)
    expect((await outcome(idle)).status).toBe(200)
    app.advance(60)
    expect((await outcome(busy)).status).toBe(200)
  })

  test('every reply to a key says what is left of the limit that it meets first, and an unknown key learns nothing', async () => {
    const seller = await newSeller(app, owner)
    const left = async (send: Promise<{ headers: Headers }>) => {
      const { headers } = await send
      return ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`))
    }
    expect(await left(seller.send('GET', '/stats'))).toEqual(['60', '59', '60'])
    app.advance(20)
    expect(await left(seller.send('GET', '/licenses/NO-SUCH'))).toEqual(['60', '58', '40'])
    await setSellerLimits(app, 60, 3)
    expect(await left(seller.send('GET', '/stats'))).toEqual(['3', '0', '3580'])
    const { status, headers } = await seller.send('GET', '/stats')
    expect([status, headers.get('ratelimit-remaining'), headers.get('retry-after')]).toEqual([429, '0', '3580'])
    await setSellerLimits(app, 60, 1000)
    const unknown = new Seller(app.url, `${seller.key.slice(0, 17)}${'x'.repeat(seller.key.length - 17)}`)
    expect(await left(unknown.send('GET', '/stats'))).toEqual([null, null, null])
  })

  test('a key has the hourly limit set by the administrator, 1000 by default', async () => {
    expect((await app.services.settings.current()).api).toMatchObject({
      rateLimitPerMinute: 60,
      rateLimitPerHour: 1000,
    })
    await setSellerLimits(app, 60, 100)
    const busy = await newSeller(app, owner)
    const codes = []
    for (let minute = 0; minute < 3; minute++) {
      for (let call = 0; call < 40; call++) codes.push((await outcome(busy)).code)
      app.advance(60)
    }
    expect(codes.indexOf('RATE_LIMITED')).toBe(100)
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(20)
    app.advance(3600)
    expect((await outcome(busy)).status).toBe(200)
    await setSellerLimits(app, 60, 1000)
  })

  test('slows down attempts with wrong keys, while a right key from that network still works', async () => {
    app.advance(60)
    const right = await newSeller(app, owner)
    const wrong = new Seller(app.url, `${right.key.slice(0, 17)}${(await newSeller(app, owner)).key.slice(17)}`)
    const codes = []
    for (let attempt = 0; attempt < 25; attempt++) codes.push((await outcome(wrong)).code)
    expect(codes).toEqual([...Array(20).fill('SELLER_KEY_INVALID'), ...Array(5).fill('RATE_LIMITED')])
    expect((await outcome(right)).status).toBe(200)
  })
})

describe('an incomplete definition of a seller call stops the start', () => {
  const planted = {
    area: 'seller',
    summary: 'A planted call',
    reply: reply({ n: Type.Integer() }),
  } as const
  test.each([
    ['no scope', defineCall('GET /planted', { ...planted, access: 'seller-key' }), "doesn't say which scope"],
    ['no key', defineCall('GET /planted', { ...planted, access: 'anyone', scope: 'stats:read' }), 'mixes seller keys'],
    [
      'a session',
      defineCall('GET /planted', { ...planted, access: 'account', scope: 'stats:read' }),
      'mixes seller keys',
    ],
    [
      'the website',
      defineCall('GET /planted', { ...planted, area: 'website', access: 'seller-key', scope: 'stats:read' }),
      'mixes seller keys',
    ],
  ])('%s', async (_name, call, text) => {
    const endpoints = [endpoint(call, { read: async () => ({ n: 1 }) })]
    const feature = { name: 'planted', contract: {}, endpoints }
    await expect(buildServer({ services: app.services, features: [...features, feature] })).rejects.toThrow(text)
  })
})

describe('a key', () => {
  test.each<[string, string, number]>([
    ['the path of a call', '/api/1.0/seller/users/KEY', 400],
    ['an address that is none', '/api/1.0/seller/KEY/licenses', 400],
    ['a parameter of any name', '/api/1.0/seller/stats?x=KEY', 400],
    ['disguise', '/api/1.0/s%65ller/users/l%6b%5flive_REST', 400],
    ['the website', '/api/1.0/website/seller_keys?search=KEY', 401],
    ['a page', '/sellerapi/KEY', 404],
    ['an address that no router reads', '/%zz/KEY', 400],
  ])('that was sent in %s is marked (R-SK-02)', async (_name, address, status) => {
    app.advance(60)
    const fresh = await newOwnerWithApp(app)
    const { key } = await newSeller(app, fresh)
    const url = address.replace('KEY', key).replace('REST', key.slice('lk_live_'.length))
    const answer = await app.visitor().send('GET', url)
    expect(answer.status).toBe(status)
    if (url.includes('ller/')) expect(answer.body.code).toBe('SELLER_KEY_IN_URL')
    const exposedAt = async () => (await fresh.visitor.call('GET /seller_keys')).body.sellerKeys[0]?.exposedAt
    await expect.poll(exposedAt).toBeGreaterThan(0)
  })
})

test('records the last use after the clock was ahead and was set back', async () => {
  owner = await newOwnerWithApp(app)
  await keepSignedIn(app, owner)
  const seller = await newSeller(app, owner)
  const setClock = (seconds: number) => {
    app.jumpClock(seconds)
    app.now()
    // The clock is believed after ten minutes.
    app.advance(660)
    app.now()
  }
  setClock(86_400)
  expect(await outcome(seller)).toMatchObject({ status: 200 })
  setClock(-86_400)
  expect(await outcome(seller)).toMatchObject({ status: 200 })
  expect(await lastUse(seller)).toBe(app.now())
})
