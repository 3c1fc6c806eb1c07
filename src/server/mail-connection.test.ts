import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { connectionOf, sendMail } from '#server/mail.ts'
import { platformDefaults } from '#server/platform-settings.ts'
import {
  type MailServer,
  startEndlessServer,
  startMailServer,
  startSilentServer,
  turnMailOn,
} from '#testing/mail-server.ts'
import { selfSigned } from '#testing/self-signed.ts'
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

  test('with SSL a mail and its password leave over a checked connection', async () => {
    const tls = selfSigned()
    const safe = await another({ tls, login })
    setDefaultCACertificates([...trusted, tls.cert])
    await turnMailOn(app, safe, { useSSL: true, ...account })
    expect(await sendNow()).toBeUndefined()
    expect(safe.mails[0]).toMatchObject({ isSecure: true, user: 'signet' })
  })

  test('a certificate that nobody vouches for gets neither', async () => {
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

  test('without SSL a server on this machine needs no certificate', async () => {
    const strange = await another({ tls: selfSigned() })
    await turnMailOn(app, strange, { useSSL: false })
    expect(await sendNow()).toBeUndefined()
    expect(strange.mails[0]).toMatchObject({ isSecure: false })
  })

  test('on the ports of TLS it begins at once, elsewhere it is asked for', () => {
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

  test('is none', async () => {
    const other = await startSilentServer('HTTP/1.1 400 Bad Request\r\n\r\n')
    closing.push(other.close)
    await turnMailOn(app, other)
    expect((await sendNow())?.problem.code).toMatch(/^MAIL_/)
    const gone = await startSilentServer()
    await gone.close()
    await turnMailOn(app, gone)
    expect((await sendNow())?.problem).toMatchObject({ code: 'MAIL_SERVER_UNREACHABLE' })
  })

  test('refuses the login', async () => {
    const careful = await another({ login: { user: 'signet', password: 'Correct7Horse' } })
    await turnMailOn(app, careful, { smtpUser: 'signet', smtpPassword: 'Wrong7Horse' })
    const failure = await sendNow()
    expect(failure).toEqual({
      problem: { code: 'MAIL_LOGIN_REFUSED', values: { answer: '535 Invalid user or password' } },
      isFinal: false,
    })
  })
})
