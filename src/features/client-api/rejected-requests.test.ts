import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program, type ProgramAnswer } from '#testing/people/program.ts'
import { hasTwoProcesses, startTestApp, type TestApp } from '#testing/start-test-app.ts'

/**
 * Nobody can make the server sign replies or fill a log endlessly: rejected requests are limited by network and app.
 */

const max = 20
const maxOfApp = max * 10
const attacker = '203.0.113.5'

let app: TestApp
let owner: OwnedApp
let program: Program

beforeAll(async () => {
  const limits = { ...readConfig({}).limits, registrationsPerHour: 1e6, rejectedRequestsPerMinute: max }
  app = await startTestApp({ config: { limits, trustedProxies: ['loopback'] } })
})
beforeEach(async () => {
  app.advance(3600)
  owner = await newOwnerWithApp(app)
  program = await Program.of(app, owner)
})
afterAll(() => app.close())

const wrongTime = '1000'
type Options = Parameters<Program['send']>[2]
const sendFrom = (ip: string, call: string, fields: unknown, options: Options = {}) =>
  program.send(call, fields, { unsigned: true, ...options, headers: { ...options.headers, 'x-forwarded-for': ip } })
const isSigned = ({ headers }: ProgramAnswer) => headers.get('x-signet-signature') !== null

async function repeat(count: number, send: () => Promise<ProgramAnswer>): Promise<ProgramAnswer[]> {
  const answers: ProgramAnswer[] = []
  for (let n = 0; n < count; n++) answers.push(await send())
  return answers
}

/** Rows of the app's log, after the server has stored all of them. */
async function storedRows() {
  await app.stop()
  const rows = await app.db.read.selectFrom('logs').selectAll().where('app_id', '=', owner.appId).execute()
  await app.start()
  return rows
}

