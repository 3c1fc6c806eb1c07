import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { features } from '#features.ts'
import { databaseDigest } from '#testing/database-digest.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { RawConnection } from '#testing/servers/raw-connection.ts'
import { newSeller, type Seller, setSellerLimits } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import type { Visitor } from '#testing/people/visitor.ts'
import { pathOf } from './call-routes.ts'
import { readConfig } from '../config/config.ts'
import { sessionHash } from '../secrets/session-token.ts'

/** What a request's head decides comes before its body is read, and what a body may cost comes before it is parsed. */

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp({ config: { limits: { ...readConfig({}).limits, registrationsPerHour: 100 } } })
  owner = await newOwnerWithApp(app)
})
beforeEach(() => app.advance(60))
afterAll(() => app.close())

const website = (path: string) => `/api/1.0/website${path}`
const headOf = (path: string, headers: Record<string, string>, method = 'POST') =>
  [
    `${method} ${path} HTTP/1.1`,
    'host: x',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n')
const jsonHead = (visitor: Visitor, more: Record<string, string>) => ({
  'content-type': 'application/json',
  cookie: visitor.cookieHeader(),
  'x-csrf-token': visitor.csrf,
  ...more,
})

async function stranger(): Promise<Visitor> {
  const visitor = app.visitor()
  await visitor.send('GET', website('/check-auth'))
  return visitor
}

/** Sends a request's head and no body; gives the answer. */
async function answerToHead(path: string, headers: Record<string, string>): Promise<string> {
  const connection = new RawConnection(app.url).send(headOf(path, headers))
  const answer = await connection.until('"requestId"')
  connection.close()
  return answer
}

describe('a body without a content type, as some proxies send for an empty one', () => {
  const send = async (seller: Seller, body: string) => {
    const headers = { authorization: `Bearer ${seller.key}`, 'transfer-encoding': 'chunked' }
    const connection = new RawConnection(app.url).send(headOf('/api/1.0/seller/users/nobody/ban', headers)).send(body)
    const answer = await connection.until('"success"')
    connection.close()
    return answer
  }

  test('counts as missing when it is empty', async () => {
    expect(await send(await newSeller(app, owner), '0\r\n\r\n')).toContain('USER_NOT_FOUND')
  })

  test.each(['5\r\nx=y&z\r\n0\r\n\r\n', '2\r\n{}\r\n'])("is rejected when it isn't empty: %j", async (body) => {
    expect(await send(await newSeller(app, owner), body)).toContain('UNSUPPORTED_MEDIA_TYPE')
  })

  test('of another type is rejected before it arrives', async () => {
    const seller = await newSeller(app, owner)
    const headers = { authorization: `Bearer ${seller.key}`, 'content-type': 'text/plain', 'content-length': '5' }
    const connection = new RawConnection(app.url).send(headOf('/api/1.0/seller/users/nobody/ban', headers))
    expect(await connection.until('"success"')).toContain('UNSUPPORTED_MEDIA_TYPE')
    connection.close()
  })
})

describe('a call is rejected before its body arrives (R-INP-02)', () => {
  const announced = { 'content-length': '50' }

  test('a network with too many attempts gets 429', async () => {
    const visitor = await stranger()
    for (let n = 0; n < 60; n++) await visitor.send('POST', website('/login'), { body: { username: '', password: '' } })
    const answer = await answerToHead(website('/login'), jsonHead(visitor, announced))
    expect(answer).toMatch(/^HTTP\/1\.1 429 [^]*retry-after: \d+\r\n[^]*RATE_LIMITED/)
  })

  test('a forged request gets 403, a caller without a session 401, and an invalid seller key 401', async () => {
    const visitor = await stranger()
    const create = website('/create_subscription')
    expect(await answerToHead(create, jsonHead(visitor, { ...announced, 'x-csrf-token': '' }))).toContain(
      'CSRF_INVALID',
    )
    expect(await answerToHead(create, jsonHead(visitor, announced))).toContain('SESSION_REQUIRED')
    const seller = { ...announced, 'content-type': 'application/json', authorization: 'Bearer lk_live_x' }
    expect(await answerToHead('/api/1.0/seller/licenses', seller)).toContain('SELLER_KEY_INVALID')
  })

  test('a session with too many calls gets 429, and so does a seller key', async () => {
    const busy = await newOwnerWithApp(app)
    const { visitor } = busy
    const { key } = await newSeller(app, busy)
    const subject = sessionHash(/sid=([^;]+)/.exec(visitor.cookieHeader())?.[1] ?? '')
    const session = { purpose: 'session', subject, max: 1200, seconds: 60 }
    const { rateLimits, clock } = app.services
    expect(() => {
      for (;;) rateLimits.take(session, clock())
    }).toThrow('Too many requests')
    expect(await answerToHead(website('/create_subscription'), jsonHead(visitor, announced))).toContain('RATE_LIMITED')
    await setSellerLimits(app, 1, 10)
    const seller = { ...announced, 'content-type': 'application/json', authorization: `Bearer ${key}` }
    const connection = new RawConnection(app.url).send(headOf('/api/1.0/seller/licenses', seller)).send('{}'.padEnd(50))
    expect(await connection.until('"requestId"')).toContain('AMOUNT_INVALID')
    connection.close()
    expect(await answerToHead('/api/1.0/seller/licenses', seller)).toContain('RATE_LIMITED')
    // Those of a new platform again.
    await setSellerLimits(app, 60, 1000)
  })

  test('a body of 1 GiB gets 413, and the connection is closed', async () => {
    const head = jsonHead(owner.visitor, { 'content-length': String(2 ** 30) })
    const connection = new RawConnection(app.url).send(headOf(website('/create_subscription'), head))
    expect(await connection.untilClosed()).toMatch(/^HTTP\/1\.1 413 [^]*BODY_TOO_LARGE/)
  })
})

describe("an endless body isn't read to its end", () => {
  const batch = `${(64 * 1024).toString(16)}\r\n${'['.repeat(64 * 1024)}\r\n`

  test.each<[string, string, Record<string, string>]>([
    ['of a call', website('/create_subscription'), {}],
    ['of a sign-in', website('/login'), {}],
    ['of a rejected call', website('/create_subscription'), { 'x-csrf-token': '' }],
    ['of an address that is none', website('/nothing'), {}],
    ['of a program', '/api/1.0/client/init', {}],
  ])('%s', async (_name, path, more) => {
    const before = await databaseDigest(app.db)
    const head = jsonHead(owner.visitor, { 'transfer-encoding': 'chunked', ...more })
    const connection = new RawConnection(app.url).send(headOf(path, head))
    let sent = 0
    // As fast as it is taken, until the server hangs up.
    const pump = () => {
      while (!connection.socket.destroyed && connection.socket.writable && sent < 2 ** 30) {
        sent += 64 * 1024
        if (!connection.socket.write(batch)) return connection.socket.once('drain', pump)
      }
      return undefined
    }
    pump()
    await connection.untilClosed()
    // What the kernel's buffers take on both sides is more than the server reads.
    expect(sent).toBeLessThan(64 * 2 ** 20)
    expect(await databaseDigest(app.db)).toBe(before)
    expect((await owner.visitor.call('GET /apps')).status).toBe(200)
  })

  test('a head of 10 MB gets 431, and the connection is closed', async () => {
    const connection = new RawConnection(app.url).send(
      headOf('/healthz', { 'x-large': 'x'.repeat(10 * 2 ** 20) }, 'GET'),
    )
    expect(await connection.untilClosed()).toMatch(/^(HTTP\/1\.1 431 |$)/)
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
  })
})

test('nested arrays at /login are rejected for their depth, and after 60 attempts without being read (R-INP-02)', async () => {
  const visitor = await stranger()
  const body = `${'['.repeat(8000)}${']'.repeat(8000)}`
  const codes: (string | undefined)[] = []
  for (let n = 0; n < 70; n++) codes.push((await visitor.send('POST', website('/login'), { body })).body.code)
  expect(codes).toEqual([...Array(60).fill('JSON_TOO_COMPLEX'), ...Array(10).fill('RATE_LIMITED')])
})

test('a call whose session ends while its body arrives changes nothing', async () => {
  const late = await newOwnerWithApp(app)
  const body = JSON.stringify({ name: 'Too late', level: 7 })
  const head = jsonHead(late.visitor, { 'content-length': String(body.length), expect: '100-continue' })
  const connection = new RawConnection(app.url).send(headOf(website('/create_subscription'), head))
  await connection.until('100 Continue')
  expect((await late.visitor.call('POST /logout')).status).toBe(200)
  const before = await databaseDigest(app.db)
  connection.send(body)
  expect(await connection.until('"requestId"')).toContain('SESSION_REQUIRED')
  connection.close()
  expect(await databaseDigest(app.db)).toBe(before)
})

describe('the maximum size of a body', () => {
  test.each([
    ['/create_subscription', 100],
    ['/login', 16],
  ])('for %s, which sets no limit of its own: %i KiB', async (path, kib) => {
    const send = (bytes: number) => owner.visitor.send('POST', website(path), { body: '{}'.padEnd(bytes) })
    expect((await send(kib * 1024)).status).toBe(400)
    expect(await send(kib * 1024 + 1)).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE' } })
  })

  /** The most bytes that lists of texts can have: four for each character. */
  function largestLists(schema: object): number {
    const {
      type,
      properties,
      anyOf,
      items,
      maxItems = 0,
    } = schema as {
      type?: string
      properties?: Record<string, object>
      anyOf?: object[]
      items?: { maxLength?: number }
      maxItems?: number
    }
    if (type === 'array') return maxItems * ((items?.maxLength ?? 0) * 4 + 3)
    const inner = Object.values(properties ?? {}).map(largestLists)
    return inner.reduce((sum, each) => sum + each, 0) + Math.max(0, ...(anyOf ?? []).map(largestLists))
  }

  // Their rules allow no entry as long as their schemas do, which let longer ones through so that they can say so.
  const looser = new Set(['POST /create_seller_key', 'POST /update_seller_key', 'POST /variables/bulk-delete'])
  const calls = features.flatMap(({ endpoints }) => endpoints.map(({ call }) => call))
  test.each(
    calls
      .filter(({ method, path, body }) => body && !looser.has(`${method} ${path}`) && largestLists(body) > 0)
      .map((call) => [`${call.method} ${pathOf(call)}`, call] as const),
  )('%s has room for the longest list it accepts', (_name, call) => {
    expect(largestLists(call.body as object)).toBeLessThan((call.maxBodyKiB ?? 100) * 1024)
  })
})

test('a tab that is used for eight hours and polls every 30 seconds never reaches a limit (R-RATE-04)', async () => {
  const { visitor } = await newOwnerWithApp(app)
  const statuses = new Set<number>()
  for (let at = 0; at < 8 * 3600; at += 30) {
    const calls = at % 3600 === 0 ? 20 : 1
    const answers = await Promise.all(Array.from({ length: calls }, () => visitor.call('GET /apps')))
    for (const { status } of answers) statuses.add(status)
    app.advance(30)
  }
  expect([...statuses]).toEqual([200])
})
