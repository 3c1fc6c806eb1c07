import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type MailServer, startMailServer, startSilentServer, turnMailOn } from '#testing/mail-server.ts'
import { newAdmin, newOwner, type Owner } from '#testing/people.ts'
import { setPlatform } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let admin: Owner
let server: MailServer

beforeAll(async () => {
  app = await startTestApp()
  admin = await newAdmin(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  server = await startMailServer({ login: { user: 'signet', password: 'Correct7Horse' } })
  return () => server.close()
})

const send = () => admin.visitor.call('POST /admin/settings/email/test')
const account = { smtpUser: 'signet', smtpPassword: 'Correct7Horse' }

test('a test mail goes to the administrator by the stored settings, and leaves an audit row', async () => {
  await turnMailOn(app, server, account)
  const { status, body } = await send()
  const email = `${admin.username}@example.com`
  expect([status, body.code, body.message]).toEqual([200, 'MAIL_TEST_OK', `Test mail sent to ${email}`])
  expect(server.mails).toMatchObject([{ recipients: [email], subject: 'Test mail of Signet' }])
  const rows = app.db.read.selectFrom('audit').select('actor_id').where('act', '=', 'settings.test-mail')
  expect(await rows.execute()).toEqual([{ actor_id: admin.id }])
})

test('without mail nothing is sent, and the answer says so', async () => {
  await setPlatform(app, 'email', { enabled: false })
  await app.services.settings.current()
  const { status, body } = await send()
  expect([status, body.code, body.message]).toEqual([403, 'MAIL_OFF', 'This server does not send mail'])
})

describe('what went wrong is said in the words of the mail server', () => {
  test('a wrong password', async () => {
    await turnMailOn(app, server, { ...account, smtpPassword: 'Wrong7Horse' })
    const { status, body } = await send()
    expect([status, body.code]).toEqual([424, 'MAIL_LOGIN_REFUSED'])
    expect(body.message).toBe('The mail server refused the user or the password: 535 Invalid user or password')
  })

  test('a recipient or a sender that it does not want', async () => {
    await turnMailOn(app, server, account)
    server.refusal = { code: 550, text: 'We do not relay' }
    expect((await send()).body).toMatchObject({
      code: 'MAIL_REFUSED',
      message: expect.stringContaining('550 We do not relay') as string,
    })
  })

  test('no TLS where SSL is on', async () => {
    await turnMailOn(app, server, { ...account, useSSL: true })
    expect((await send()).body.code).toBe('MAIL_TLS_FAILED')
    expect(server.logins).toBe(0)
  })

  test('silence', async () => {
    const silent = await startSilentServer()
    await turnMailOn(app, silent)
    const { mailTimeoutMs } = app.services
    app.services.mailTimeoutMs = 100
    expect((await send()).body.message).toBe('The mail server did not answer in time')
    app.services.mailTimeoutMs = mailTimeoutMs
    await silent.close()
    expect((await send()).body.code).toBe('MAIL_SERVER_UNREACHABLE')
  })
})

test('owners can not', async () => {
  const owner = await newOwner(app)
  await turnMailOn(app, server, account)
  expect((await owner.visitor.call('POST /admin/settings/email/test')).status).toBe(403)
  expect(server.mails).toEqual([])
})
