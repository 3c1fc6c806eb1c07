import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type MailServer, startMailServer, turnMailOn } from '#testing/servers/mail-server.ts'
import { newOwner, type OwnedApp } from '#testing/people/people.ts'
import { newReseller, newSellingReseller, type SellingReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Owners can send resellers a password reset link, as administrators can for owners (R-AUTH-11). */

let app: TestApp
let server: MailServer
let reseller: SellingReseller

beforeAll(async () => {
  app = await startTestApp({ config: { publicUrl: 'https://keys.example.com' } })
  server = await startMailServer()
})
afterAll(async () => {
  await app.close()
  await server.close()
})
beforeEach(async () => {
  app.advance(3600)
  await turnMailOn(app, server, { enabled: false })
  reseller = await newSellingReseller(app)
  await app.jobsDone()
  server.mails.length = 0
})

const newPassword = 'Battery7Staple'
const start = (id = reseller.id, { visitor }: Pick<OwnedApp, 'visitor'> = reseller.owner) =>
  visitor.call('POST /resellers/{id}/password-reset', { params: { id } })
const tokenOf = (text = '') => /^https:\/\/keys\.example\.com\/reset-password#([\w-]{43})$/m.exec(text)?.[1] ?? ''
const reset = (token: string) => app.visitor().call('POST /reset-password', { body: { token, newPassword } })
const acts = async () =>
  (await app.db.read.selectFrom('audit').selectAll().where('owner_id', '=', reseller.owner.id).execute())
    .filter(({ act }) => act.includes('reset'))
    .map(({ act, actor_id: by, target, details }) => ({ act, by, target, details }))

test('without mail, the owner gets the link, which works once and is stored as a hash', async () => {
  const { status, body } = await start()
  expect([status, body.code, body.expiresAt]).toEqual([200, 'RESET_LINK_OK', app.now() + 1800])
  const token = tokenOf(body.resetLink)
  for (const table of ['password_resets', 'audit', 'jobs'] as const)
    expect(JSON.stringify(await app.db.read.selectFrom(table).selectAll().execute())).not.toContain(token)
  const { username: target, owner } = reseller
  expect(await acts()).toEqual([{ act: 'reseller.create-reset-link', by: owner.id, target, details: '{}' }])
  expect((await reset(token)).status).toBe(200)
  expect((await reset(token)).body.code).toBe('RESET_LINK_INVALID')
  expect((await reseller.visitor.call('GET /check-auth')).status).toBe(401)
  const login = { username: target, password: newPassword }
  expect((await app.visitor().call('POST /login', { body: login })).body.userType).toBe('reseller')
})

test('with mail, only the reseller gets the link', async () => {
  await turnMailOn(app, server)
  const { body } = await start()
  expect(body).toEqual({
    success: true,
    code: 'RESELLER_RESET_OK',
    message: 'Password reset link sent to the reseller',
  })
  await app.jobsDone()
  expect(server.mails.map(({ recipients }) => recipients)).toEqual([[`${reseller.username}@example.com`]])
  expect((await reset(tokenOf(server.mails[0]?.text))).status).toBe(200)
})

test('needs a recent verification, and a reseller of this owner who is set up and not banned', async () => {
  const invited = await newReseller(app, reseller.owner)
  expect((await start(invited.id)).body.code).toBe('RESELLER_NOT_SET_UP')
  expect(await start(reseller.id, await newOwner(app))).toMatchObject({ status: 404 })
  await reseller.owner.visitor.call('POST /resellers/{id}/ban', { params: { id: reseller.id }, body: { banned: true } })
  expect((await start()).body.code).toBe('RESELLER_BANNED')
  app.advance(301)
  expect((await start()).body.code).toBe('REAUTH_REQUIRED')
  expect(await acts()).toEqual([])
})
