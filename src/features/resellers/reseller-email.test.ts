import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type MailServer, startMailServer, turnMailOn } from '#testing/servers/mail-server.ts'
import { newReseller, newSellingReseller, resellerPassword, type SellingReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** A new email address of a reseller takes effect once confirmed by link, and the old address is always notified. */

let app: TestApp
let server: MailServer
let reseller: SellingReseller
let oldAddress: string
let newAddress: string

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
  oldAddress = `${reseller.username}@example.com`
  newAddress = `new-${reseller.username}@example.com`
  await mailed()
})

const change = (email: string, { id, owner } = reseller) =>
  owner.visitor.call('PUT /resellers/{id}', { params: { id }, body: { email } })
const confirm = (token: string) => app.visitor().call('POST /reseller/confirm-email', { body: { token } })
const signIn = async (username: string) =>
  (await app.visitor().call('POST /login', { body: { username, password: resellerPassword } })).status
async function mailed() {
  await app.jobsDone()
  return server.mails
    .splice(0)
    .map(({ subject, recipients, text }) => ({ subject, to: recipients[0], text: text ?? '' }))
}
const tokenOf = (text = '') => /\/reseller\/confirm-email#(\S+)/.exec(text)?.[1] ?? ''
/** The link emailed to the new address. */
async function linkFor(email = newAddress) {
  expect((await change(email)).body.code).toBe('RESELLER_EMAIL_SENT')
  return tokenOf((await mailed()).find(({ to }) => to === email)?.text)
}
const emailNow = async ({ id, owner } = reseller) =>
  (await owner.visitor.call('GET /resellers/{id}', { params: { id } })).body.reseller.email
const eventsOf = async (username: string) => {
  const rows = await app.db.read
    .selectFrom('audit')
    .select(['act', 'actor_type', 'details'])
    .where('target', '=', username)
    .execute()
  return rows.filter(({ act }) => act.includes('email') || act === 'reseller.update')
}

test('a new address is announced to the old one, and applies once it is confirmed', async () => {
  const { body } = await change(newAddress)
  expect(body).toMatchObject({
    code: 'RESELLER_EMAIL_SENT',
    message: 'A confirmation link was sent to the new address',
    email: oldAddress,
    pendingEmail: newAddress,
  })
  const mails = await mailed()
  expect(mails.map(({ to, subject }) => [to, subject]).toSorted()).toEqual([
    [newAddress, 'Confirm your new email address at Signet'],
    [oldAddress, 'A new email address was requested for your account at Signet'],
  ])
  expect(mails.find(({ to }) => to === oldAddress)?.text).not.toContain('confirm-email')
  expect([await emailNow(), await signIn(oldAddress), await signIn(newAddress)]).toEqual([oldAddress, 200, 403])
  await mailed()

  const token = tokenOf(mails.find(({ to }) => to === newAddress)?.text)
  expect((await confirm(token)).body).toMatchObject({ code: 'RESELLER_EMAIL_OK', email: newAddress })
  expect(await mailed()).toMatchObject([{ to: oldAddress, subject: 'Your email address at Signet was changed' }])
  expect([await emailNow(), await signIn(oldAddress), await signIn(newAddress)]).toEqual([newAddress, 403, 200])
  expect((await confirm(token)).body.code).toBe('EMAIL_LINK_INVALID')
  expect(await eventsOf(reseller.username)).toMatchObject([
    { act: 'reseller.request-email', actor_type: 'owner' },
    { act: 'reseller.confirm-email', actor_type: 'reseller' },
  ])
})

test('a link that was used, replaced or withdrawn, or has expired, is invalid, and of concurrent uses one counts', async () => {
  const replaced = await linkFor()
  const withdrawn = await linkFor(`second-${newAddress}`)
  for (let time = 0; time < 2; time++)
    expect((await change(oldAddress)).body).toMatchObject({ code: 'RESELLER_UPDATE_OK', pendingEmail: null })
  expect((await eventsOf(reseller.username)).map(({ act, actor_type: type }) => [act, type])).toEqual([
    ['reseller.request-email', 'owner'],
    ['reseller.request-email', 'owner'],
    ['reseller.cancel-email', 'owner'],
  ])
  const late = await linkFor()
  app.advance(86_400)
  for (const token of [replaced, withdrawn, late, 'no-such-link'])
    expect([(await confirm(token)).status, (await confirm(token)).body.code]).toEqual([403, 'EMAIL_LINK_INVALID'])
  const { username, password, visitor } = reseller.owner
  await visitor.call('POST /login', { body: { username, password } })
  await mailed()
  expect(await emailNow()).toBe(oldAddress)
  const link = await linkFor()
  const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(link)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403, 403, 403, 403])
})

test('the link is not stored in plain text, and taken addresses are rejected, also at the time of the click', async () => {
  const other = await newSellingReseller(app)
  for (const email of [`${other.username}@example.com`, `${other.owner.username}@EXAMPLE.com`]) {
    const { status, body } = await change(email)
    expect([status, body.code, 'field' in body && body.field]).toEqual([409, 'ACCOUNT_TAKEN', 'email'])
  }
  await mailed()
  const link = await linkFor()
  const rows = await app.db.read.selectFrom('resellers').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(link)
  const email = newAddress
  expect((await other.owner.visitor.call('POST /profile/update', { body: { email } })).status).toBe(200)
  expect((await confirm(link)).body.code).toBe('ACCOUNT_TAKEN')
  expect(await emailNow()).toBe(oldAddress)
})

test('no link works for a banned reseller or owner', async () => {
  const link = await linkFor()
  const ban = () => reseller.owner.visitor.call('POST /resellers/{id}/ban', { params: { id: reseller.id } })
  await ban()
  expect((await confirm(link)).body.code).toBe('ACCOUNT_BANNED')
  await ban()
  expect((await confirm(link)).status).toBe(200)
})

test('password reset links sent to the old address end with it', async () => {
  const link = await linkFor()
  await app.visitor().call('POST /forgot-password', { body: { email: oldAddress } })
  const reset = /#(\S+)/.exec((await mailed())[0]?.text ?? '')?.[1] ?? ''
  expect((await confirm(link)).status).toBe(200)
  const body = { token: reset, newPassword: 'Battery7Staple' }
  expect((await app.visitor().call('POST /reset-password', { body })).body.code).toBe('RESET_LINK_INVALID')
})

test("an address requested before the account was set up doesn't replace the one chosen there", async () => {
  const { id, username, registrationToken } = await newReseller(app, reseller.owner)
  await reseller.owner.visitor.call('PUT /resellers/{id}', { params: { id }, body: { email: newAddress } })
  const mails = await mailed()
  expect(mails.map(({ to }) => to)).toEqual([newAddress])
  const body = { email: `${username}@example.com`, password: resellerPassword }
  const setUp = { params: { registrationToken }, body }
  expect((await app.visitor().call('POST /reseller/setup/{registrationToken}', setUp)).status).toBe(200)
  expect((await confirm(tokenOf(mails[0]?.text))).body.code).toBe('EMAIL_LINK_INVALID')
})

test('without mail, a new address applies at once, and the audit says that nobody confirmed it', async () => {
  await turnMailOn(app, server, { enabled: false })
  expect((await change(newAddress)).body).toMatchObject({ code: 'RESELLER_UPDATE_OK', email: newAddress })
  expect(await signIn(newAddress)).toBe(200)
  expect((await eventsOf(reseller.username)).map(({ act, details }) => [act, details])).toEqual([
    ['reseller.update', JSON.stringify({ email: true, confirmed: false, changes: { email: 'changed' } })],
  ])
})
