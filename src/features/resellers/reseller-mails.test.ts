import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type MailServer, startMailServer, turnMailOn } from '#testing/servers/mail-server.ts'
import { newSellingReseller, resellerPassword, type SellingReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Resellers are notified of changes to their account by email, as owners are (R-AUTH-12). */

let app: TestApp
let server: MailServer
let reseller: SellingReseller

const portuguese = { 'accept-language': 'pt-BR' }

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
  reseller = await newSellingReseller(app)
  await app.jobsDone()
  server.mails.length = 0
})

const addressOf = ({ username }: SellingReseller) => `${username}@example.com`
const signIn = (visitor = app.visitor(), headers: Record<string, string> = {}, password = resellerPassword) =>
  visitor.call('POST /login', { body: { username: reseller.username, password }, headers })
async function mailed() {
  await app.jobsDone()
  const mails = server.mails.map(({ subject, recipients, text }) => ({ subject, to: recipients[0], text: text ?? '' }))
  server.mails.length = 0
  return mails
}

test("the first sign-in on a new device is mailed only to the reseller; later ones aren't (R-AUTH-12)", async () => {
  const elsewhere = app.visitor()
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0'
  expect((await signIn(elsewhere, { 'user-agent': userAgent })).status).toBe(200)
  const [mail, ...more] = await mailed()
  expect(more).toEqual([])
  expect(mail).toMatchObject({ subject: 'New sign-in at Signet', to: addressOf(reseller) })
  expect(mail?.text).toContain('IP address: 127.0.0.1')
  expect(mail?.text).toContain('Browser: Firefox · Linux')
  expect(mail?.text).toMatch(/\/reseller\/profile\n/)
  await elsewhere.call('POST /reseller/logout')
  expect((await signIn(elsewhere)).status).toBe(200)
  expect(await mailed()).toEqual([])
})

test("the browser that used the set-up link is known, and a failed sign-in isn't mailed", async () => {
  await reseller.visitor.call('POST /reseller/logout')
  expect((await signIn(reseller.visitor)).status).toBe(200)
  await signIn(app.visitor(), {}, 'Wrong7Horse')
  expect(await mailed()).toEqual([])
})

test('a device that one reseller uses is new for another', async () => {
  const other = await newSellingReseller(app)
  await app.jobsDone()
  server.mails.length = 0
  const shared = app.visitor()
  await signIn(shared)
  const body = { username: other.username, password: resellerPassword }
  expect((await shared.call('POST /login', { body })).status).toBe(200)
  expect((await mailed()).map(({ to }) => to)).toEqual([addressOf(reseller), addressOf(other)])
})

test('a new password makes all devices unknown, and its mails are in the language of the last sign-in', async () => {
  await signIn(reseller.visitor, portuguese)
  expect(await mailed()).toEqual([])
  await app.visitor().call('POST /forgot-password', { body: { email: addressOf(reseller) } })
  const [mail] = await mailed()
  expect(mail?.subject).toBe('Defina uma nova senha para Signet')
  const token = /#(\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
  const password = 'Battery7Staple'
  app.advance(1)
  expect((await app.visitor().call('POST /reset-password', { body: { token, newPassword: password } })).status).toBe(
    200,
  )
  expect((await mailed()).map(({ subject }) => subject)).toEqual(['Sua senha em Signet foi alterada'])
  expect((await signIn(reseller.visitor, {}, password)).status).toBe(200)
  expect((await mailed()).map(({ subject }) => subject)).toEqual(['Novo login em Signet'])
})

test('without mail, nothing is queued', async () => {
  await turnMailOn(app, server, { enabled: false })
  expect((await signIn()).status).toBe(200)
  expect(await app.db.read.selectFrom('jobs').select('id').where('kind', '=', 'mail').execute()).toEqual([])
})
