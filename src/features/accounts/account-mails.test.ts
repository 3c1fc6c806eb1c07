import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type MailServer, startMailServer, turnMailOn } from '#testing/servers/mail-server.ts'
import { goodPassword, newOwner, type Owner } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { newOwnerWithTwoFactor } from '#testing/people/two-factor.ts'

/** Account events are emailed to the owner of the account (R-AUTH-12). */

let app: TestApp
let server: MailServer
let owner: Owner

beforeAll(async () => {
  app = await startTestApp()
  server = await startMailServer()
})
afterAll(async () => {
  await app.close()
  await server.close()
})
beforeEach(async () => {
  app.advance(3600)
  await turnMailOn(app, server)
  owner = await newOwner(app)
  server.mails.length = 0
})

const addressOf = ({ username }: { username: string }) => `${username}@example.com`
const signIn = (visitor = app.visitor(), headers: Record<string, string> = {}, password = goodPassword) =>
  visitor.call('POST /login', { body: { username: owner.username, password }, headers })

async function mailed() {
  await app.jobsDone()
  return server.mails.map(({ subject, recipients }) => [subject, recipients[0]])
}

test('reports the first sign-in on a new device by mail, with its origin, and no later ones (R-AUTH-12)', async () => {
  const elsewhere = app.visitor()
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; visit evil.example) Gecko/20100101 Firefox/140.0'
  await signIn(elsewhere, { 'user-agent': userAgent })
  expect(await mailed()).toEqual([['New sign-in at Signet', addressOf(owner)]])
  expect(server.mails[0]?.text).toContain('IP address: 127.0.0.1')
  expect(server.mails[0]?.text).toContain('Browser: Firefox · Linux')
  expect(server.mails[0]?.text).toContain('UTC')
  // The user agent is untrusted text.
  expect(server.mails[0]?.raw).not.toContain('evil')
  server.mails.length = 0
  await elsewhere.call('POST /logout')
  await signIn(elsewhere)
  await signIn(owner.visitor)
  expect(await mailed()).toEqual([])
})

test('a failed sign-in and a registration send no mail', async () => {
  await newOwner(app)
  await signIn(app.visitor(), {}, 'Wrong7Horse')
  expect(await mailed()).toEqual([])
})

test('with two-factor authentication, the mail is sent after the correct code', async () => {
  const careful = await newOwnerWithTwoFactor(app)
  expect((await mailed()).map(([subject]) => subject)).toEqual(['Two-factor authentication is on at Signet'])
  server.mails.length = 0
  const elsewhere = app.visitor()
  const { username, password } = careful
  const { body } = await elsewhere.call('POST /login', { body: { username, password } })
  expect(await mailed()).toEqual([])
  const pendingToken = body.pendingToken ?? ''
  await elsewhere.call('POST /login/two-factor', { body: { pendingToken, code: careful.authenticator.code() } })
  expect(await mailed()).toEqual([['New sign-in at Signet', addressOf(careful)]])
  server.mails.length = 0
  app.advance(60)
  const off = { password, code: careful.authenticator.code() }
  expect((await careful.visitor.call('POST /profile/two-factor/disable', { body: off })).status).toBe(200)
  expect(await mailed()).toEqual([['Two-factor authentication is off at Signet', addressOf(careful)]])
})

test('reports a changed password by mail, and a changed address to the previous address (R-AUTH-12)', async () => {
  const change = { currentPassword: goodPassword, newPassword: 'Another7Horse' }
  expect((await owner.visitor.call('POST /profile/change-password', { body: change })).status).toBe(200)
  expect(await mailed()).toEqual([['Your password for Signet was changed', addressOf(owner)]])
  server.mails.length = 0
  const email = `${owner.username}@example.org`
  expect((await owner.visitor.call('POST /profile/update', { body: { email } })).status).toBe(200)
  await owner.visitor.call('POST /profile/update', { body: { email, displayName: 'Somebody else' } })
  expect(await mailed()).toEqual([['Your email address at Signet was changed', addressOf(owner)]])
  expect(server.mails[0]?.text).not.toContain('example.org')
})

test('queues nothing while mail is off', async () => {
  await turnMailOn(app, server, { enabled: false })
  expect((await signIn()).status).toBe(200)
  expect(await app.db.read.selectFrom('jobs').select('id').where('kind', '=', 'mail').execute()).toEqual([])
})
