import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databaseDigest } from '../../testing/database-digest.ts'
import { newOwnerWithApp } from '../../testing/people/people.ts'
import {
  liftSellerLimits,
  newSeller,
  newShop,
  setSellerLimits,
  type Shop,
  sold,
  soldLicense,
  soldUser,
} from '../../testing/people/sellers.ts'
import { freePort } from '../../testing/servers/free-port.ts'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'
import { type Ended, newSignet, runHere, type Signet } from './run-signet.ts'

/** What the command line refuses, survives, and never shows. */

let app: TestApp
let shop: Shop
let signet: Signet
const homes: string[] = []
const servers: Server[] = []

const person = (variables: Record<string, string> = {}): Signet => {
  const made = newSignet(variables)
  homes.push(made.home)
  return made
}

beforeAll(async () => {
  app = await startTestApp({ clockRuns: true })
  shop = await newShop(app)
})
beforeEach(() => {
  signet = person({ SIGNET_URL: app.url, SIGNET_KEY: shop.seller.key })
})
afterAll(async () => {
  for (const home of homes) rmSync(home, { recursive: true })
  for (const server of servers) server.close().closeAllConnections()
  await app.close()
})

/** A server that only answers this. */
async function answering(status: number, headers: Record<string, string>, body: string): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status, headers).end(body))
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

function expectNoKey({ stdout, stderr }: Ended, key = shop.seller.key): void {
  expect(stdout + stderr).not.toContain(key.slice(-20))
}

describe('without a key that works', () => {
  test('a command says how to sign in, and ends with 4', async () => {
    const nobody = person()
    const { code, stdout, stderr } = await nobody.run(['licenses', 'list'])
    expect([code, stdout]).toEqual([4, ''])
    expect(stderr).toContain('signet login')
  })

  test('a wrong key is told with code and sentence, and never shown', async () => {
    const wrong = `${shop.seller.key.slice(0, -1)}${shop.seller.key.endsWith('A') ? 'B' : 'A'}`
    for (const key of [wrong, 'x'.repeat(60), 'line\nbreak-of-a-key', 'clé-à-moi-seule']) {
      const ended = await signet.run(['users', 'list'], { env: { SIGNET_KEY: key } })
      expect(ended.code, key).toBe(4)
      expect(ended.stdout + ended.stderr).not.toContain(key.slice(-8))
    }
    const { stderr } = await signet.run(['users', 'list'], { env: { SIGNET_KEY: wrong } })
    expect(stderr).toContain('SELLER_KEY_INVALID')
  })

  test('a key without the permission is rejected with 1, and the permission is named', async () => {
    const reader = await newSeller(app, shop.owner, { permissions: ['licenses:read'] })
    const before = await soldLicense(shop.seller)
    const ended = await signet.run(['licenses', 'ban', before], { env: { SIGNET_KEY: reader.key } })
    expect(ended.code).toBe(1)
    expect(ended.stderr).toContain('SCOPE_MISSING')
    expect(ended.stderr).toContain('licenses:write')
    expectNoKey(ended, reader.key)
  })

  test('a key of the environment without its server is sent nowhere', async () => {
    const { code, stderr } = await signet.run(['users', 'list'], { env: { SIGNET_URL: '' } })
    expect([code, stderr]).toEqual([4, expect.stringContaining('SIGNET_URL')])
  })

  test('a stored key is not sent to another server', async () => {
    const bot = person()
    await bot.run(['login', '--url', app.url], { input: shop.seller.key })
    let asked = 0
    const other = createServer((_request, response) => {
      asked++
      response.end('{}')
    })
    servers.push(other)
    other.listen(0, '127.0.0.1')
    await once(other, 'listening')
    const url = `http://127.0.0.1:${(other.address() as { port: number }).port}`
    expect((await bot.run(['users', 'list', '--url', url])).code).toBe(4)
    expect((await bot.run(['users', 'list'], { env: { SIGNET_URL: url } })).code).toBe(4)
    expect(asked).toBe(0)
  })
})

