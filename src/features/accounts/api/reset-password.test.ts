import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { forgetOldResets } from '#server/auth/reset-tokens.ts'
import { expectAllRejected, hostileBodies, notTexts, seen, strangeTexts } from '#testing/faults/hostile-input.ts'
import { type MailServer, startMailServer, turnMailOn } from '#testing/servers/mail-server.ts'
import { goodPassword, newAdmin, newOwner, type Owner } from '#testing/people/people.ts'
import { setAccountBanned, setPlatform } from '#testing/platform.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { newOwnerWithTwoFactor } from '#testing/people/two-factor.ts'

let app: TestApp
let server: MailServer
let owner: Owner

beforeAll(async () => {
  app = await startTestApp({ config: { publicUrl: 'https://keys.example.com' } })
  server = await startMailServer()
})
afterAll(async () => {
  await app.close()
  await server.close()
})
beforeEach(async () => {
  // The links of one test do not count in the next.
  app.advance(3600)
  await turnMailOn(app, server)
  owner = await newOwner(app)
  await app.jobsDone()
  server.mails.length = 0
})

const newPassword = 'Battery7Staple'
const addressOf = ({ username }: { username: string }) => `${username}@example.com`

const ask = (email: string, headers: Record<string, string> = {}) =>
  app.visitor().call('POST /forgot-password', { body: { email }, headers })
const reset = (token: string, password = newPassword, visitor = app.visitor()) =>
  visitor.call('POST /reset-password', { body: { token, newPassword: password } })
const signIn = (username: string, password: string) =>
  app.visitor().call('POST /login', { body: { username, password } })

/** The token of the last link sent to this address. */
const lastToken = (email: string): string | undefined =>
  /reset-password#([\w-]{43})$/m.exec(
    server.mails.findLast(({ recipients }) => recipients[0] === email)?.text ?? '',
  )?.[1]

async function tokenFor(person: { username: string }): Promise<string> {
  const { status } = await ask(addressOf(person))
  expect(status).toBe(200)
  await app.jobsDone()
  const token = lastToken(addressOf(person))
  if (!token) throw new Error('No link came')
  return token
}

const auditOf = async (ownerId: string) =>
  (await app.db.read.selectFrom('audit').select('act').where('owner_id', '=', ownerId).orderBy('id').execute()).map(
    ({ act }) => act,
  )

