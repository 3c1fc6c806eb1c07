import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { expectAllRejected, hostileBodies, notLists, notTexts, strangeNames } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Seller } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const valid = { keyName: 'Shop', permissions: [] as string[] }

async function create(body: object = valid, headers: Record<string, string> = {}) {
  return owner.visitor.send<{ sellerKey: string; key: string; details: Record<string, unknown> }>(
    'POST',
    '/api/1.0/website/create_seller_key',
    { body, headers },
  )
}

describe('a new key', () => {
  test('is shown in full once, in its own format, and works', async () => {
    const { status, body } = await create()
    expect({ status, code: body.code, message: body.message }).toEqual({
      status: 200,
      code: 'SELLER_KEY_CREATE_OK',
      message: 'Seller key created successfully',
    })
    expect(body.sellerKey).toMatch(/^lk_live_[A-Za-z0-9]{8}_[A-Za-z0-9_-]{43}_[A-Za-z0-9]{6}$/)
    expect(body.key).toBe(body.sellerKey)
    const id = body.sellerKey.slice(8, 16)
    expect(body.details).toEqual({
      keyName: 'Shop',
      sellerKey: `lk_live_${id}…${body.sellerKey.slice(-4)}`,
      key: `lk_live_${id}…${body.sellerKey.slice(-4)}`,
      whitelistedIPs: [],
      status: 'active',
      createdDate: app.now(),
      lastUsed: null,
      lastUsedIp: '',
      permissions: [],
      fullAccess: true,
      exposedAt: null,
      rotatedUntil: null,
    })
    expect((await new Seller(app.url, body.sellerKey).send('GET', '/stats')).status).toBe(200)
  })

  test('appears nowhere in the database or in later replies (R-SK-01)', async () => {
    const { body } = await create({ ...valid, keyName: 'Nowhere' }, { 'idempotency-key': 'not-in-a-dump' })
    const secret = body.sellerKey.slice(17, 60)
    const tables = ['seller_keys', 'audit', 'idempotent_replies'] as const
    for (const table of tables) {
      const rows = await app.db.read.selectFrom(table).selectAll().execute()
      expect(rows.length).toBeGreaterThan(0)
      expect(JSON.stringify(rows)).not.toContain(secret)
    }
    const list = await owner.visitor.call('GET /seller_keys', { query: { search: 'Nowhere' } })
    expect(list.body.total).toBe(1)
    expect(JSON.stringify(list.body)).not.toContain(secret)
  })

  test('with a list of permissions has exactly those, and not full access', async () => {
    const { body } = await create({ ...valid, permissions: ['stats:read', 'users:read', 'stats:read'] })
    expect(body.details).toMatchObject({ permissions: ['stats:read', 'users:read'], fullAccess: false })
  })

  test('stores its IP list trimmed, without empty lines or duplicates, each entry in its canonical form', async () => {
    const whitelistedIPs = [
      ' 203.0.113.7 ',
      '',
      '10.1.2.3/8\r\n\n  ::ffff:192.0.2.1',
      '2001:DB8:0:0::1',
      '203.0.113.7/32',
      '::ffff:10.0.0.0/104',
    ]
    const { body } = await create({ ...valid, whitelistedIPs })
    expect(body.details['whitelistedIPs']).toEqual(['203.0.113.7', '10.0.0.0/8', '192.0.2.1', '2001:db8::1'])
  })

  test('accepts the IP list as the text of a field, too', async () => {
    const { body } = await create({ ...valid, whitelistedIPs: '192.0.2.0/24\n\n 2001:db8::/32 \n' })
    expect(body.details['whitelistedIPs']).toEqual(['192.0.2.0/24', '2001:db8::/32'])
  })

  test.each(strangeNames)('can be called %j', async (keyName) => {
    expect((await create({ ...valid, keyName: `  ${keyName} ` })).body.details['keyName']).toBe(keyName)
  })
})