describe('wrong usage ends with 2, sends nothing, and repeats no argument', () => {
  const key = 'lk_live_ab12cd34_0123456789012345678901234567890123456789012_abcdef'
  test.each([
    [['licences', 'list']],
    [['licenses']],
    [['licenses', 'shred', 'x']],
    [['--frobnicate']],
    [['licenses', 'list', '--frobnicate']],
    [['licenses', 'list', `--${key}`]],
    [['licenses', 'list', `--key=${key}`]],
    [['login', key]],
    [['login', '--url', 'http://127.0.0.1', '--key', key]],
    [['whoami', key]],
    [['licenses', 'show']],
    [['licenses', 'show', 'a', 'b']],
    [['licenses', 'show', '..']],
    [['users', 'delete', '.', '--yes']],
    [['licenses', 'extend', 'x']],
    [['licenses', 'extend', 'x', '--days', '-1']],
    [['licenses', 'create', '--amount', '1e3']],
    [['licenses', 'list', '--level']],
    [['licenses', 'create', '--days', '1', '--lifetime']],
    [['licenses', 'create', '--idempotency-key', 'ü']],
    [['sessions', 'end']],
    [['sessions', 'end', 'x', '--user', 'y']],
    [['users', 'find', 'discord']],
    [['settings', 'set', 'hwidLock=perhaps']],
    [['settings', 'set', 'discordWebhookLink=x']],
    [['release', 'nowhere.exe', '--version', '1']],
    [['release', 'nowhere.exe']],
    [['logs', '--follow', '--interval', '0']],
    [['logs', '--follow', '--interval', '3000000']],
    [['users', 'list', '--timeout', '0']],
    [['completion', 'tcsh']],
  ])('%j', async (args) => {
    const ended = await runHere(args, { SIGNET_URL: 'http://127.0.0.1:9', SIGNET_KEY: shop.seller.key })
    expect(ended.code, ended.stderr).toBe(2)
    expect(ended.stdout).toBe('')
    expect(ended.stderr).toMatch(/^signet: /)
    expect(ended.stderr).not.toContain('0123456789')
    expect(ended.stderr).not.toMatch(/^\s+at /m)
  })

  test('a delete without --yes asks a person, and refuses a script', async () => {
    const license = await soldLicense(shop.seller)
    const name = await soldUser(shop.seller)
    await sold(shop.seller, 'PUT', '/variables/keep', { data: 'x' })
    const before = await databaseDigest(app.db)
    for (const args of [
      ['licenses', 'delete', license],
      ['users', 'delete', name],
      ['variables', 'delete', 'keep'],
    ]) {
      const { code, stderr } = await signet.run(args, { input: 'y\n' })
      expect([code, stderr]).toEqual([2, expect.stringContaining('--yes')])
    }
    expect(await databaseDigest(app.db)).toBe(before)
  })

  test('plain http to another machine is refused unless it is allowed', async () => {
    const env = { SIGNET_URL: 'http://signet.example' }
    expect((await signet.run(['users', 'list'], { env })).code).toBe(2)
    for (const url of [
      'http://127.0.0.1.example',
      'http://10.0.0.1',
      'ftp://127.0.0.1',
      'https://me:pw@127.0.0.1',
      'x',
    ]) {
      expect((await runHere(['users', 'list', '--url', url], { SIGNET_KEY: shop.seller.key })).code, url).toBe(2)
    }
    const allowed = await signet.run(['users', 'list', '--allow-http', '--timeout', '2'], {
      env: { SIGNET_URL: 'http://0.0.0.0:9' },
    })
    expect(allowed.code).toBe(3)
  })
})