describe('requesting a link', () => {
  test("mails it to the account's address; it points to the configured address and contains nothing from the request", async () => {
    const { body } = await ask(` ${addressOf(owner).toUpperCase()} `, { 'x-forwarded-host': 'evil.example' })
    expect(body).toMatchObject({
      code: 'RESET_REQUEST_OK',
      message: 'If there is an account with this address, a link to set a new password has been sent.',
    })
    await app.jobsDone()
    const [mail, ...others] = server.mails
    expect(others).toEqual([])
    expect(mail?.recipients).toEqual([addressOf(owner)])
    expect(mail?.text).toMatch(/^https:\/\/keys\.example\.com\/reset-password#[\w-]{43}$/m)
    expect(mail?.raw).not.toContain('evil')
    expect(await auditOf(owner.id)).toContain('account.request-reset')
  })

  test('stores the token only as a hash (R-AUTH-10)', async () => {
    const token = await tokenFor(owner)
    for (const table of ['password_resets', 'jobs', 'audit'] as const)
      expect(JSON.stringify(await app.db.read.selectFrom(table).selectAll().execute())).not.toContain(token)
  })

  test('gives an unknown address the same answer after the same work, and mails nothing (R-AUTH-10)', async () => {
    const banned = await newOwner(app)
    await setAccountBanned(app, banned.id, true)
    const known = await ask(addressOf(owner))
    await app.jobsDone()
    server.mails.length = 0
    for (const email of ['nobody@example.com', addressOf(banned), 'ana@exämple.com']) {
      const answer = await ask(email)
      expect(seen(answer)).toBe(seen(known))
      await app.jobsDone()
    }
    expect(server.mails).toEqual([])
  })

  test('mails at most three links an hour, and answers the same after that', async () => {
    const answers = []
    for (let n = 0; n < 5; n++) {
      answers.push(seen(await ask(addressOf(owner))))
      await app.jobsDone()
    }
    expect(new Set(answers).size).toBe(1)
    expect(server.mails).toHaveLength(3)
    app.advance(3600)
    await tokenFor(owner)
    expect(server.mails).toHaveLength(4)
  })

  test('is limited by network, for any accounts', async () => {
    const strangers = Array.from({ length: 25 }, (_, n) => `stranger${n}@example.com`)
    const answers = []
    for (const email of strangers) answers.push((await ask(email)).status)
    expect(answers.filter((status) => status === 200)).toHaveLength(20)
    expect(answers.at(-1)).toBe(429)
    await app.jobsDone()
  })

  test('fails with MAIL_OFF while mail is off, for any address, and queues nothing', async () => {
    await turnMailOn(app, server, { enabled: false })
    for (const email of [addressOf(owner), 'nobody@example.com'])
      expect((await ask(email)).body).toMatchObject({ code: 'MAIL_OFF', message: 'This server does not send mail' })
    expect(await app.db.read.selectFrom('jobs').select('id').where('kind', '=', 'password-reset').execute()).toEqual([])
  })

  test('rejects an invalid address with the specified message', async () => {
    expect((await ask('')).body.message).toBe('Email is required')
    for (const email of ['nobody', 'a@b.c, d@e.f', 'a@b.c\r\nBcc: d@e.f', ...strangeTexts.slice(0, 5)])
      expect((await ask(email)).body.message).toBe('Please enter a valid email address')
    await expectAllRejected(
      app,
      app.visitor(),
      '/forgot-password',
      hostileBodies({ email: 'ana@example.com' }, { email: notTexts }),
    )
  })
})

describe('a link', () => {
  test('sets the password once, invalidates the old one, all sessions, and other links, and signs nobody in (R-AUTH-10)', async () => {
    const first = await tokenFor(owner)
    const token = await tokenFor(owner)
    const visitor = app.visitor()
    const { status, body } = await reset(token, newPassword, visitor)
    expect([status, body.message]).toEqual([200, 'Your new password is set. Please sign in.'])
    expect((await visitor.call('GET /check-auth')).status).toBe(401)
    expect((await owner.visitor.call('GET /check-auth')).status).toBe(401)
    expect((await signIn(owner.username, goodPassword)).status).toBe(403)
    expect((await signIn(owner.username, newPassword)).status).toBe(200)
    for (const used of [token, first]) expect((await reset(used, 'Another7Horse')).body.code).toBe('RESET_LINK_INVALID')
    expect(await auditOf(owner.id)).toContain('account.reset-password')
    await app.jobsDone()
    expect(server.mails.map(({ subject }) => subject)).toContain('Your password for Signet was changed')
  })

  test('works for one of two simultaneous uses', async () => {
    for (let n = 0; n < 3; n++) {
      const token = await tokenFor(owner)
      const passwords = Array.from({ length: 6 }, (_, each) => `Battery7Staple${n}${each}`)
      const answers = await Promise.all(passwords.map((password) => reset(token, password)))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403, 403, 403, 403, 403])
      const winner = passwords.filter((_, index) => answers[index]?.status === 200)
      const losers = passwords.filter((password) => !winner.includes(password))
      // Only five wrong guesses are verified, so the correct password is tried first.
      for (const [password, status] of [
        ...winner.map((each) => [each, 200] as const),
        ...losers.map((each) => [each, 403] as const),
      ]) {
        expect((await signIn(owner.username, password)).status).toBe(status)
      }
      app.advance(3600)
    }
  })

  test('of two links of an account used at once, one works', async () => {
    const tokens = [await tokenFor(owner), await tokenFor(owner)]
    const answers = await Promise.all(tokens.map((token) => reset(token)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403])
  })

  test('expires after half an hour', async () => {
    const token = await tokenFor(owner)
    app.advance(1800)
    expect((await reset(token)).body.code).toBe('RESET_LINK_INVALID')
    expect((await signIn(owner.username, goodPassword)).status).toBe(200)
  })

  test('sets only the password of its own account', async () => {
    const other = await newOwner(app)
    const token = await tokenFor(owner)
    expect((await reset(token)).status).toBe(200)
    expect((await signIn(other.username, newPassword)).status).toBe(403)
    expect((await signIn(other.username, goodPassword)).status).toBe(200)
  })

  test.each(['x', 'x'.repeat(43), 'A'.repeat(100), '../', "' or 1=1 --"])(
    'that was never sent, %j, is rejected',
    async (token) => {
      expect((await reset(token)).body).toMatchObject({
        code: 'RESET_LINK_INVALID',
        message: 'This link is no longer valid. Please request a new one.',
      })
    },
  )

  test("doesn't work for an account banned in the meantime (R-AUTH-14)", async () => {
    const token = await tokenFor(owner)
    await setAccountBanned(app, owner.id, true)
    expect((await reset(token)).body.code).toBe('RESET_LINK_INVALID')
    await setAccountBanned(app, owner.id, false)
    expect((await signIn(owner.username, goodPassword)).status).toBe(200)
  })

  test('expires when the email address or the password changes', async () => {
    const before = await tokenFor(owner)
    const email = `${owner.username}@example.org`
    await owner.visitor.call('POST /profile/reauthenticate', { body: { password: goodPassword } })
    expect((await owner.visitor.call('POST /profile/update', { body: { email } })).status).toBe(200)
    expect((await reset(before)).body.code).toBe('RESET_LINK_INVALID')
    await ask(email)
    await app.jobsDone()
    const token = lastToken(email) ?? ''
    const change = { currentPassword: goodPassword, newPassword: 'Another7Horse' }
    expect((await owner.visitor.call('POST /profile/change-password', { body: change })).status).toBe(200)
    expect((await reset(token)).body.code).toBe('RESET_LINK_INVALID')
  })

  test("doesn't bypass the second factor (R-AUTH-10)", async () => {
    const careful = await newOwnerWithTwoFactor(app)
    expect((await reset(await tokenFor(careful))).status).toBe(200)
    const { body } = await signIn(careful.username, newPassword)
    expect(body).toMatchObject({ twoFactorRequired: true })
    expect(body.user).toBeUndefined()
  })

  test('works during maintenance, but signs no owner in', async () => {
    await setPlatform(app, 'platform', { maintenanceMode: true, maintenanceMessage: 'Back soon' })
    await app.services.settings.current()
    expect((await reset(await tokenFor(owner))).status).toBe(200)
    expect((await signIn(owner.username, newPassword)).status).toBe(503)
    await setPlatform(app, 'platform', {})
    await app.services.settings.current()
  })

  test.each([
    ['', 'PASSWORD_REQUIRED'],
    ['Short7x', 'NEW_PASSWORD_TOO_SHORT'],
    ['nocapitals7', 'PASSWORD_TOO_SIMPLE'],
    ['Password123', 'PASSWORD_TOO_COMMON'],
  ])('enforces the password rules: %j is rejected, and the link stays valid', async (password, code) => {
    const token = await tokenFor(owner)
    const { status, body } = await reset(token, password)
    expect(status).toBe(400)
    expect(body.code === code || (password === '' && body.code === 'NEW_PASSWORD_TOO_SHORT')).toBe(true)
    expect((await reset(token)).status).toBe(200)
  })

  test('rejects malformed bodies', async () => {
    await expectAllRejected(
      app,
      app.visitor(),
      '/reset-password',
      hostileBodies({ token: 'x', newPassword }, { token: [...notTexts, ''], newPassword: notTexts }),
    )
  })

  test("works for an administrator's account too", async () => {
    const admin = await newAdmin(app)
    expect((await reset(await tokenFor(admin))).status).toBe(200)
    expect((await signIn(admin.username, newPassword)).body.user).toMatchObject({ role: 'admin' })
  })
})

