import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sendMail } from './mail.ts'
import { connectionOf } from './mail-connection.ts'
import { platformDefaults } from '#server/settings/platform-settings.ts'
import {
  type MailServer,
  startEndlessServer,
  startMailServer,
  startSilentServer,
  turnMailOn,
} from '#testing/servers/mail-server.ts'
import { setPlatform } from '#testing/platform.ts'
import { selfSigned } from '#testing/servers/self-signed.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** How the mail server is reached, and what becomes of one that is of no use. */

let app: TestApp
const closing: (() => Promise<void>)[] = []
const trusted = getCACertificates('default')

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
afterEach(async () => {
  setDefaultCACertificates(trusted)
  for (const close of closing.splice(0)) await close()
})

async function another(options: Parameters<typeof startMailServer>[0]): Promise<MailServer> {
  const made = await startMailServer(options)
  closing.push(made.close)
  return made
}

const sendNow = () => sendMail(app.services, { to: 'ana@example.com', language: null, code: 'test', values: {} })

describe('TLS', () => {
  const login = { user: 'signet', password: 'Correct7Horse' }
  const account = { smtpUser: login.user, smtpPassword: login.password }

  test('with SSL, a mail and its password are sent over a verified connection', async () => {
    const tls = selfSigned()
    const safe = await another({ tls, login })
    setDefaultCACertificates([...trusted, tls.cert])
    await turnMailOn(app, safe, { useSSL: true, ...account })
    expect(await sendNow()).toBeUndefined()
    expect(safe.mails[0]).toMatchObject({ isSecure: true, user: 'signet' })
  })

  test('a server with an untrusted certificate gets neither', async () => {
    const strange = await another({ tls: selfSigned(), login })
    await turnMailOn(app, strange, { useSSL: true, ...account })
    expect((await sendNow())?.problem).toMatchObject({ code: 'MAIL_TLS_FAILED' })
    expect(strange).toMatchObject({ mails: [], logins: 0 })
  })

  test('a server without TLS gets neither while SSL is on', async () => {
    const open = await another({ login })
    await turnMailOn(app, open, { useSSL: true, ...account })
    expect((await sendNow())?.problem).toMatchObject({ code: 'MAIL_TLS_FAILED' })
    expect(open).toMatchObject({ mails: [], logins: 0 })
  })

  test('without SSL, a server on this machine needs no certificate', async () => {
    const strange = await another({ tls: selfSigned() })
    await turnMailOn(app, strange, { useSSL: false })
    expect(await sendNow()).toBeUndefined()
    expect(strange.mails[0]).toMatchObject({ isSecure: false })
  })

  test('TLS starts at once on its own ports, and with STARTTLS elsewhere', () => {
    const at = (smtpPort: number, useSSL: boolean) => {
      const { secure, requireTLS, ignoreTLS } = connectionOf(app.services, {
        ...platformDefaults.email,
        smtpPort,
        useSSL,
      })
      return { secure, requireTLS, ignoreTLS }
    }
    expect(at(465, true)).toEqual({ secure: true, requireTLS: false, ignoreTLS: false })
    expect(at(587, true)).toEqual({ secure: false, requireTLS: true, ignoreTLS: false })
    expect(at(25, false)).toEqual({ secure: false, requireTLS: false, ignoreTLS: true })
  })

  test.each(['mail.example.com', 'localhost', '0.0.0.0', '127.0.0.1.example.com', '::2', ' 10.1.2.3'])(
    'without SSL, no password is sent unencrypted to %j',
    (smtpHost) => {
      const email = { ...platformDefaults.email, smtpHost, smtpUser: 'signet', useSSL: false }
      const at = (smtpPort: number) => connectionOf(app.services, { ...email, smtpPort })
      expect(at(25)).toMatchObject({ secure: false, requireTLS: true, ignoreTLS: false })
      expect(at(465)).toMatchObject({ secure: true })
    },
  )

  test('nor to a server without TLS, except on this machine', async () => {
    const open = await another({ login })
    // All addresses of this machine, and by its text none of them.
    await turnMailOn(app, open, { smtpHost: '0.0.0.0', ...account })
    expect((await sendNow())?.problem.code).toBe('MAIL_TLS_FAILED')
    expect(open).toMatchObject({ mails: [], logins: 0 })
    await turnMailOn(app, open, account)
    expect(await sendNow()).toBeUndefined()
    expect(open).toMatchObject({ logins: 1 })
  })
})

