import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { smtpPasswordContext } from '#server/settings/platform-settings.ts'
import { goodPassword, newAdmin, newOwner, newOwnerWithApp, type Owner, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { RawConnection } from '#testing/servers/raw-connection.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'
import { startSecondServer } from '#testing/servers/second-server.ts'
import { newSeller } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { platformDefaults } from '#server/settings/platform-settings.ts'

/** The settings take effect. */

let app: TestApp
let admin: Owner
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp({ config: { trustedProxies: ['loopback'], publicUrl: 'http://signet.test' } })
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())
// Each test starts with the settings of a new platform.
beforeEach(async () => {
  await app.db.write(async (tx) => {
    await tx.db.deleteFrom('platform_settings').execute()
    tx.publish('settings:*')
  })
  await app.services.settings.current()
  // A new administrator, because time passes in these tests and sessions end.
  admin = await newAdmin(app)
})

const addresses = {
  platform: '/api/1.0/website/admin/settings/platform',
  email: '/api/1.0/website/admin/settings/email',
  api: '/api/1.0/website/admin/settings/api',
  security: '/api/1.0/website/admin/settings/security',
}
type Group = keyof typeof addresses
async function save(group: Group, settings: object, before?: object) {
  const body = { settings, ...(before && { before }) }
  const answer = await admin.visitor.send('POST', addresses[group], { body })
  await app.services.settings.current()
  return answer
}
const read = async () => (await admin.visitor.call('GET /admin/settings')).body.settings
const signIn = ({ username, password }: Owner, visitor = app.visitor()) =>
  visitor.call('POST /login', { body: { username, password } })
const form = (username: string, password = goodPassword) => ({
  body: { username, email: `${username}@example.com`, password, displayName: username },
})

test('a new platform has the specified defaults, and each group is saved with its own message', async () => {
  const { platform, email, api, security } = await read()
  expect({ platform, api, security }).toEqual({
    platform: platformDefaults.platform,
    api: platformDefaults.api,
    security: platformDefaults.security,
  })
  expect(email).toMatchObject({ enabled: false, smtpPort: 587, useSSL: true, hasPassword: false })
  const names = { platform: 'Platform', email: 'Email', api: 'API', security: 'Security' }
  for (const [group, name] of Object.entries(names)) {
    const settings = (await read())[group as Group]
    const { status, body } = await save(group as Group, settings, settings)
    expect([status, body.message]).toEqual([200, `${name} settings saved successfully`])
  }
})

test.each([
  ['platform', { platformName: '  ' }, 'PLATFORM_NAME_REQUIRED', 'platformName'],
  ['platform', { maintenanceMode: true, maintenanceMessage: '' }, 'MAINTENANCE_MESSAGE_REQUIRED', 'maintenanceMessage'],
  ['platform', { maxFailedLoginAttempts: 0 }, 'NUMBER_TOO_SMALL', 'maxFailedLoginAttempts'],
  ['platform', { loginCooldownMinutes: 0 }, 'NUMBER_TOO_SMALL', 'loginCooldownMinutes'],
  ['platform', { defaultPlan: 'Gold' }, 'DEFAULT_PLAN_UNKNOWN', 'defaultPlan'],
  ['email', { enabled: true, senderEmail: 'a@example.com' }, 'SMTP_HOST_REQUIRED', 'smtpHost'],
  ['email', { enabled: true, smtpHost: 'mail', senderEmail: 'nobody' }, 'SENDER_EMAIL_INVALID', 'senderEmail'],
  ['api', { rateLimitPerMinute: 0 }, 'NUMBER_TOO_SMALL', 'rateLimitPerMinute'],
  ['api', { rateLimitPerHour: 0 }, 'NUMBER_TOO_SMALL', 'rateLimitPerHour'],
  ['api', { maxRequestSize: '10' }, 'REQUEST_SIZE_INVALID', 'maxRequestSize'],
  ['api', { maxRequestSize: '1KB' }, 'REQUEST_SIZE_INVALID', 'maxRequestSize'],
  ['api', { allowedOrigins: 'https://a.example/path' }, 'ORIGINS_INVALID', 'allowedOrigins'],
  ['security', { sessionTimeout: 0 }, 'NUMBER_TOO_SMALL', 'sessionTimeout'],
  ['security', { passwordMinLength: 3 }, 'NUMBER_TOO_SMALL', 'passwordMinLength'],
  ['security', { surprise: true }, 'FIELD_UNKNOWN', 'surprise'],
] as const)('%s %j is rejected with %s and changes nothing', async (group, settings, code, field) => {
  const before = await read()
  const { status, body } = await save(group, settings)
  expect([status, body.code]).toEqual([400, code])
  expect(String(body['field'])).toContain(field)
  expect(await read()).toEqual(before)
})