describe('of a reseller', () => {
  test('a link sets the password once, ends the session, and signs nobody in', async () => {
    const reseller = await newSellingReseller(app)
    const token = await tokenFor(reseller)
    const visitor = app.visitor()
    expect((await reset(token, newPassword, visitor)).status).toBe(200)
    expect((await reset(token)).body.code).toBe('RESET_LINK_INVALID')
    expect((await reseller.sell()).status).toBe(401)
    expect((await signIn(reseller.username, newPassword)).body).toMatchObject({ userType: 'reseller' })
    expect(await auditOf(reseller.owner.id)).toEqual(
      expect.arrayContaining(['reseller.request-reset', 'reseller.reset-password']),
    )
  })

  test("a banned reseller and a reseller of a banned owner can't get or use a link (R-AUTH-14)", async () => {
    const reseller = await newSellingReseller(app)
    const token = await tokenFor(reseller)
    await setAccountBanned(app, reseller.owner.id, true)
    expect((await reset(token)).body.code).toBe('RESET_LINK_INVALID')
    server.mails.length = 0
    await ask(addressOf(reseller))
    await app.jobsDone()
    expect(server.mails).toEqual([])
  })
})

test('deletes old links', async () => {
  await tokenFor(owner)
  app.advance(3601)
  await forgetOldResets(app.db, app.now())
  expect(await app.db.read.selectFrom('password_resets').select('subject').execute()).toEqual([])
})
