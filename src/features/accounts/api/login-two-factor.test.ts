import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectAllRejected, expectRejected, hostileBodies, notTexts } from '#testing/faults/hostile-input.ts'
import { newOwner, type Owner } from '#testing/people/people.ts'
import { setPlatform } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { Authenticator, type SecondFactor, turnOnTwoFactor } from '#testing/people/two-factor.ts'
import type { Visitor } from '#testing/people/visitor.ts'
import { accountKind } from '../account-kind.ts'
import { startPendingSignIn } from '../two-factor.actions.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
  await setPlatform(app, 'security', { enable2FA: true })
})
afterAll(() => app.close())
// Resets the rate limits per address.
beforeEach(() => app.advance(61))

async function ownerWithSecondFactor(): Promise<Owner & SecondFactor> {
  const owner = await newOwner(app)
  return { ...owner, ...(await turnOnTwoFactor(app, owner)) }
}

async function startSignIn({ username, password }: Owner, visitor: Visitor = app.visitor(), rememberMe = false) {
  const { body } = await visitor.call('POST /login', { body: { username, password, rememberMe } })
  return { visitor, body, pendingToken: body.pendingToken ?? '' }
}

const finish = (visitor: Visitor, body: { pendingToken: string; code?: string; recoveryCode?: string }) =>
  visitor.call('POST /login/two-factor', { body })
const isSignedIn = async (visitor: Visitor) => (await visitor.call('GET /check-auth')).status === 200