describe('a server that', () => {
  test('is away ends the command with 3', async () => {
    const ended = await signet.run(['users', 'list'], { env: { SIGNET_URL: `http://127.0.0.1:${await freePort()}` } })
    expect([ended.code, ended.stdout]).toEqual([3, ''])
    expect(ended.stderr).toContain('ECONNREFUSED')
    expectNoKey(ended)
  })

  test('is no Signet server, or fails, or redirects, ends the command with 3, and gets the key once at most', async () => {
    for (const [status, headers, body] of [
      [200, { 'content-type': 'text/html' }, '<p>Welcome'],
      [404, {}, ''],
      [502, {}, 'Bad gateway'],
      [500, {}, '{"success":false,"message":"An error occurred","code":"INTERNAL_ERROR","requestId":"AAAA-BBBB"}'],
      [302, { location: `${app.url}/x` }, ''],
    ] as const) {
      const ended = await signet.run(['users', 'list'], { env: { SIGNET_URL: await answering(status, headers, body) } })
      expect([ended.code, ended.stdout], `${status}`).toEqual([3, ''])
      expectNoKey(ended)
    }
  })

  test('repeats the key in its answer is not believed: no output has it', async () => {
    const { key: other } = await newSeller(app, shop.owner)
    // The key of the command in another form, and another key.
    const key = 'a-key-of-an-earlier-or-later-release'
    const body = JSON.stringify({
      success: false,
      message: `The key ${key} ${other} is bad`,
      code: key,
      echo: [key, other],
    })
    const url = await answering(400, { 'content-type': 'application/json' }, body)
    for (const args of [
      ['users', 'list'],
      ['users', 'list', '--json'],
    ]) {
      const ended = await signet.run(args, { env: { SIGNET_URL: url, SIGNET_KEY: key } })
      expect(ended.code).toBe(1)
      expectNoKey(ended, key)
      expectNoKey(ended, other)
    }
  })

  test('says 429 is asked again after its Retry-After, and not beyond --timeout', async () => {
    const seller = await newSeller(app, shop.owner)
    await setSellerLimits(app, 1, 1000)
    try {
      const env = { SIGNET_KEY: seller.key }
      expect((await signet.run(['settings', 'get'], { env })).code).toBe(0)
      const ended = await signet.run(['settings', 'get', '--timeout', '1'], { env })
      expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining('RATE_LIMITED')])
    } finally {
      await liftSellerLimits(app)
    }
    let asked = 0
    const keys = new Set<unknown>()
    const limiting = createServer((request, response) => {
      keys.add(request.headers['idempotency-key'])
      if (++asked < 3) response.writeHead(429, { 'retry-after': '0' }).end('{"success":false,"code":"RATE_LIMITED"}')
      else response.end('{"success":true,"licenses":["a-key"]}')
    })
    servers.push(limiting)
    limiting.listen(0, '127.0.0.1')
    await once(limiting, 'listening')
    const url = `http://127.0.0.1:${(limiting.address() as { port: number }).port}`
    const { code, stdout } = await signet.run(['licenses', 'create'], { env: { SIGNET_URL: url } })
    expect([code, stdout, asked]).toEqual([0, 'a-key\n', 3])
    // All three are one action for the server.
    expect([...keys]).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)])
  })

  test('sends control characters has them shown as escapes, in tables and in JSON', async () => {
    const evil = 'eve\u001B[2J\u0007\u202E\r\nname\u009B1m'
    const user = { username: evil, email: evil, hwid: '', ip: '', creationDate: 1, lastLoginDate: null, banned: false }
    const whole = {
      ...user,
      paused: false,
      hasActiveSubscription: true,
      subscriptions: {},
      variables: { [evil]: evil },
    }
    const reply = { success: true, message: evil, users: [whole], user: whole, totalPages: 1, total: 1 }
    const url = await answering(200, {}, JSON.stringify(reply))
    for (const args of [
      ['users', 'list'],
      ['users', 'show', 'eve'],
      ['users', 'ban', 'eve'],
      ['users', 'list', '--json'],
    ]) {
      const { code, stdout } = await signet.run(args, { env: { SIGNET_URL: url } })
      expect(code).toBe(0)
      expect(stdout).not.toMatch(/[^\P{C}\n]/u)
      expect(stdout).toContain(args.includes('--json') ? String.raw`eve\u001b[2J` : String.raw`eve\x1b[2J\x07\u202e`)
      if (args.includes('--json')) expect((JSON.parse(stdout) as typeof reply).users[0]?.username).toBe(evil)
    }
    const refusing = await answering(409, {}, JSON.stringify({ success: false, message: evil, code: evil }))
    const { stderr } = await signet.run(['users', 'ban', 'eve'], { env: { SIGNET_URL: refusing } })
    expect(stderr).not.toMatch(/[^\P{C}\n]/u)
  })
})

