import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mailServerKey } from '#contract/mail-server.ts'
import { smtpPasswordContext, unboundPasswordContext } from '#server/settings/platform-settings.ts'
import { databaseDigest } from '#testing/database-digest.ts'
import { type MailServer, type MailServerOptions, startMailServer, turnMailOn } from '#testing/servers/mail-server.ts'
import { newAdmin, newOwner, type Owner, verifyAgain } from '#testing/people/people.ts'
import { setPlatform } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Whoever controls the mail server receives the password reset links. */

let app: TestApp
let admin: Owner
let other: Owner
let server: MailServer
const servers: MailServer[] = []
const login = { user: 'signet', password: 'Correct7Horse' }
const account = { smtpUser: login.user, smtpPassword: login.password }

beforeAll(async () => {
  app = await startTestApp()
  other = await newAdmin(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  app.advance(3600)
  // Administrators of earlier tests must not be notified.
  await app.db.write(async ({ db }) => {
    await db.updateTable('accounts').set({ role: 'owner' }).where('id', '<>', other.id).execute()
    await db.deleteFrom('jobs').where('kind', '=', 'mail-server-notice').execute()
  })
  admin = await newAdmin(app)
  server = await another()
})
afterEach(async () => {
  for (const each of servers.splice(0)) await each.close()
})

async function another(options: MailServerOptions = {}): Promise<MailServer> {
  const made = await startMailServer(options)
  servers.push(made)
  return made
}

async function save(settings: object, visitor = admin.visitor) {
  const answer = await visitor.send('POST', '/api/1.0/website/admin/settings/email', { body: { settings } })
  await app.services.settings.current()
  return answer
}
const stored = async () => (await app.services.settings.current()).email
const passwordOf = (email: Awaited<ReturnType<typeof stored>>) =>
  app.services.masterKey.open(email.smtpPasswordSealed, smtpPasswordContext(email)).toString()
const failures = () =>
  app.db.read.selectFrom('audit').selectAll().where('act', '=', 'settings.notice-failed').orderBy('id').execute()

describe('the password of the mail server', () => {
  const elsewhere = [{ smtpHost: 'mail.evil.example' }, { smtpPort: 2525 }, { useSSL: true }]

  test.each(elsewhere)('must be entered again for %j, and nothing changes without it', async (change) => {
    await turnMailOn(app, server, account)
    const before = await databaseDigest(app.db)
    const { status, body } = await save(change)
    expect([status, body.code, body['field']]).toEqual([400, 'SMTP_PASSWORD_REQUIRED', 'smtpPassword'])
    expect(await databaseDigest(app.db)).toBe(before)
    expect((await save({ ...change, smtpPassword: 'Another7Horse' })).status).toBe(200)
    expect(passwordOf(await stored())).toBe('Another7Horse')
  })

  test('stays after any other change, however the host is spelled', async () => {
    await turnMailOn(app, server, account)
    const change = { smtpHost: ' 127.0.0.1 ', smtpUser: 'other', senderEmail: 'other@example.com', enabled: false }
    expect((await save(change)).status).toBe(200)
    expect(passwordOf(await stored())).toBe(login.password)
  })

  test('is deleted when the next server needs no sign-in', async () => {
    await turnMailOn(app, server, account)
    expect((await save({ smtpHost: 'relay.example.com', smtpUser: '' })).status).toBe(200)
    expect((await stored()).smtpPasswordSealed).toBe('')
  })

  test('sealed by an earlier version is bound to its server at the next start', async () => {
    const careful = await another({ login })
    const smtpPasswordSealed = app.services.masterKey.seal(login.password, unboundPasswordContext)
    await turnMailOn(app, careful, { smtpUser: login.user, smtpPasswordSealed })
    expect((await admin.visitor.call('POST /admin/settings/email/test')).body.code).toBe('MAIL_PASSWORD_UNREADABLE')
    expect(careful.connections).toBe(0)
    await app.stop()
    await app.start()
    await app.services.settings.current()
    expect(passwordOf(await stored())).toBe(login.password)
    expect((await admin.visitor.call('POST /admin/settings/email/test')).status).toBe(200)
    expect(careful).toMatchObject({ logins: 1 })
    const email = await stored()
    await app.stop()
    await app.start()
    // Only once: no later start seals it again.
    expect(await stored()).toEqual(email)
  })
})

describe('administrators are notified of a changed mail server', () => {
  const addresses = () => [admin, other].map(({ username }) => `${username}@example.com`).toSorted()
  const heard = async (by: MailServer) => {
    await app.jobsDone()
    const mails = by.mails.splice(0)
    expect(mails.map(({ subject }) => subject)).toEqual(mails.map(() => 'The mail server of Signet was changed'))
    return { to: mails.flatMap(({ recipients }) => recipients).toSorted(), text: mails[0]?.text ?? '' }
  }

  test('through the previous server: who, when, from where, and the new server', async () => {
    await newOwner(app)
    const next = await another()
    await turnMailOn(app, server)
    await app.jobsDone()
    server.mails.length = 0
    expect((await save({ smtpPort: next.port })).status).toBe(200)
    const { to, text } = await heard(server)
    expect(to).toEqual(addresses())
    expect(text).toContain(`${admin.username} changed the mail settings`)
    expect(text).toContain('When: ')
    expect(text).toContain('IP address: 127.0.0.1')
    expect(text).toContain(`New mail server: 127.0.0.1:${next.port}`)
    expect(next.connections).toBe(0)
    expect(
      await app.db.read.selectFrom('jobs').select('id').where('kind', '=', 'mail-server-notice').execute(),
    ).toEqual([])
  })

  test("with the previous server's password", async () => {
    const careful = await another({ login })
    await turnMailOn(app, careful, account)
    expect((await save({ smtpPort: server.port, smtpPassword: 'Another7Horse' })).status).toBe(200)
    expect((await heard(careful)).to).toEqual(addresses())
    expect(careful.logins).toBeGreaterThan(0)
  })

  test.each([
    { smtpHost: 'mail.example.com' },
    { useSSL: true },
    { smtpUser: 'somebody' },
    { senderEmail: 'other@example.com' },
    { enabled: false },
  ])('after %j', async (change) => {
    await turnMailOn(app, server)
    expect((await save(change)).status).toBe(200)
    const { to, text } = await heard(server)
    expect(to).toEqual(addresses())
    if ('enabled' in change) expect(text).toContain('mail is off')
  })

  test('not after a new sender name, a new password, or the same values', async () => {
    await turnMailOn(app, server)
    await save({ senderName: 'Us', smtpPassword: 'Another7Horse', smtpHost: '127.0.0.1' })
    expect((await heard(server)).to).toEqual([])
  })

  test('through the new server if mail was off, and not while it stays off', async () => {
    await turnMailOn(app, server, { enabled: false })
    const next = await another()
    await save({ smtpPort: next.port })
    await app.jobsDone()
    expect([server.connections, next.connections]).toEqual([0, 0])
    await save({ enabled: true })
    expect((await heard(next)).to).toEqual(addresses())
  })

  test('no password of either server is in a job, an audit row, or the log', async () => {
    await turnMailOn(app, server, { smtpUser: 'signet', smtpPassword: 'Old-secret-4711' })
    server.rejection = { code: 451, text: 'Come back later' }
    await save({ smtpPort: 2525, smtpPassword: 'New-secret-4711' })
    await app.jobsDone()
    for (const table of ['jobs', 'audit', 'platform_settings'] as const)
      expect(JSON.stringify(await app.db.read.selectFrom(table).selectAll().execute())).not.toContain('secret-4711')
  })

  test("an unreachable previous server blocks no change; the audit says who wasn't notified", async () => {
    const before = (await failures()).length
    await turnMailOn(app, server)
    const { port } = server
    await server.close()
    servers.length = 0
    const next = await another()
    expect((await save({ smtpPort: next.port })).status).toBe(200)
    expect(mailServerKey(await stored())).toContain(String(next.port))
    for (let attempt = 0; attempt < 8; attempt++) {
      await app.jobsDone()
      app.advance(3600)
    }
    const rows = (await failures()).slice(before)
    expect(rows.map(({ target }) => target).toSorted()).toEqual([admin.username, other.username].toSorted())
    expect(rows[0]).toMatchObject({ actor_type: 'system' })
    expect(JSON.parse(rows[0]?.details ?? '')).toEqual({ problem: 'MAIL_SERVER_UNREACHABLE', smtpHost: '127.0.0.1' })
    expect(JSON.stringify(rows)).not.toContain(String(port))
    expect(next.connections).toBe(0)
    expect(
      await app.db.read.selectFrom('jobs').select('id').where('kind', '=', 'mail-server-notice').execute(),
    ).toEqual([])
  })
})

test("a session verified a day ago can't change the mail server (R-SES-08)", async () => {
  await setPlatform(app, 'security', { sessionTimeout: 1000 })
  await turnMailOn(app, server)
  await app.db.write(({ db }) => {
    const set = { remember_me: 1, expires_at: app.now() + 30 * 86_400 }
    return db.updateTable('account_sessions').set(set).where('account_id', '=', admin.id).execute()
  })
  app.advance(28 * 3600)
  const before = await stored()
  const answer = await save({ smtpHost: '127.0.0.1', smtpPort: 2525 })
  expect([answer.status, answer.body.code]).toEqual([403, 'REAUTH_REQUIRED'])
  expect(await stored()).toEqual(before)
  await verifyAgain(admin)
  expect((await save({ smtpHost: '127.0.0.1', smtpPort: 2525 })).status).toBe(200)
})