test('of two administrators who change the same setting, the later one gets FIELD_CHANGED', async () => {
  await save('platform', { platformName: 'Mine' }, { platformName: 'Signet' })
  const late = await save('platform', { platformName: 'Theirs' }, { platformName: 'Signet' })
  expect(late.body).toMatchObject({ code: 'FIELD_CHANGED', current: { platformName: 'Mine' } })
})

test("the mail server's password is sealed, never returned, kept by an empty value, and in no audit row", async () => {
  const secret = 'smtp-secret-4711'
  await save('email', {
    enabled: true,
    smtpHost: 'mail.example.com',
    senderEmail: 'a@example.com',
    smtpPassword: secret,
  })
  await save('email', { senderName: 'Us', smtpPassword: '' })
  const answer = await admin.visitor.call('GET /admin/settings')
  expect(answer.body.settings.email).toMatchObject({ hasPassword: true, senderName: 'Us' })
  expect(JSON.stringify(answer.body)).not.toMatch(/smtp-secret|smtpPassword|v1\./)
  for (const table of ['platform_settings', 'audit'] as const)
    expect(JSON.stringify(await app.db.read.selectFrom(table).selectAll().execute())).not.toContain(secret)
  // Sending the reply back is accepted; `hasPassword` is ignored and neither removes nor sets a password.
  for (const hasPassword of [true, false])
    expect((await save('email', { ...answer.body.settings.email, hasPassword })).status).toBe(200)
  expect(JSON.stringify(await app.db.read.selectFrom('platform_settings').selectAll().execute())).not.toContain('hasP')
  const { email } = await app.services.settings.current()
  expect(app.services.masterKey.open(email.smtpPasswordSealed, smtpPasswordContext(email)).toString()).toBe(secret)
})

test('a saved setting applies in another process at once', async () => {
  const second = await startSecondServer(app)
  try {
    await save('platform', { registrationEnabled: false })
    const heard = async () => (await second.services.settings.current()).platform.registrationEnabled === false
    await expect.poll(heard).toBe(true)
    expect((await second.visitor().call('POST /register', form('too_late'))).body.code).toBe('REGISTRATION_CLOSED')
  } finally {
    await second.close()
  }
})

test('registration: nobody can register while it is closed, and anybody can while it is open', async () => {
  await save('platform', { registrationEnabled: false })
  expect((await app.visitor().call('POST /register', form('closed_out'))).body.code).toBe('REGISTRATION_CLOSED')
  await save('platform', { registrationEnabled: true })
  expect((await app.visitor().call('POST /register', form('let_in'))).status).toBe(200)
})

test('maintenance: owners, shops, and programs get the message, signed for programs; administrators keep working', async () => {
  const seller = await newSeller(app, owner)
  const program = await Program.of(app, owner)
  await program.init()
  const maintenanceMessage = 'Back at nine.'
  await save('platform', { maintenanceMode: true, maintenanceMessage })
  const expected = { success: false, code: 'MAINTENANCE', message: maintenanceMessage }

  expect(await owner.visitor.call('GET /licenses')).toMatchObject({ status: 503, body: expected })
  expect(await signIn(owner)).toMatchObject({ status: 503, body: expected })
  expect(await app.visitor().call('POST /register', form('in_between'))).toMatchObject({ status: 503, body: expected })
  expect(await seller.send('GET', '/stats')).toMatchObject({ status: 503, body: expected })
  // `Program` verifies the signature of each reply.
  expect(await program.init()).toMatchObject({ status: 503, body: expected })

  expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
  expect((await fetch(`${app.url}/readyz`)).status).toBe(200)
  const again = app.visitor()
  expect((await signIn(admin, again)).status).toBe(200)
  expect((await again.call('GET /admin/stats')).status).toBe(200)
  await save('platform', { maintenanceMode: false })
  expect((await owner.visitor.call('GET /licenses')).status).toBe(200)
  expect((await program.init()).body.success).toBe(true)
})

test('maintenance: since when it is on is recorded, until it is off, and nobody can set it', async () => {
  const since = async () => (await read()).platform.maintenanceSince
  expect(await since()).toBeNull()
  await save('platform', { maintenanceMode: true })
  const began = app.now()
  expect(await since()).toBe(began)
  app.advance(60)
  await save('platform', { maintenanceMode: true, maintenanceMessage: 'Back at ten.', maintenanceSince: 5 })
  expect(await since()).toBe(began)
  await save('platform', { maintenanceMode: false })
  expect(await since()).toBeNull()
  await save('platform', { maintenanceMode: true })
  expect(await since()).toBe(app.now())
  await save('platform', { maintenanceMode: false })
})