describe('without a stack trace', () => {
  const expectSentence = ({ stderr }: Ended) => {
    expect(stderr).toMatch(/^signet: /)
    expect(stderr).not.toMatch(/^\s+at /m)
  }

  test('a success that lacks its fields ends the command with 3', async () => {
    const url = await answering(200, {}, '{"success":true}')
    for (const args of [['licenses', 'create'], ['users', 'show', 'x'], ['settings', 'get'], ['whoami']]) {
      const ended = await signet.run(args, { env: { SIGNET_URL: url } })
      expect([ended.code, ended.stdout], args.join(' ')).toEqual([3, ''])
      expectSentence(ended)
    }
  })

  test('an answer without end ends the command with 3', async () => {
    let isRead = true
    const endless = createServer((_request, response) => {
      const chunk = Buffer.alloc(1024 * 1024, 'a')
      const write = () => {
        while (response.write(chunk));
      }
      response.on('drain', write).on('close', () => (isRead = false))
      write()
    })
    servers.push(endless)
    endless.listen(0, '127.0.0.1')
    await once(endless, 'listening')
    const url = `http://127.0.0.1:${(endless.address() as { port: number }).port}`
    const ended = await signet.run(['whoami', '--timeout', '600'], { env: { SIGNET_URL: url } })
    expect([ended.code, ended.stderr]).toEqual([3, expect.stringContaining('larger than any')])
    expect(isRead).toBe(false)
  })

  test('a sign-in or an export that cannot be written ends the command with 2', async () => {
    const bot = person()
    // Nobody can write there, root neither.
    symlinkSync(join(bot.home, 'missing/folder'), join(bot.home, 'signet'))
    const login = await bot.run(['login', '--url', app.url], { input: shop.seller.key })
    expect(login.code).toBe(2)
    expectSentence(login)
    expectNoKey(login)
    const exported = await signet.run(['licenses', 'export', '--output', join(bot.home, 'signet/licenses.csv')])
    expect(exported.code).toBe(2)
    expectSentence(exported)
  })

  test('messages that nobody reads change no exit code', async () => {
    const child = signet.start(['users', 'list'], { SIGNET_URL: `http://127.0.0.1:${await freePort()}` })
    child.stderr.destroy()
    const [code] = (await once(child, 'close')) as [number]
    expect(code).toBe(3)
  })
})

describe('the stored sign-in', () => {
  test('is written only once the server accepts the key, and only for its user', async () => {
    const bot = person()
    const file = join(bot.home, 'signet/config.json')
    const wrong = await bot.run(['login', '--url', app.url], { input: 'lk_live_wrong\n' })
    expect([wrong.code, existsSync(file)]).toEqual([4, false])
    expect((await bot.run(['login', '--url', app.url], { input: '' })).code).toBe(4)
    const ended = await bot.run(['login', '--url', app.url], { input: `${shop.seller.key}\n` })
    expect([ended.code, ended.stderr]).toEqual([0, ''])
    expectNoKey(ended)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(bot.home, 'signet')).mode & 0o777).toBe(0o700)
    expect((await bot.run(['users', 'list'])).code).toBe(0)
  })

  test('has several profiles; signing out deletes one', async () => {
    const bot = person()
    const other = await newSeller(app, await newOwnerWithApp(app))
    await bot.run(['login', '--url', app.url], { input: shop.seller.key })
    await bot.run(['login', '--url', app.url, '--profile', 'other'], { input: other.key })
    const idOf = async (...args: string[]) =>
      (JSON.parse((await bot.run(['whoami', '--json', ...args])).stdout) as { key: { id: string } }).key.id
    expect(await idOf()).toBe(shop.seller.key.slice(0, 16))
    expect(await idOf('--profile', 'other')).toBe(other.key.slice(0, 16))
    expect((await bot.run(['logout', '--profile', 'other'])).code).toBe(0)
    expect((await bot.run(['whoami', '--profile', 'other'])).code).toBe(4)
    expect((await bot.run(['whoami'])).code).toBe(0)
    expect((await bot.run(['logout'])).code).toBe(0)
    expect(existsSync(join(bot.home, 'signet/config.json'))).toBe(false)
  })

  test('that is damaged, or that others can read, is told without its contents', async () => {
    const bot = person()
    const file = join(bot.home, 'signet/config.json')
    mkdirSync(join(bot.home, 'signet'))
    for (const text of [`{"profiles": {"default": ${shop.seller.key}`, '{}', '{"profiles":{"default":{"url":1}}}']) {
      writeFileSync(file, text, { mode: 0o600 })
      const ended = await bot.run(['users', 'list'])
      expect([ended.code, ended.stderr]).toEqual([4, expect.stringContaining('signet login')])
      expectNoKey(ended)
    }
    rmSync(file)
    await bot.run(['login', '--url', app.url], { input: shop.seller.key })
    chmodSync(file, 0o644)
    const ended = await bot.run(['users', 'list'])
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining('chmod 600')])
    await bot.run(['login', '--url', app.url], { input: shop.seller.key })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).toContain(shop.seller.key)
  })
})