describe("the mail server's password is opened only for the server it was saved for", () => {
  const login = { user: 'signet', password: 'Correct7Horse' }

  test.each(['smtpHost', 'smtpPort', 'useSSL'] as const)('not for a row with another %s', async (field) => {
    const tls = selfSigned()
    const [safe, evil] = [await another({ tls, login }), await another({ tls, login })]
    setDefaultCACertificates([...trusted, tls.cert])
    await turnMailOn(app, safe, { useSSL: true, smtpUser: login.user, smtpPassword: login.password })
    expect(await sendNow()).toBeUndefined()
    const { email } = await app.services.settings.current()
    const other = { smtpHost: 'localhost', smtpPort: evil.port, useSSL: false }
    await setPlatform(app, 'email', { ...email, [field]: other[field] })
    await app.services.settings.current()
    expect((await sendNow())?.problem.code).toBe('MAIL_PASSWORD_UNREADABLE')
    expect([safe.logins, evil.connections]).toEqual([1, 0])
  })

  test('whatever the spelling of its host', async () => {
    const server = await another({ login })
    const account = { smtpUser: login.user, smtpPassword: login.password }
    await turnMailOn(app, server, account)
    const { email } = await app.services.settings.current()
    await setPlatform(app, 'email', { ...email, smtpHost: ' 127.0.0.1 ' })
    await app.services.settings.current()
    expect(await sendNow()).toBeUndefined()
  })
})

describe('a mail server that', () => {
  test.each([
    ['says nothing', startSilentServer],
    ['never comes to an end', startEndlessServer],
  ])('%s', async (_what, start) => {
    const other = await start()
    closing.push(other.close)
    const { mailTimeoutMs } = app.services
    app.services.mailTimeoutMs = 100
    await turnMailOn(app, other)
    expect((await sendNow())?.problem).toEqual({ code: 'MAIL_SERVER_SILENT' })
    await expect.poll(other.open).toBe(0)
    app.services.mailTimeoutMs = mailTimeoutMs
  })

  test("isn't a mail server", async () => {
    const other = await startSilentServer('HTTP/1.1 400 Bad Request\r\n\r\n')
    closing.push(other.close)
    await turnMailOn(app, other)
    expect((await sendNow())?.problem.code).toMatch(/^MAIL_/)
    const gone = await startSilentServer()
    await gone.close()
    await turnMailOn(app, gone)
    expect((await sendNow())?.problem).toMatchObject({ code: 'MAIL_SERVER_UNREACHABLE' })
  })

  test('rejects the login', async () => {
    const careful = await another({ login: { user: 'signet', password: 'Correct7Horse' } })
    await turnMailOn(app, careful, { smtpUser: 'signet', smtpPassword: 'Wrong7Horse' })
    const failure = await sendNow()
    expect(failure).toEqual({
      problem: { code: 'MAIL_LOGIN_REFUSED' },
      isFinal: false,
      answer: '535 Invalid user or password',
    })
  })

  test('has an unknown name', async () => {
    await turnMailOn(app, { port: 25 }, { smtpHost: 'no-such-host.invalid' })
    const { mailTimeoutMs } = app.services
    // Where there is no name server, nothing is known either.
    app.services.mailTimeoutMs = 2000
    expect((await sendNow())?.problem).toEqual({ code: 'MAIL_HOST_UNKNOWN' })
    app.services.mailTimeoutMs = mailTimeoutMs
  })
})