test('failed sign-ins: the number allowed, then a cooldown of the length set', async () => {
  const victim = await newOwner(app)
  await save('platform', { maxFailedLoginAttempts: 2, loginCooldownMinutes: 3 })
  const wrong = () => signIn({ ...victim, password: 'Wrong7Horse' })
  expect([(await wrong()).body.code, (await wrong()).body.code]).toEqual(['LOGIN_FAILED', 'LOGIN_FAILED'])
  expect((await wrong()).body.code).toBe('LOGIN_COOLDOWN')
  app.advance(181)
  expect((await wrong()).body.code).toBe('LOGIN_FAILED')
})

test('rate limits: a seller key has its limits for a minute and an hour, a session of the dashboard twenty times as many', async () => {
  const busy = await newOwnerWithApp(app)
  const seller = await newSeller(app, busy)
  app.advance(3601)
  admin = await newAdmin(app)
  const fresh = await newOwner(app)
  await save('api', { rateLimitPerMinute: 1, rateLimitPerHour: 2 })
  const shop = async () => (await seller.send('GET', '/stats')).status
  expect([await shop(), await shop()]).toEqual([200, 429])
  app.advance(60)
  expect(await shop()).toBe(200)
  app.advance(60)
  expect(await shop()).toBe(429)

  const page = () => fresh.visitor.call('GET /check-auth')
  for (let n = 0; n < 20; n++) expect((await page()).status).toBe(200)
  expect((await page()).body.code).toBe('RATE_LIMITED')
  app.advance(60)
  for (let n = 0; n < 20; n++) expect((await page()).status).toBe(200)
  app.advance(60)
  expect((await page()).body).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) })
})

test('a dashboard left open for eight hours stays below the limits', async () => {
  const { visitor } = await newOwner(app)
  const statuses = new Set<number>()
  for (let seconds = 0; seconds < 8 * 3600; seconds += 30) {
    // The periodic requests of an open page, such as the number of notifications.
    statuses.add((await visitor.call('GET /check-auth')).status)
    statuses.add((await visitor.call('GET /profile/plan-usage')).status)
    app.advance(30)
  }
  expect([...statuses]).toEqual([200])
})

test('request size: rejects a larger request, whether or not it announces its size', async () => {
  app.advance(61)
  const licenses = Array.from({ length: 6000 }, (_, n) => `LICENSE-KEY-${n}-${'x'.repeat(20)}`)
  const send = () => owner.visitor.send('POST', '/api/1.0/website/licenses/bulk', { body: { action: 'ban', licenses } })
  await signIn(owner, owner.visitor)
  expect((await send()).status).not.toBe(413)
  await save('api', { maxRequestSize: '100KB' })
  expect((await send()).body.code).toBe('BODY_TOO_LARGE')
})

test('CORS: while off, no page can call as a program; a list allows its origins, never with credentials', async () => {
  const preflight = async (origin: string) => {
    const headers = { origin, 'access-control-request-method': 'POST' }
    const answer = await fetch(`${app.url}/api/1.0/client/init`, { method: 'OPTIONS', headers })
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    return answer.headers.get('access-control-allow-origin')
  }
  expect(await preflight('https://any.example')).toBe('*')
  await save('api', { allowedOrigins: 'https://one.example, https://two.example' })
  expect(await preflight('https://two.example')).toBe('https://two.example')
  expect(await preflight('https://three.example')).toBeNull()
  const headers = { origin: 'https://two.example', 'content-type': 'application/json' }
  const answer = await fetch(`${app.url}/api/1.0/client/init`, { method: 'POST', headers, body: '{}' })
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://two.example')
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  await save('api', { enableCORS: false })
  expect(await preflight('https://two.example')).toBeNull()
})

test('session timeout: a shorter one also ends open sessions', async () => {
  const { visitor } = await newOwner(app)
  const use = async () => (await visitor.call('GET /check-auth')).status
  for (let hour = 0; hour < 2; hour++) {
    app.advance(3000)
    expect(await use()).toBe(200)
  }
  admin = await newAdmin(app)
  await save('security', { sessionTimeout: 1 })
  expect(await use()).toBe(401)
})

