import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { goodPassword, newLicenses, newOwner, newOwnerWithApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { readConfig } from '../config/config.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** The address that counts for limits, logs and sessions comes from the setting, never from a header anyone can send. */

const forged = {
  'x-forwarded-for': '198.51.100.99',
  'x-real-ip': '198.51.100.99',
  forwarded: 'for=198.51.100.99',
  'cf-connecting-ip': '198.51.100.99',
}

async function addressesNoted(app: TestApp, headers: Record<string, string>) {
  const owner = await newOwner(app)
  await app
    .visitor()
    .send('POST', '/api/1.0/website/login', { body: { username: owner.username, password: goodPassword }, headers })
  const sessions = await app.db.read.selectFrom('account_sessions').select('ip').orderBy('created_at').execute()
  const audit = await app.db.read
    .selectFrom('audit')
    .select('ip')
    .where('act', '=', 'account.login')
    .orderBy('id')
    .execute()
  return { session: sessions.map(({ ip }) => ip), audit: audit.at(-1)?.ip }
}
async function addressOfProgram(app: TestApp, headers: Record<string, string>) {
  const owner = await newOwnerWithApp(app)
  const [key = ''] = await newLicenses(owner, 1)
  const program = await Program.of(app, owner)
  await program.init()
  expect((await program.send('license', { key, hwid: program.hwid }, { headers })).status).toBe(200)
  const user = await app.db.read.selectFrom('users').select('ip').where('app_id', '=', owner.appId).executeTakeFirst()
  return user?.ip
}

describe('without trusted proxies', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({ config: { limits: readConfig({}).limits } })
  })
  afterAll(() => app.close())

  test('no header changes the address, in the dashboard and for programs (R-RATE-03)', async () => {
    const noted = await addressesNoted(app, forged)
    expect(noted.session).not.toContain('198.51.100.99')
    expect(noted.audit).toMatch(/^(::ffff:)?127\.0\.0\.1$/)
    expect(await addressOfProgram(app, forged)).toMatch(/^(::ffff:)?127\.0\.0\.1$/)
  })

  test('and none evades a limit', async () => {
    const visitor = app.visitor()
    const statuses: number[] = []
    for (let n = 0; n < 62; n++) {
      const headers = { 'x-forwarded-for': `198.51.100.${n}` }
      statuses.push(
        (await visitor.send('POST', '/api/1.0/website/login', { body: { username: '', password: '' }, headers }))
          .status,
      )
    }
    expect(statuses.at(-1)).toBe(429)
  })

  test("no Host, X-Forwarded-Host, or X-Forwarded-Proto header changes the server's own address", async () => {
    const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    const answer = await app.visitor().send('GET', '/api/1.0/website/check-auth', { headers })
    expect(JSON.stringify([...answer.headers, answer.body])).not.toContain('evil.example')
    expect(answer.headers.get('strict-transport-security')).toBeNull()
  })
})

describe('behind a trusted proxy', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({ config: { trustedProxies: ['127.0.0.0/8', '10.0.0.0/8'] } })
  })
  afterAll(() => app.close())

  test('the address it sends counts, in the dashboard and for programs', async () => {
    expect((await addressesNoted(app, { 'x-forwarded-for': '203.0.113.5' })).audit).toBe('203.0.113.5')
    expect(await addressOfProgram(app, { 'x-forwarded-for': '203.0.113.5' })).toBe('203.0.113.5')
  })

  test("the last address in a chain that isn't one of our proxies counts, whatever a client put before it (R-RATE-03)", async () => {
    const chain = { 'x-forwarded-for': '198.51.100.99, 203.0.113.6, 10.1.2.3' }
    expect((await addressesNoted(app, chain)).audit).toBe('203.0.113.6')
    expect(await addressOfProgram(app, chain)).toBe('203.0.113.6')
  })

  test('other headers are ignored', async () => {
    const { audit } = await addressesNoted(app, { 'x-real-ip': '198.51.100.99', forwarded: 'for=198.51.100.99' })
    expect(audit).toMatch(/^(::ffff:)?127\.0\.0\.1$/)
  })
})