describe('signing in with a second factor', () => {
  test('the right password alone starts no session and reveals nothing about the account (R-2FA-06)', async () => {
    const owner = await ownerWithSecondFactor()
    const { visitor, body } = await startSignIn(owner)
    expect(body).toMatchObject({
      success: true,
      code: 'LOGIN_PASSWORD_OK',
      message: 'Enter the code of your authenticator app',
      twoFactorRequired: true,
      pendingToken: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(body).not.toHaveProperty('user')
    expect(await isSignedIn(visitor)).toBe(false)
  })

  test('the code completes the sign-in, with the chosen lifetime', async () => {
    const owner = await ownerWithSecondFactor()
    const { visitor, pendingToken } = await startSignIn(owner, app.visitor(), true)
    const { body } = await finish(visitor, { pendingToken, code: owner.authenticator.code() })
    expect(body).toMatchObject({ success: true, user: { username: owner.username }, userType: 'owner' })
    expect([body.code, body.message]).toEqual(['LOGIN_OK', 'Login successful! Welcome back.'])
    const { body: mine } = await visitor.call('GET /profile/sessions')
    expect(mine.sessions.find(({ is_current }) => is_current)).toMatchObject({ remember_me: true })
  })

  test('an account without a second factor signs in as before', async () => {
    const owner = await newOwner(app)
    const { visitor, body } = await startSignIn(owner)
    expect(body).toMatchObject({ user: { username: owner.username } })
    expect(body).not.toHaveProperty('twoFactorRequired')
    expect(await isSignedIn(visitor)).toBe(true)
  })

  test('the code is still required when the platform no longer offers two-factor authentication', async () => {
    const owner = await ownerWithSecondFactor()
    await setPlatform(app, 'security', { enable2FA: false })
    const { body } = await startSignIn(owner)
    await setPlatform(app, 'security', { enable2FA: true })
    expect(body.twoFactorRequired).toBe(true)
  })

  test('accepts a clock that is 30 seconds off, and rejects one that is 60 seconds off', async () => {
    const owner = await ownerWithSecondFactor()
    const { visitor, pendingToken } = await startSignIn(owner)
    expect((await finish(visitor, { pendingToken, code: owner.authenticator.code(2) })).body.code).toBe(
      'TWO_FACTOR_CODE_WRONG',
    )
    expect((await finish(visitor, { pendingToken, code: owner.authenticator.code(1) })).status).toBe(200)
  })
})

describe('a code works once (R-2FA-02)', () => {
  test("the code that turned it on doesn't sign in", async () => {
    const owner = await newOwner(app)
    const { body } = await owner.visitor.call('POST /profile/two-factor/start')
    const code = new Authenticator(app, body.secret).code()
    await owner.visitor.call('POST /profile/two-factor/confirm', { body: { code } })
    const { visitor, pendingToken } = await startSignIn(owner)
    expect((await finish(visitor, { pendingToken, code })).body.code).toBe('TWO_FACTOR_CODE_WRONG')
  })

  test("a code of an earlier step doesn't work after a later one was accepted", async () => {
    const owner = await ownerWithSecondFactor()
    const first = await startSignIn(owner)
    await finish(first.visitor, { pendingToken: first.pendingToken, code: owner.authenticator.code(1) })
    const second = await startSignIn(owner)
    const { body } = await finish(second.visitor, {
      pendingToken: second.pendingToken,
      code: owner.authenticator.code(),
    })
    expect(body.code).toBe('TWO_FACTOR_CODE_WRONG')
  })

  test('exactly one of 50 parallel sign-ins with the same code succeeds', async () => {
    const owner = await ownerWithSecondFactor()
    const started = []
    for (let n = 0; n < 50; n++) started.push(await pendingByDatabase(owner))
    const code = owner.authenticator.code()
    const answers = await Promise.all(started.map((pendingToken) => finish(app.visitor(), { pendingToken, code })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { body } of answers.filter(({ status }) => status !== 200)) {
      expect(['TWO_FACTOR_CODE_WRONG', 'LOGIN_COOLDOWN']).toContain(body.code)
    }
  })

  test('exactly one of 5 parallel calls that complete one sign-in succeeds', async () => {
    const owner = await ownerWithSecondFactor()
    const { pendingToken } = await startSignIn(owner)
    const [a, b, c] = owner.recoveryCodes as [string, string, string]
    const code = owner.authenticator.code()
    const secondFactors = [{ code }, { recoveryCode: a }, { recoveryCode: b }, { recoveryCode: c }, { code }]
    const answers = await Promise.all(
      secondFactors.map((secondFactor) => finish(app.visitor(), { pendingToken, ...secondFactor })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

/** A sign-in waiting for its code, without the cost and the rate limit of the password call. */
async function pendingByDatabase({ id }: Owner): Promise<string> {
  return app.db.write((tx) => startPendingSignIn(tx, accountKind, { personId: id, rememberMe: false, now: app.now() }))
}

describe('recovery codes (R-2FA-04)', () => {
  test('there are ten of 80 bits, stored only as hashes', async () => {
    const { recoveryCodes, id } = await ownerWithSecondFactor()
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const code of recoveryCodes) expect(code).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/)
    const rows = await app.db.read.selectFrom('recovery_codes').selectAll().where('account_id', '=', id).execute()
    for (const code of recoveryCodes) expect(JSON.stringify(rows)).not.toContain(code)
  })

  test('each works once, in any case and with or without hyphens', async () => {
    const owner = await ownerWithSecondFactor()
    const [first = '', second = ''] = owner.recoveryCodes
    for (const [recoveryCode, status] of [
      [first, 200],
      [first, 403],
      [second.toLowerCase().replaceAll('-', ''), 200],
    ] as const) {
      const { visitor, pendingToken } = await startSignIn(owner)
      expect((await finish(visitor, { pendingToken, recoveryCode })).status).toBe(status)
    }
    const { body } = await owner.visitor.call('GET /profile/two-factor')
    expect(body.recoveryCodesLeft).toBe(8)
  })

  test('exactly one of 5 parallel sign-ins with one recovery code succeeds', async () => {
    const owner = await ownerWithSecondFactor()
    const recoveryCode = owner.recoveryCodes[0] as string
    const pending = await Promise.all(Array.from({ length: 5 }, () => pendingByDatabase(owner)))
    const answers = await Promise.all(
      pending.map((pendingToken) => finish(app.visitor(), { pendingToken, recoveryCode })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test("another account's recovery code doesn't work", async () => {
    const owner = await ownerWithSecondFactor()
    const other = await ownerWithSecondFactor()
    const { visitor, pendingToken } = await startSignIn(owner)
    const { body } = await finish(visitor, { pendingToken, recoveryCode: other.recoveryCodes[0] as string })
    expect(body.code).toBe('TWO_FACTOR_CODE_WRONG')
  })
})

describe('guessing (R-2FA-03)', () => {
  test('after five wrong codes even the right one waits 15 minutes, however often the sign-in starts over', async () => {
    const owner = await ownerWithSecondFactor()
    for (let n = 0; n < 5; n++) {
      const { visitor, pendingToken } = await startSignIn(owner)
      const { body } = await finish(visitor, { pendingToken, code: owner.authenticator.wrongCode() })
      expect(body.code).toBe('TWO_FACTOR_CODE_WRONG')
    }
    const blocked = await startSignIn(owner)
    const { status, body, headers } = await finish(blocked.visitor, {
      pendingToken: blocked.pendingToken,
      code: owner.authenticator.code(),
    })
    expect([status, body.code]).toEqual([429, 'LOGIN_COOLDOWN'])
    expect(Number(headers.get('retry-after'))).toBe(900)
    expect(
      (
        await finish(blocked.visitor, {
          pendingToken: blocked.pendingToken,
          recoveryCode: owner.recoveryCodes[0] as string,
        })
      ).status,
    ).toBe(429)

    app.advance(901)
    const later = await startSignIn(owner)
    expect(
      (await finish(later.visitor, { pendingToken: later.pendingToken, code: owner.authenticator.code() })).status,
    ).toBe(200)
  })

  test('of 50 wrong codes sent together, only five are evaluated', async () => {
    const owner = await ownerWithSecondFactor()
    const pendingToken = await pendingByDatabase(owner)
    const code = owner.authenticator.wrongCode()
    const answers = await Promise.all(Array.from({ length: 50 }, () => finish(app.visitor(), { pendingToken, code })))
    expect(answers.filter(({ body }) => body.code === 'TWO_FACTOR_CODE_WRONG')).toHaveLength(5)
  })
})

describe('what ends a sign-in', () => {
  const ended = async (owner: Owner & SecondFactor, pendingToken: string) => {
    app.advance(30)
    const { status, body } = await finish(app.visitor(), { pendingToken, code: owner.authenticator.code() })
    return [status, body.code]
  }

  test('a sign-in waits five minutes for its code', async () => {
    const owner = await ownerWithSecondFactor()
    const { pendingToken } = await startSignIn(owner)
    app.advance(300)
    expect(await ended(owner, pendingToken)).toEqual([403, 'SIGN_IN_ENDED'])
  })

  test('a new password ends it', async () => {
    const owner = await ownerWithSecondFactor()
    const { pendingToken } = await startSignIn(owner)
    const code = owner.authenticator.code()
    const body = { currentPassword: owner.password, newPassword: 'Another9Horse', code }
    expect((await owner.visitor.call('POST /profile/change-password', { body })).status).toBe(200)
    expect(await ended(owner, pendingToken)).toEqual([403, 'SIGN_IN_ENDED'])
  })

  test('a ban ends it', async () => {
    const owner = await ownerWithSecondFactor()
    const { pendingToken } = await startSignIn(owner)
    await app.db.write((tx) => tx.db.updateTable('accounts').set({ banned: 1 }).where('id', '=', owner.id).execute())
    expect(await ended(owner, pendingToken)).toEqual([403, 'ACCOUNT_BANNED'])
  })
})

test('the token of a waiting sign-in opens no other call (R-2FA-06)', async () => {
  const owner = await ownerWithSecondFactor()
  const { pendingToken } = await startSignIn(owner)
  const { status } = await app
    .visitor()
    .send('GET', '/api/1.0/website/check-auth', { headers: { cookie: `sid=${pendingToken}` } })
  expect(status).toBe(401)
})

test('rejects hostile input and changes nothing', async () => {
  const valid = { pendingToken: 'x'.repeat(43), code: '123456' }
  const bodies = hostileBodies(valid, { pendingToken: [...notTexts, ''], code: [...notTexts, '', '1'.repeat(65)] })
  await expectAllRejected(app, app.visitor(), '/login/two-factor', bodies)
  app.advance(61)
  expectRejected(await finish(app.visitor(), { pendingToken: 'x' }), 'no code', 403)
  expectRejected(await finish(app.visitor(), valid), 'unknown token', 403)
})