describe('a flood from one network', () => {
  test('of wrong times gets a bounded number of signed replies and log rows, and one row counts the rest', async () => {
    const answers = await repeat(3 * max, () => sendFrom(attacker, 'init', {}, { time: wrongTime }))
    expect(answers.filter(isSigned)).toHaveLength(max)
    const [notAdmitted, ...others] = answers.filter((answer) => !isSigned(answer))
    expect(others).toHaveLength(2 * max - 1)
    expect(notAdmitted).toMatchObject({ status: 429, body: { success: false, code: 'RATE_LIMITED' } })
    expect(notAdmitted?.headers.get('retry-after')).toBe('60')
    const rows = await storedRows()
    expect(rows.filter(({ code }) => code === 'CLOCK_SKEW')).toHaveLength(max)
    const counted = rows.filter(({ code }) => code === 'REQUESTS_NOT_ADMITTED')
    expect(counted).toHaveLength(hasTwoProcesses ? 2 : 1)
    expect(counted.reduce((sum, { message }) => sum + Number.parseInt(message), 0)).toBe(2 * max)
    expect(new Set(counted.map(({ ip }) => ip))).toEqual(new Set([attacker]))
  })

  test("doesn't affect customers of the same app, elsewhere or behind the same address", async () => {
    const [key = ''] = await newLicenses(owner, 1)
    expect((await sendFrom(attacker, 'init', { version: '1.0.0' })).status).toBe(200)
    await repeat(max + 5, () => sendFrom(attacker, 'init', {}, { time: wrongTime }))
    for (const ip of [attacker, '198.51.100.7']) {
      const { status, body } = await sendFrom(ip, 'init', { version: '1.0.0' })
      expect(status).toBe(200)
      program.session = body['session'] as string
      expect((await sendFrom(ip, 'license', { key, hwid: program.hwid })).status).toBe(200)
      expect((await sendFrom(ip, 'heartbeat', {})).status).toBe(200)
    }
    // A customer with a wrong clock receives the correct time.
    const skewed = await sendFrom('198.51.100.7', 'init', {}, { time: wrongTime })
    expect([skewed.body.code, isSigned(skewed)]).toEqual(['CLOCK_SKEW', true])
  })

  test('is admitted again a minute later', async () => {
    await repeat(max + 1, () => sendFrom(attacker, 'init', {}, { time: wrongTime }))
    app.advance(60)
    expect(isSigned(await sendFrom(attacker, 'init', {}, { time: wrongTime }))).toBe(true)
  })

  test('counts addresses of one IPv6 network together', async () => {
    let n = 0
    const answers = await repeat(max + 5, () => sendFrom(`2001:db8::${++n}`, 'init', {}, { time: wrongTime }))
    expect(answers.filter(isSigned)).toHaveLength(max)
  })

  const nonce = 'the-very-same-nonce-again-and-again'
  test.each<[string, string, unknown, () => Options]>([
    ['nonces used before', 'init', { version: '1.0.0' }, () => ({ nonce })],
    ['versions out of date', 'init', { version: '0.1' }, () => ({})],
    ['bodies that are not JSON', 'init', undefined, () => ({ raw: '{' })],
    [
      'sealed bodies that do not open',
      'init',
      undefined,
      () => ({ raw: randomBytes(64).toString('latin1'), headers: { 'content-type': 'application/octet-stream' } }),
    ],
    ['calls without a session', 'heartbeat', {}, () => ({})],
  ])('of %s is bounded', async (_name, call, fields, options) => {
    const answers = await repeat(2 * max, () => sendFrom(attacker, call, fields, options()))
    const rejected = answers.filter(({ status }) => status !== 200)
    expect(rejected.length).toBeGreaterThanOrEqual(2 * max - 2)
    expect(rejected.filter(isSigned)).toHaveLength(max)
    expect(rejected.filter(({ status }) => status === 429)).toHaveLength(rejected.length - max)
  })

  test('of unknown sessions, or of calls without sign-in, is bounded', async () => {
    const unknown = await repeat(2 * max, () => {
      program.session = randomBytes(32).toString('base64url')
      return sendFrom(attacker, 'heartbeat', {})
    })
    expect(unknown.filter(isSigned)).toHaveLength(max)
    const elsewhere = '198.51.100.9'
    program.session = undefined
    program.session = (await sendFrom(elsewhere, 'init', { version: '1.0.0' })).body['session'] as string
    const signedOut = await repeat(2 * max, () => sendFrom(elsewhere, 'heartbeat', {}))
    expect(signedOut.filter(isSigned)).toHaveLength(max)
  })

  test.each<[string, Options]>([
    ['unknown apps', { headers: { 'x-signet-app': 'AAAAAAAAAA/No%20such' } }],
    ['malformed nonces', { nonce: 'short' }],
    ['malformed times', { time: 'now' }],
  ])('of %s gets a 429, and no other network does', async (_name, options) => {
    // Loads the app into the memory of each process.
    for (let n = 0; n < 2; n++) expect((await sendFrom(attacker, 'init', { version: '1.0.0' })).status).toBe(200)
    const before = await repeat(max, () => sendFrom(attacker, 'init', {}, options))
    expect(before.map(({ status }) => status)).not.toContain(429)
    expect(before.filter(isSigned)).toHaveLength(0)
    const after = await sendFrom(attacker, 'init', {}, options)
    expect([after.status, after.body.code]).toEqual([429, 'RATE_LIMITED'])
    expect((await sendFrom('198.51.100.7', 'init', {}, options)).status).not.toBe(429)
    // An app in memory still replies to customers behind the same address.
    expect((await sendFrom(attacker, 'init', { version: '1.0.0' })).status).toBe(200)
  })
})

test("a flood from many networks is bounded per app, and doesn't affect signed-in sessions or other apps", async () => {
  const [key = ''] = await newLicenses(owner, 1)
  const customer = '198.51.100.7'
  program.session = (await sendFrom(customer, 'init', { version: '1.0.0' })).body['session'] as string
  await sendFrom(customer, 'license', { key, hwid: program.hwid })
  const { session } = program
  program.session = undefined
  let n = 0
  const flood = await repeat(maxOfApp + 50, () =>
    sendFrom(`203.0.113.${Math.floor(n++ / (max / 2))}`, 'init', {}, { time: wrongTime }),
  )
  expect(flood.filter(isSigned)).toHaveLength(maxOfApp)
  expect((await sendFrom('192.0.2.1', 'init', { version: '1.0.0' })).status).toBe(200)
  program.session = session
  const rejected = await sendFrom(customer, 'variable', { name: 'none' })
  expect([rejected.body.code, isSigned(rejected)]).toEqual(['VARIABLE_NOT_FOUND', true])
  const other = await newOwnerWithApp(app)
  program = await Program.of(app, other)
  const skewed = await sendFrom('192.0.2.1', 'init', {}, { time: wrongTime })
  expect([skewed.body.code, isSigned(skewed)]).toEqual(['CLOCK_SKEW', true])
})

test("a flood from one network doesn't use up the limit of the app", async () => {
  await repeat(maxOfApp + max, () => sendFrom(attacker, 'init', {}, { time: wrongTime }))
  const skewed = await sendFrom('192.0.2.1', 'init', {}, { time: wrongTime })
  expect([skewed.body.code, isSigned(skewed)]).toEqual(['CLOCK_SKEW', true])
})