test('HTTPS: requests that a trusted proxy received unencrypted are redirected; without such a proxy nothing is known', async () => {
  const secure = await startTestApp({ config: { trustedProxies: ['loopback'], publicUrl: 'https://signet.test' } })
  try {
    const through = (path: string, proto: string, method = 'GET') =>
      fetch(secure.url + path, { method, redirect: 'manual', headers: { 'x-forwarded-proto': proto } })
    const page = await through('/login?next=%2Fusers', 'http')
    expect([page.status, page.headers.get('location')]).toEqual([308, 'https://signet.test/login?next=%2Fusers'])
    for (const path of ['/api/1.0/website/login', '/api/1.0/client/init'])
      expect((await through(path, 'http', 'POST')).status).toBe(403)
    // A reseller's domain is kept in the redirect; any other host is replaced, because it may be anybody's.
    const { id, owner } = await newSellingReseller(secure)
    await owner.visitor.call('POST /resellers/{id}/domain', { params: { id }, body: { domain: 'keys.example' } })
    const sentTo = async (host: string) => {
      const request = `GET /login HTTP/1.1\r\nhost: ${host}\r\nx-forwarded-proto: http\r\nconnection: close\r\n\r\n`
      const answer = await new RawConnection(secure.url).send(request).untilClosed()
      return /location: (\S+)/i.exec(answer)?.[1]
    }
    expect(await sentTo('keys.example')).toBe('https://signet.test/login')
    await secure.db.write(({ db }) =>
      db.updateTable('reseller_domains').set({ proved_at: secure.now() }).where('reseller_id', '=', id).execute(),
    )
    expect(await sentTo('keys.example')).toBe('https://keys.example/login')
    expect(await sentTo('x.keys.example')).toBe('https://signet.test/login')
    expect((await through('/healthz', 'http')).status).toBe(200)
    expect((await through('/api/1.0/website/check-auth', 'https')).status).toBe(401)
    expect((await fetch(`${secure.url}/api/1.0/website/check-auth`)).status).toBe(401)
    await secure.db.write(async (tx) => {
      const value = JSON.stringify({ enforceHTTPS: false })
      await tx.db.insertInto('platform_settings').values({ name: 'security', value }).execute()
      tx.publish('settings:security')
    })
    await secure.services.settings.current()
    expect((await through('/api/1.0/website/check-auth', 'http')).status).toBe(401)
  } finally {
    await secure.close()
  }
})

test('HTTPS: a redirect is not cached, and leads to the same page for a target with an origin', async () => {
  const secure = await startTestApp({ config: { trustedProxies: ['loopback'], publicUrl: 'https://signet.test' } })
  try {
    const headOf = async (line: string) => {
      const request = `${line} HTTP/1.1\r\nhost: signet.test\r\nx-forwarded-proto: http\r\nconnection: close\r\n\r\n`
      const answer = await new RawConnection(secure.url).send(request).untilClosed()
      const header = (name: string) => new RegExp(`^${name}: (\\S+)`, 'im').exec(answer)?.[1]
      return [answer.slice(9, 12), header('cache-control'), header('location')]
    }
    for (const [target, path] of [
      ['/login?next=1', '/login?next=1'],
      ['http://signet.test/login?next=1', '/login?next=1'],
      ['HTTP://SIGNET.test', '/'],
      ['http://signet.test?next=1', '/?next=1'],
    ]) {
      expect(await headOf(`GET ${target}`), target).toEqual(['308', 'no-store', `https://signet.test${path}`])
    }
    expect(await headOf('POST /api/1.0/website/login')).toEqual(['403', 'no-store', undefined])
  } finally {
    await secure.close()
  }
})

test('passwords: the length and complexity set, and never shorter than 8', async () => {
  await save('security', { passwordMinLength: 14 })
  expect((await app.visitor().call('POST /register', form('short_one'))).body).toMatchObject({
    code: 'PASSWORD_TOO_SHORT',
    message: 'Password must be at least 14 characters',
  })
  await save('security', { passwordMinLength: 4, requireComplexPassword: false })
  const register = (name: string, password: string) => app.visitor().call('POST /register', form(name, password))
  expect((await register('seven_long', 'abckdef')).body.code).toBe('PASSWORD_TOO_SHORT')
  expect((await register('plain_one', 'onlysmallletterz')).status).toBe(200)
})

test('two-factor authentication is offered only while it is on', async () => {
  const { visitor } = await newOwner(app)
  const start = async () => (await visitor.call('POST /profile/two-factor/start')).status
  expect(await start()).not.toBe(200)
  await save('security', { enable2FA: true })
  expect(await start()).toBe(200)
})

test('new owners get the plan that is set, and DEFAULT_PLAN until then', async () => {
  const planOf = async (app: TestApp, name: string) => {
    const visitor = app.visitor()
    await visitor.call('POST /register', form(name))
    return (await visitor.call('GET /profile/plan-usage')).body.plan_type
  }
  expect(await planOf(app, 'as_documented')).toBe('Free')
  await save('platform', { defaultPlan: 'Developer' })
  expect(await planOf(app, 'as_set')).toBe('Developer')
  const own = await startTestApp({ config: { defaultPlan: 'Pro' } })
  try {
    expect(await planOf(own, 'by_env')).toBe('Pro')
  } finally {
    await own.close()
  }
})