test('the same Idempotency-Key returns the same key again and creates no second one', async () => {
  const headers = { 'idempotency-key': 'one-key-please' }
  const [first, second] = await Promise.all([create(valid, headers), create(valid, headers)])
  expect(first?.status).toBe(200)
  expect(second?.body.sellerKey).toBe(first?.body.sellerKey)
})

test('requires a password verification within the last five minutes (R-SES-08)', async () => {
  const other = await newOwnerWithApp(app)
  app.advance(301)
  const before = await databaseDigest(app.db)
  const { status, body } = await other.visitor.call('POST /create_seller_key', { body: valid })
  expect({ status, code: body.code }).toEqual({ status: 403, code: 'REAUTH_REQUIRED' })
  expect(await databaseDigest(app.db)).toBe(before)
  // The other tests need a new session.
  owner = await newOwnerWithApp(app)
})

describe('rejects', () => {
  test('invalid bodies, and changes nothing', async () => {
    const hostile = {
      keyName: [...notTexts, '', '   ', 'x'.repeat(51), 'x'.repeat(501), 'two\nlines', undefined],
      permissions: [
        ...notLists,
        ['licenses:all'],
        ['LICENSES:READ'],
        ['licenses:read '],
        ['*'],
        Array(51).fill('stats:read'),
        undefined,
      ],
      whitelistedIPs: [
        5,
        true,
        null,
        {},
        [5],
        [null],
        'x',
        ['203.0.113'],
        ['203.0.113.7.9'],
        ['256.1.1.1'],
        ['1'],
        ['0x7f.1'],
        ['010.0.0.1'],
        ['10.0.0.0/33'],
        ['10.0.0.0/-1'],
        ['10.0.0.0/08'],
        ['::1/129'],
        ['fe80::1%eth0'],
        ['example.com'],
        ['10.0.0.1 10.0.0.2'],
        ['*'],
        ['NUL \0'],
      ],
    }
    await expectAllRejected(app, owner.visitor, '/create_seller_key', hostileBodies(valid, hostile))
  })

  test('more than 100 addresses, and accepts 100', async () => {
    const ips = Array.from({ length: 101 }, (_, at) => `10.0.0.${at}`)
    const rejected = await create({ ...valid, whitelistedIPs: ips })
    expect(rejected).toMatchObject({
      status: 400,
      body: {
        code: 'IP_LIST_TOO_LONG',
        values: { max: 100 },
        field: 'whitelistedIPs',
        message: 'The IP list can have at most 100 entries',
      },
    })
    expect((await create({ ...valid, whitelistedIPs: ips.slice(1) })).body.details['whitelistedIPs']).toHaveLength(100)
  })

  test('an invalid entry by name', async () => {
    const ip = await create({ ...valid, whitelistedIPs: ['10.0.0.1', '10.0.0.300'] })
    expect(ip.body).toMatchObject({
      code: 'IP_ENTRY_INVALID',
      values: { entry: '10.0.0.300' },
      field: 'whitelistedIPs',
      message: '10.0.0.300 is not an IP address or a network such as 203.0.113.0/24',
    })
    const scope = await create({ ...valid, permissions: ['users:read', 'users:everything'] })
    expect(scope.body).toMatchObject({
      code: 'SELLER_KEY_SCOPE_UNKNOWN',
      values: { scope: 'users:everything' },
      field: 'permissions',
      message: 'Unknown permission: users:everything',
    })
  })

  test.each([
    [' ', 'KEY_NAME_REQUIRED', 'Key name is required'],
    ['x'.repeat(51), 'KEY_NAME_TOO_LONG', 'The key name can have at most 50 characters'],
    ['a\nb', 'KEY_NAME_CHARACTERS', 'The key name can only contain visible characters'],
  ])('the name %j at its field', async (keyName, code, message) => {
    const { status, body } = await create({ ...valid, keyName })
    expect({ status, body }).toMatchObject({ status: 400, body: { code, message, field: 'keyName' } })
  })
})
