import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newLog } from '#server/log/log.ts'
import { type MailServer, startMailServer, startSilentServer, turnMailOn } from '#testing/servers/mail-server.ts'
import { newAdmin, newOwner, type Owner } from '#testing/people/people.ts'
import { setPlatform } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let admin: Owner
let server: MailServer

let logged: string[]

beforeAll(async () => {
  const log = newLog('warn', { write: (line: string) => void logged.push(line) })
  app = await startTestApp({ log })
  admin = await newAdmin(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  logged = []
  server = await startMailServer({ login: { user: 'signet', password: 'Correct7Horse' } })
  return () => server.close()
})

const send = () => admin.visitor.call('POST /admin/settings/email/test')
const account = { smtpUser: 'signet', smtpPassword: 'Correct7Horse' }

test('a test mail goes to the administrator with the stored settings, and leaves an audit row', async () => {
  await turnMailOn(app, server, account)
  const { status, body } = await send()
  const email = `${admin.username}@example.com`
  expect([status, body.code, body.message]).toEqual([200, 'MAIL_TEST_OK', `Test mail sent to ${email}`])
  expect(server.mails).toMatchObject([{ recipients: [email], subject: 'Test email from Signet' }])
  const rows = app.db.read.selectFrom('audit').select('actor_id').where('act', '=', 'settings.test-mail')
  expect(await rows.execute()).toEqual([{ actor_id: admin.id }])
})

test('while mail is off, nothing is sent, and the reply says that', async () => {
  await setPlatform(app, 'email', { enabled: false })
  await app.services.settings.current()
  const { status, body } = await send()
  expect([status, body.code, body.message]).toEqual([403, 'MAIL_OFF', 'This server does not send mail'])
})

describe("a failure is reported by its kind; the mail server's words are only in the log", () => {
  const problem = async () => {
    const { status, body } = await send()
    expect(status).toBe(424)
    expect(body.message).not.toMatch(/\d{3}|banner|relay|Invalid/)
    expect(Object.keys(body).toSorted()).toEqual(['code', 'message', 'requestId', 'success'])
    return body.code
  }

  test('a wrong password', async () => {
    await turnMailOn(app, server, { ...account, smtpPassword: 'Wrong7Horse' })
    expect(await problem()).toBe('MAIL_LOGIN_REFUSED')
    expect(logged.join('\n')).toContain('535 Invalid user or password')
  })

  test('a rejected recipient', async () => {
    await turnMailOn(app, server, account)
    server.rejection = { code: 550, text: 'We do not relay' }
    expect(await problem()).toBe('MAIL_RECIPIENT_REFUSED')
    expect(logged.join('\n')).toContain('550 We do not relay')
  })

  test('no TLS while SSL is on', async () => {
    await turnMailOn(app, server, { ...account, useSSL: true })
    expect(await problem()).toBe('MAIL_TLS_FAILED')
    expect(server.logins).toBe(0)
  })

  test('a silent server, and no server', async () => {
    const silent = await startSilentServer()
    await turnMailOn(app, silent)
    const { mailTimeoutMs } = app.services
    app.services.mailTimeoutMs = 100
    expect(await problem()).toBe('MAIL_SERVER_SILENT')
    app.services.mailTimeoutMs = mailTimeoutMs
    await silent.close()
    expect(await problem()).toBe('MAIL_SERVER_UNREACHABLE')
  })

  test.each(['SSH-2.0-banner of another service\r\n', '554 banner of one that is closed\r\n'])(
    'another service, whose banner %j is never shown',
    async (greeting) => {
      const other = await startSilentServer(greeting)
      await turnMailOn(app, other)
      expect(await problem()).toMatch(/^MAIL_(REFUSED|SERVER_UNREACHABLE)$/)
      expect(logged.join('\n')).toContain('banner')
      await other.close()
    },
  )
})

test("owners can't send one", async () => {
  const owner = await newOwner(app)
  await turnMailOn(app, server, account)
  expect((await owner.visitor.call('POST /admin/settings/email/test')).status).toBe(403)
  expect(server.mails).toEqual([])
})
