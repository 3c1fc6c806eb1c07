import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { needsRecentVerification } from '#contract/define-call.ts'
import { databaseDigest } from '#testing/database-digest.ts'
import { expectAllRejected, hostileBodies, notTexts } from '#testing/faults/hostile-input.ts'
import { newOwner, type OwnedApp } from '#testing/people/people.ts'
import { setPlatform } from '#testing/platform.ts'
import { newSellingReseller, resellerPassword, type SellingReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import {
  Authenticator,
  hostileCredentials,
  type SecondFactor,
  turnOnResellerTwoFactor,
} from '#testing/people/two-factor.ts'
import type { Visitor } from '#testing/people/visitor.ts'
import { resellerSecurityContract } from '../reseller-api.contract.ts'

/** Account security of resellers: the same rules as for owners, with separate tables and sessions. */

let app: TestApp

beforeAll(async () => void (app = await startTestApp()))
afterAll(() => app.close())
beforeEach(() => app.advance(3600))

const newPassword = 'Battery7Staple'

const login = ({ username }: SellingReseller, visitor = app.visitor(), password = resellerPassword) =>
  visitor.call('POST /login', { body: { username, password } })
const isSignedIn = async (visitor: Visitor) => (await visitor.call('GET /reseller/check-auth')).status === 200
const sessionsOf = async (visitor: Visitor) => (await visitor.call('GET /reseller/profile/sessions')).body.sessions
const eventsOf = async ({ visitor }: OwnedApp) =>
  (await visitor.call('GET /audit')).body.entries.map(({ act, actor, target }) => ({ act, actor: actor.type, target }))

/** A reseller with a recent sign-in and a second factor. */
async function withTwoFactor(): Promise<SellingReseller & SecondFactor> {
  const reseller = await newSellingReseller(app)
  return { ...reseller, ...(await turnOnResellerTwoFactor(app, reseller)) }
}

describe('POST /reseller/profile/change-password', () => {
  const change = (visitor: Visitor, body: object = {}) =>
    visitor.call('POST /reseller/profile/change-password', {
      body: { currentPassword: resellerPassword, newPassword, ...body },
    })

  test('changes the password with the current one, and ends every other session (R-SES-05)', async () => {
    const reseller = await newSellingReseller(app)
    const elsewhere = app.visitor()
    await login(reseller, elsewhere)
    expect((await change(reseller.visitor)).body.code).toBe('PASSWORD_CHANGE_OK')
    expect([await isSignedIn(reseller.visitor), await isSignedIn(elsewhere)]).toEqual([true, false])
    expect((await login(reseller)).body.code).toBe('LOGIN_FAILED')
    expect((await login(reseller, app.visitor(), newPassword)).status).toBe(200)
    const { username: target } = reseller
    expect(await eventsOf(reseller.owner)).toContainEqual({
      act: 'reseller.change-password',
      actor: 'reseller',
      target,
    })
  })

  test.each([
    ['PASSWORD_WRONG', { currentPassword: 'Wrong7Horse' }],
    ['NEW_PASSWORD_TOO_SHORT', { newPassword: 'Sh0rt' }],
    ['PASSWORD_TOO_COMMON', { newPassword: 'Password1' }],
  ])('rejects wrong input and changes nothing: %s', async (code, body) => {
    const reseller = await newSellingReseller(app)
    const before = await databaseDigest(app.db)
    expect((await change(reseller.visitor, body)).body.code).toBe(code)
    expect(await databaseDigest(app.db)).toBe(before)
    expect((await login(reseller)).status).toBe(200)
  })

  test('rejects bodies without valid passwords', async () => {
    const { visitor } = await newSellingReseller(app)
    const body = { currentPassword: resellerPassword, newPassword }
    const values = { currentPassword: [...notTexts, ''], newPassword: notTexts, code: hostileCredentials.code }
    await expectAllRejected(app, visitor, '/reseller/profile/change-password', hostileBodies(body, values))
  })

  test('requires a code with two-factor authentication', async () => {
    const { visitor, authenticator } = await withTwoFactor()
    expect((await change(visitor)).body.code).toBe('TWO_FACTOR_CODE_REQUIRED')
    expect((await change(visitor, { code: authenticator.wrongCode() })).body.code).toBe('TWO_FACTOR_CODE_WRONG')
    expect((await change(visitor, { code: authenticator.code() })).body.code).toBe('PASSWORD_CHANGE_OK')
  })
})

describe('the sessions of a reseller', () => {
  test('are listed with their address; one can be ended, and all others (R-SES-06)', async () => {
    const reseller = await newSellingReseller(app)
    const [one, two] = [app.visitor(), app.visitor()]
    for (const visitor of [one, two]) await login(reseller, visitor)
    const listed = await sessionsOf(reseller.visitor)
    expect(listed.map(({ is_current }) => is_current).toSorted()).toEqual([false, false, true])
    expect(listed[0]).toMatchObject({ ip: '127.0.0.1', remember_me: false })
    const [{ session_id: id = '' } = {}] = (await sessionsOf(one)).filter(({ is_current }) => is_current)
    const ended = await reseller.visitor.call('DELETE /reseller/profile/sessions/{id}', { params: { id } })
    expect(ended.body.code).toBe('SESSION_DELETE_OK')
    expect([await isSignedIn(one), await isSignedIn(two)]).toEqual([false, true])
    const others = await reseller.visitor.call('POST /reseller/profile/sessions/end-others')
    expect(others.body).toMatchObject({ code: 'OTHER_SESSIONS_OK', ended: 1 })
    expect([await isSignedIn(two), await isSignedIn(reseller.visitor)]).toEqual([false, true])
    const acts = (await eventsOf(reseller.owner)).map(({ act }) => act)
    expect(acts).toEqual(expect.arrayContaining(['reseller.end-session', 'reseller.end-other-sessions']))
  })

  test('of another reseller look like missing ones', async () => {
    const [own, foreign] = [await newSellingReseller(app), await newSellingReseller(app)]
    const [{ session_id: id = '' } = {}] = await sessionsOf(foreign.visitor)
    const answer = await own.visitor.call('DELETE /reseller/profile/sessions/{id}', { params: { id } })
    expect([answer.status, answer.body.code]).toEqual([404, 'SESSION_NOT_FOUND'])
    expect(await isSignedIn(foreign.visitor)).toBe(true)
  })

  test('end with a shorter time-out, and the oldest of more than 50 ends (R-SES-04, R-SES-07)', async () => {
    const reseller = await newSellingReseller(app)
    const visitors = Array.from({ length: 50 }, () => app.visitor())
    for (const visitor of visitors) {
      app.advance(1)
      await login(reseller, visitor)
    }
    expect(await isSignedIn(reseller.visitor)).toBe(false)
    expect(await sessionsOf(visitors[0] as Visitor)).toHaveLength(50)
    const last = visitors.at(-1) as Visitor
    for (let n = 0; n < 3; n++) {
      app.advance(1800)
      expect(await isSignedIn(last)).toBe(true)
    }
    await setPlatform(app, 'security', { sessionTimeout: 1 })
    expect(await isSignedIn(last)).toBe(false)
    await setPlatform(app, 'security', { sessionTimeout: 24 })
  })

  test('of an earlier version, without a handle, can be listed and ended', async () => {
    const reseller = await newSellingReseller(app)
    const { visitor, id } = reseller
    const old = { ip: '', user_agent: 'old', remember_me: 0, created_at: app.now(), last_used_at: app.now() }
    const row = { ...old, id_hash: `old ${id}`, reseller_id: id, expires_at: app.now() + 60 }
    await app.db.write((tx) => tx.db.insertInto('reseller_sessions').values(row).execute())
    const [found] = (await sessionsOf(visitor)).filter(({ user_agent }) => user_agent === 'old')
    expect(found?.session_id).toMatch(/^[\w-]{32,36}$/)
    const params = { id: found?.session_id ?? '' }
    expect((await visitor.call('DELETE /reseller/profile/sessions/{id}', { params })).status).toBe(200)
  })
})

describe('two-factor authentication of a reseller', () => {
  const disable = (visitor: Visitor, body: { password: string; code: string }) =>
    visitor.call('POST /reseller/profile/two-factor/disable', { body })

  test("isn't available while an administrator doesn't allow it", async () => {
    await setPlatform(app, 'security', { enable2FA: false })
    const { visitor } = await newSellingReseller(app)
    expect((await visitor.call('GET /reseller/profile/two-factor')).body).toMatchObject({ available: false })
    const start = await visitor.call('POST /reseller/profile/two-factor/start')
    expect([start.status, start.body.code]).toEqual([403, 'TWO_FACTOR_UNAVAILABLE'])
  })

  test('a correct code turns it on and returns ten recovery codes; the secret and the codes are stored unreadable', async () => {
    await setPlatform(app, 'security', { enable2FA: true })
    const { visitor, id, owner } = await newSellingReseller(app)
    const { secret } = (await visitor.call('POST /reseller/profile/two-factor/start')).body
    const authenticator = new Authenticator(app, secret)
    const confirm = (code: string) => visitor.call('POST /reseller/profile/two-factor/confirm', { body: { code } })
    expect((await confirm(authenticator.wrongCode())).body.code).toBe('TWO_FACTOR_CODE_WRONG')
    const { recoveryCodes } = (await confirm(authenticator.code())).body
    expect(new Set(recoveryCodes).size).toBe(10)
    const state = { available: true, enabled: true, recoveryCodesLeft: 10 }
    expect((await visitor.call('GET /reseller/profile/two-factor')).body).toMatchObject(state)
    const row = await app.db.read.selectFrom('resellers').selectAll().where('id', '=', id).executeTakeFirst()
    const codes = await app.db.read.selectFrom('reseller_recovery_codes').selectAll().execute()
    for (const text of [secret, ...recoveryCodes]) expect(JSON.stringify([row, codes])).not.toContain(text)
    const acts = (await eventsOf(owner)).map(({ act }) => act)
    expect(acts).toEqual(expect.arrayContaining(['reseller.two-factor-start', 'reseller.two-factor-on']))
  })

  test('a call that needs verification is rejected without it, and works for five minutes with password and code (R-SES-08)', async () => {
    const needing = Object.values(resellerSecurityContract).filter(needsRecentVerification)
    expect(needing.map(({ path }) => path)).toEqual(['/reseller/profile/two-factor/start'])
    const { visitor, authenticator } = await withTwoFactor()
    app.advance(301)
    const start = async () => (await visitor.call('POST /reseller/profile/two-factor/start')).body.code
    const prove = async (body: { password: string; code?: string }) =>
      (await visitor.call('POST /reseller/profile/reauthenticate', { body })).body.code
    expect(await start()).toBe('REAUTH_REQUIRED')
    expect(await prove({ password: resellerPassword })).toBe('TWO_FACTOR_CODE_REQUIRED')
    expect(await prove({ password: 'Wrong7Horse', code: authenticator.code() })).toBe('PASSWORD_WRONG')
    expect(await start()).toBe('REAUTH_REQUIRED')
    expect(await prove({ password: resellerPassword, code: authenticator.code() })).toBe('REAUTHENTICATE_OK')
    expect(await start()).toBe('TWO_FACTOR_ON_ALREADY')
    app.advance(301)
    expect(await start()).toBe('REAUTH_REQUIRED')
  })

  test.each(['POST /login', 'POST /reseller/login'] as const)(
    'is required by %s: the right password alone starts no session (R-2FA-06)',
    async (path) => {
      const { username, authenticator, recoveryCodes } = await withTwoFactor()
      const visitor = app.visitor()
      const start = async () =>
        (await visitor.call(path, { body: { username, password: resellerPassword, rememberMe: true } })).body
      const started = await start()
      expect(started).toMatchObject({ code: 'LOGIN_PASSWORD_OK', twoFactorRequired: true })
      expect(started.user).toBeUndefined()
      expect(await isSignedIn(visitor)).toBe(false)
      const finish = (secondFactor: object, pendingToken = started.pendingToken ?? '') =>
        visitor.call('POST /login/two-factor', { body: { pendingToken, ...secondFactor } })
      expect((await finish({ code: authenticator.wrongCode() })).body.code).toBe('TWO_FACTOR_CODE_WRONG')
      const code = authenticator.code()
      const { body } = await finish({ code })
      expect(body).toMatchObject({ code: 'LOGIN_OK', userType: 'reseller', user: { username, role: 'reseller' } })
      expect((await sessionsOf(visitor)).find(({ is_current }) => is_current)).toMatchObject({ remember_me: true })
      expect((await finish({ code })).body.code).toBe('SIGN_IN_ENDED')
      // Codes and recovery codes work only once (R-2FA-02, R-2FA-04).
      const [recoveryCode = ''] = recoveryCodes
      expect((await finish({ code }, (await start()).pendingToken)).body.code).toBe('TWO_FACTOR_CODE_WRONG')
      expect((await finish({ recoveryCode }, (await start()).pendingToken)).status).toBe(200)
      expect((await finish({ recoveryCode }, (await start()).pendingToken)).body.code).toBe('TWO_FACTOR_CODE_WRONG')
    },
  )

  test("five wrong codes from unknown devices lock them out; the reseller's own device still signs in (R-2FA-03, R-AUTH-03)", async () => {
    const reseller = await withTwoFactor()
    const { visitor, authenticator } = reseller
    const attempt = async (who: Visitor, code: string) => {
      const { pendingToken = '' } = (await login(reseller, who)).body
      return (await who.call('POST /login/two-factor', { body: { pendingToken, code } })).body.code
    }
    const stranger = app.visitor()
    for (let n = 0; n < 5; n++) expect(await attempt(stranger, authenticator.wrongCode())).toBe('TWO_FACTOR_CODE_WRONG')
    expect(await attempt(stranger, authenticator.code())).toBe('LOGIN_COOLDOWN')
    expect(await attempt(visitor, authenticator.code())).toBe('LOGIN_OK')
  })

  test('a ban, or a new password, ends a sign-in that waits for its code', async () => {
    const reseller = await withTwoFactor()
    const { id, owner, visitor, authenticator } = reseller
    const finish = async (pendingToken: string | undefined = '') =>
      (await app.visitor().call('POST /login/two-factor', { body: { pendingToken, code: authenticator.code() } })).body
        .code
    const banned = (await login(reseller)).body.pendingToken
    for (let n = 0; n < 2; n++) await owner.visitor.call('POST /resellers/{id}/ban', { params: { id } })
    expect(await finish(banned)).toBe('SIGN_IN_ENDED')
    await login(reseller, visitor)
    const { pendingToken = '' } = (await login(reseller, visitor)).body
    await visitor.call('POST /login/two-factor', { body: { pendingToken, code: authenticator.code() } })
    const waiting = (await login(reseller)).body.pendingToken
    app.advance(30)
    const change = { currentPassword: resellerPassword, newPassword, code: authenticator.code() }
    expect((await visitor.call('POST /reseller/profile/change-password', { body: change })).status).toBe(200)
    expect(await finish(waiting)).toBe('SIGN_IN_ENDED')
  })

  test('new recovery codes need the password and a code, and replace the old ones (R-2FA-04)', async () => {
    const reseller = await withTwoFactor()
    const renew = (body: { password: string; code: string }) =>
      reseller.visitor.call('POST /reseller/profile/two-factor/recovery-codes', { body })
    const [old = ''] = reseller.recoveryCodes
    const code = reseller.authenticator.code()
    expect((await renew({ password: 'Wrong7Horse', code })).body.code).toBe('PASSWORD_WRONG')
    const { recoveryCodes } = (await renew({ password: resellerPassword, code })).body
    expect(recoveryCodes).toHaveLength(10)
    const finish = async (recoveryCode: string) => {
      const { pendingToken = '' } = (await login(reseller)).body
      return (await app.visitor().call('POST /login/two-factor', { body: { pendingToken, recoveryCode } })).body.code
    }
    expect(await finish(old)).toBe('TWO_FACTOR_CODE_WRONG')
    expect(await finish(recoveryCodes[0] ?? '')).toBe('LOGIN_OK')
  })

  test('the password and a code turn it off: sign-in needs no code, and nothing of it is left', async () => {
    const reseller = await withTwoFactor()
    const { visitor, id, authenticator } = reseller
    const code = authenticator.code()
    expect((await disable(visitor, { password: 'Wrong7Horse', code })).body.code).toBe('PASSWORD_WRONG')
    await expectAllRejected(
      app,
      visitor,
      '/reseller/profile/two-factor/disable',
      hostileBodies({ password: resellerPassword, code }, hostileCredentials),
    )
    expect((await disable(visitor, { password: resellerPassword, code })).body.code).toBe('TWO_FACTOR_OFF_OK')
    expect((await disable(visitor, { password: resellerPassword, code })).body.code).toBe('TWO_FACTOR_OFF')
    expect((await login(reseller)).body.code).toBe('LOGIN_OK')
    const codes = app.db.read.selectFrom('reseller_recovery_codes').selectAll().where('reseller_id', '=', id)
    expect(await codes.execute()).toEqual([])
  })

  test("a password reset by link doesn't skip it (R-AUTH-10)", async () => {
    const { id, owner, username } = await withTwoFactor()
    const { body } = await owner.visitor.call('POST /resellers/{id}/password-reset', { params: { id } })
    const token = /#(\S+)/.exec(body.resetLink ?? '')?.[1] ?? ''
    expect((await app.visitor().call('POST /reset-password', { body: { token, newPassword } })).status).toBe(200)
    const again = await app.visitor().call('POST /login', { body: { username, password: newPassword } })
    expect(again.body).toMatchObject({ code: 'LOGIN_PASSWORD_OK', twoFactorRequired: true })
  })
})

test("only resellers can make these calls, and a reseller can't make an owner's", async () => {
  const owner = await newOwner(app)
  const reseller = await newSellingReseller(app)
  expect((await owner.visitor.call('GET /reseller/profile/sessions')).status).toBe(403)
  expect((await app.visitor().call('POST /reseller/profile/sessions/end-others')).status).toBe(401)
  expect((await reseller.visitor.call('GET /profile/two-factor')).status).toBe(403)
})

test("guesses from elsewhere don't lock a reseller out on a known device, which has five attempts of its own (R-AUTH-03)", async () => {
  const reseller = await newSellingReseller(app)
  const stranger = app.visitor()
  for (let n = 0; n < 5; n++) expect((await login(reseller, stranger, 'Wrong7Horse')).body.code).toBe('LOGIN_FAILED')
  expect((await login(reseller, stranger)).body.code).toBe('LOGIN_COOLDOWN')
  await reseller.visitor.call('POST /reseller/logout')
  expect((await login(reseller, reseller.visitor)).status).toBe(200)
})
