import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { answerWithAct } from '#testing/faults/before-write.ts'
import { goodPassword, newOwner, type Owner } from '#testing/people/people.ts'
import { setPlatform } from '#testing/platform.ts'
import { hasTwoProcesses, startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { turnOnTwoFactor } from '#testing/people/two-factor.ts'
import type { Answer, Visitor } from '#testing/people/visitor.ts'

/** Nobody can lock out an owner, however many addresses the guesses come from. */

let app: TestApp
let attacker: Visitor

beforeAll(async () => {
  app = await startTestApp({ config: { trustedProxies: ['127.0.0.1'] } })
  await setPlatform(app, 'security', { enable2FA: true })
  attacker = app.visitor()
})
beforeEach(() => app.advance(1800))
afterAll(() => app.close())

const login = (visitor: Visitor, username: string, password: string, ip: string): Promise<Answer> =>
  visitor.send('POST', '/api/1.0/website/login', { body: { username, password }, headers: { 'x-forwarded-for': ip } })
const address = (n: number) => `203.0.${113 + Math.floor(n / 250)}.${(n % 250) + 1}`
const home = '198.51.100.7'
const evaluated = (answers: Answer[]) => answers.filter(({ body }) => body.code === 'LOGIN_FAILED').length

/** Sends wrong passwords from many networks concurrently, as an attacker could. */
async function attack(username: string, networks: number, each: number): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let round = 0; round < each; round++) {
    const wrong = `Wrong${round}Guess`
    answers.push(
      ...(await Promise.all(
        Array.from({ length: networks }, (_, n) => login(attacker, username, `${wrong}${n}`, address(n))),
      )),
    )
  }
  return answers
}

describe('passwords (R-AUTH-03)', () => {
  test('after 480 guesses from 80 networks, the owner signs in at once on a known computer and on a new one elsewhere', async () => {
    const owner = await newOwner(app)
    const answers = await attack(owner.username, 80, 6)
    expect(answers).toHaveLength(480)
    expect((await login(owner.visitor, owner.username, goodPassword, home)).status).toBe(200)
    // The known device can sign in even from a network with failed attempts.
    expect((await login(owner.visitor, owner.username, goodPassword, address(3))).status).toBe(200)
    expect((await login(app.visitor(), owner.username, goodPassword, '192.0.2.200')).status).toBe(200)
    // An unknown device in a network with failed attempts must wait, even with the correct password.
    const stranger = await login(app.visitor(), owner.username, goodPassword, address(3))
    expect(stranger.body.code).toBe('LOGIN_COOLDOWN')
  })

  test('after 100 failed guesses at one account, each further network has one attempt instead of five (R-AUTH-01)', async () => {
    const { username } = await newOwner(app)
    expect(evaluated(await attack(username, 20, 5))).toBe(100)
    for (let n = 20; n < 40; n++) {
      expect((await login(attacker, username, 'Wrong7Guess', address(n))).body.code).toBe('LOGIN_FAILED')
      expect((await login(attacker, username, 'Wrong8Guess', address(n))).body.code).toBe('LOGIN_COOLDOWN')
    }
  })

  test('of 1,000 guesses with 50 forged addresses, at most 5 are evaluated, even 200 at once', async () => {
    const plain = await startTestApp()
    try {
      const { username } = await newOwner(plain)
      const visitor = plain.visitor()
      let count = 0
      for (let round = 0; round < 5; round++) {
        plain.advance(61)
        const answers = await Promise.all(
          Array.from({ length: 200 }, (_, n) => login(visitor, username, `Wrong${n}Guess`, address(n % 50))),
        )
        count += evaluated(answers)
      }
      expect(count).toBe(5)
    } finally {
      await plain.close()
    }
  })

  test('guesses at the name and at the email address of an account count together', async () => {
    const { username } = await newOwner(app)
    const answers = []
    for (let n = 0; n < 8; n++) {
      answers.push(await login(attacker, n % 2 ? username : `${username}@example.com`, 'Wrong7Guess', address(0)))
    }
    expect(evaluated(answers)).toBe(5)
  })

  test('an attempt during the cooldown neither extends it nor counts', async () => {
    const { username } = await newOwner(app)
    for (let n = 0; n < 5; n++) await login(attacker, username, 'Wrong7Guess', home)
    const rows = await app.db.read.selectFrom('login_failures').selectAll().orderBy('subject').execute()
    for (const left of [900, 600, 300, 1]) {
      const { headers, body } = await login(attacker, username, goodPassword, home)
      expect([body.code, headers.get('retry-after')]).toEqual(['LOGIN_COOLDOWN', String(left)])
      expect(await app.db.read.selectFrom('login_failures').selectAll().orderBy('subject').execute()).toEqual(rows)
      app.advance(left === 300 ? 299 : left === 1 ? 1 : 300)
    }
    expect((await login(app.visitor(), username, goodPassword, home)).status).toBe(200)
  })

  test('setting the clock back by a day extends no cooldown', async () => {
    const { username } = await newOwner(app)
    for (let n = 0; n < 6; n++) await login(attacker, username, 'Wrong7Guess', home)
    app.advance(-86_400)
    const { headers } = await login(attacker, username, goodPassword, home)
    expect(headers.get('retry-after')).toBe('900')
    app.advance(901)
    expect((await login(app.visitor(), username, goodPassword, home)).status).toBe(200)
    app.advance(86_400)
  })

  test("the right password of one account doesn't clear its network's failures at others (spraying)", async () => {
    const own = await newOwner(app)
    const from = '192.0.2.77'
    const answers = []
    for (let n = 0; n < 60; n++) {
      app.advance(2)
      answers.push(await login(attacker, `sprayed_${n}`, 'Wrong7Guess', from))
      if (n % 5 === 0 && n < 50) expect((await login(own.visitor, own.username, goodPassword, from)).status).toBe(200)
    }
    expect(evaluated(answers)).toBe(50)
  })

  test('a known device that signs in from a blocked network, or fails there, does not lift the block', async () => {
    const own = await newOwner(app)
    const [from, blockedAt] = ['192.0.2.78', app.now() + 98]
    for (let n = 0; n < 50; n++) {
      if (n > 0) app.advance(2)
      await login(attacker, `sprayed_${n}`, 'Wrong7Guess', from)
    }
    const stranger = async (name: string) => (await login(attacker, name, 'Wrong7Guess', from)).body.code
    expect(await stranger('sprayed_50')).toBe('LOGIN_COOLDOWN')
    expect((await login(own.visitor, own.username, 'Wrong7Guess', from)).body.code).toBe('LOGIN_FAILED')
    for (let n = 0; n < 2; n++) expect((await login(own.visitor, own.username, goodPassword, from)).status).toBe(200)
    // The first failure is over, and the block lasts.
    app.advance(blockedAt + 899 - app.now())
    expect(await stranger('sprayed_51')).toBe('LOGIN_COOLDOWN')
    app.advance(1)
    expect(await stranger('sprayed_52')).toBe('LOGIN_FAILED')
  })

  test('a known device has five attempts of its own, and no more', async () => {
    const { visitor, username } = await newOwner(app)
    const answers = []
    for (let n = 0; n < 7; n++) answers.push(await login(visitor, username, 'Wrong7Guess', address(n)))
    expect(evaluated(answers)).toBe(5)
    expect((await login(visitor, username, goodPassword, home)).body.code).toBe('LOGIN_COOLDOWN')
  })
})

describe('the device cookie', () => {
  const cookieOf = (answer: Answer) => /^did=([^;]+);(.*)$/m.exec(answer.headers.getSetCookie().join('\n')) ?? []
  const locked = async (owner: Owner) => {
    for (let n = 0; n < 5; n++) await login(attacker, owner.username, 'Wrong7Guess', home)
  }
  const deviceCookie = (visitor: Visitor) => /(?<=did=)[^;]+/.exec(visitor.cookieHeader())?.[0] ?? ''
  /** Whether a device with only this cookie is known for the account. */
  async function isKnown(cookie: string, { username }: Owner): Promise<boolean> {
    const visitor = app.visitor()
    await visitor.send('GET', '/api/1.0/website/check-auth')
    const { status } = await visitor.send('POST', '/api/1.0/website/login', {
      body: { username, password: goodPassword },
      headers: { 'x-forwarded-for': home, cookie: `${visitor.cookieHeader()}; did=${cookie}` },
    })
    return status === 200
  }

  test('is hidden from scripts and other sites, reveals nothing, and survives signing out', async () => {
    const owner = await newOwner(app)
    const answer = await login(app.visitor(), owner.username, goodPassword, home)
    const [, value = '', attributes = ''] = cookieOf(answer)
    expect(attributes).toMatch(/HttpOnly/)
    expect(attributes).toMatch(/SameSite=Lax/)
    expect(attributes).toMatch(/Max-Age=15552000/)
    expect(value).not.toContain(owner.id)
    expect(value).not.toContain(owner.username)
    await owner.visitor.call('POST /logout')
    expect(owner.visitor.cookieHeader()).toContain('did=')
  })

  test("is valid only for the accounts that signed in with it, and can't be forged", async () => {
    const owner = await newOwner(app)
    const other = await newOwner(app)
    await locked(owner)
    const [own = ''] = /(?<=did=)[^;]+/.exec(owner.visitor.cookieHeader()) ?? []
    const [foreign = ''] = /(?<=did=)[^;]+/.exec(other.visitor.cookieHeader()) ?? []
    const [ownId, ownEntry] = own.split('.')
    const [foreignId, foreignEntry] = foreign.split('.')
    expect(await isKnown(own, owner)).toBe(true)
    const changed = (entry = '') => `${entry.slice(0, -2)}${entry.endsWith('AA') ? 'BB' : 'AA'}`
    const hostile = [
      foreign,
      `${ownId}.${foreignEntry}`,
      `${foreignId}.${ownEntry}`,
      `${ownId}.${changed(ownEntry)}`,
      `${ownId}.zzzzzzz-${ownEntry?.split('-')[1]}`,
      `${ownId}`,
      '.',
      '',
      'x'.repeat(5000),
      `${ownId}.${'x'.repeat(30)}.${'-'.repeat(500)}`,
    ]
    for (const cookie of hostile) expect(await isKnown(cookie, owner), cookie.slice(0, 80)).toBe(false)
  })

  test.each([
    ['another password', 'POST /profile/change-password', { currentPassword: goodPassword, newPassword: goodPassword }],
    ['signing out all others', 'POST /profile/sessions/end-others', {}],
    ['signing out everywhere', 'POST /logout-all', {}],
  ] as const)('%s forgets every device except the current one, even one of the same second', async (_, call, body) => {
    const owner = await newOwner(app)
    const elsewhere = app.visitor()
    await login(elsewhere, owner.username, goodPassword, home)
    expect((await owner.visitor.call(call, { body } as object)).status).toBe(200)
    await locked(owner)
    expect(await isKnown(deviceCookie(elsewhere), owner)).toBe(false)
    if (call !== 'POST /logout-all') expect(await isKnown(deviceCookie(owner.visitor), owner)).toBe(true)
  })

  test.skipIf(hasTwoProcesses)('a sign-in while the new password is hashed leaves no known device', async () => {
    const owner = await newOwner(app)
    const elsewhere = app.visitor()
    const act = async () => {
      app.advance(5)
      expect((await login(elsewhere, owner.username, goodPassword, home)).status).toBe(200)
    }
    const body = { currentPassword: goodPassword, newPassword: goodPassword }
    const change = () => owner.visitor.call('POST /profile/change-password', { body })
    // The first transaction counts the attempt.
    expect((await answerWithAct(app, { number: 2, act }, change)).status).toBe(200)
    await locked(owner)
    expect(await isKnown(deviceCookie(elsewhere), owner)).toBe(false)
    expect(await isKnown(deviceCookie(owner.visitor), owner)).toBe(true)
  })

  test('remembers the last five accounts of a browser', async () => {
    const browser = app.visitor()
    const owners = []
    for (let n = 0; n < 6; n++) owners.push(await newOwner(app))
    for (const { username } of owners) expect((await login(browser, username, goodPassword, home)).status).toBe(200)
    const [cookie = ''] = /(?<=did=)[^;]+/.exec(browser.cookieHeader()) ?? []
    for (const owner of owners) await locked(owner)
    const known = []
    for (const owner of owners) known.push(await isKnown(cookie, owner))
    expect(known).toEqual([false, true, true, true, true, true])
  })
})

describe('two-factor codes (R-2FA-03, R-AUTH-03)', () => {
  async function guessCodes(owner: Owner, wrong: string, networks: number) {
    const codes = []
    for (let n = 0; n < networks; n++) {
      const { body } = await login(attacker, owner.username, goodPassword, address(n))
      const guess = await finish(attacker, String(body['pendingToken']), { code: wrong }, address(n))
      codes.push(guess.body.code)
    }
    return codes
  }
  const finish = (visitor: Visitor, pendingToken: string, secondFactor: object, ip: string): Promise<Answer> =>
    visitor.send('POST', '/api/1.0/website/login/two-factor', {
      body: { pendingToken, ...secondFactor },
      headers: { 'x-forwarded-for': ip },
    })
  const start = async (visitor: Visitor, { username }: Owner, ip: string) =>
    String((await login(visitor, username, goodPassword, ip)).body['pendingToken'])

  test("an attacker with the password has five codes across 40 networks, and doesn't lock the owner out", async () => {
    const owner = await newOwner(app)
    const { authenticator, recoveryCodes } = await turnOnTwoFactor(app, owner)
    const codes = await guessCodes(owner, authenticator.wrongCode(), 40)
    expect(codes.filter((code) => code === 'TWO_FACTOR_CODE_WRONG')).toHaveLength(5)
    expect(codes.filter((code) => code === 'LOGIN_COOLDOWN')).toHaveLength(35)
    // Codes from unknown devices must wait, wherever they come from; recovery codes need not, because they cannot be
    // guessed.
    const elsewhere = app.visitor()
    const pending = await start(elsewhere, owner, '192.0.2.9')
    const waits = await finish(elsewhere, pending, { code: authenticator.code() }, '192.0.2.9')
    expect(waits.body.code).toBe('LOGIN_COOLDOWN')
    const recovery = { recoveryCode: recoveryCodes[0] }
    expect((await finish(elsewhere, pending, recovery, '192.0.2.9')).status).toBe(200)
    // The known device signs in immediately.
    const atHome = await start(owner.visitor, owner, home)
    const done = await finish(owner.visitor, atHome, { code: authenticator.code() }, home)
    expect(done.status).toBe(200)
    expect((await guessCodes(owner, authenticator.wrongCode(), 1))[0]).toBe('LOGIN_COOLDOWN')
  })

  test('a known device has its own five codes, and no more', async () => {
    const owner = await newOwner(app)
    const { authenticator } = await turnOnTwoFactor(app, owner)
    const codes = []
    for (let n = 0; n < 7; n++) {
      const pending = await start(owner.visitor, owner, home)
      codes.push((await finish(owner.visitor, pending, { code: authenticator.wrongCode() }, address(n))).body.code)
    }
    expect(codes.filter((code) => code === 'TWO_FACTOR_CODE_WRONG')).toHaveLength(5)
  })

  test('a device that only had the password is unknown once the second factor is on', async () => {
    const owner = await newOwner(app)
    const thief = app.visitor()
    await login(thief, owner.username, goodPassword, home)
    const { authenticator } = await turnOnTwoFactor(app, owner)
    await guessCodes(owner, authenticator.wrongCode(), 5)
    const pending = await start(thief, owner, '192.0.2.10')
    const guess = await finish(thief, pending, { code: authenticator.wrongCode() }, '192.0.2.10')
    expect(guess.body.code).toBe('LOGIN_COOLDOWN')
  })

  test("codes sent during the cooldown don't extend it", async () => {
    const owner = await newOwner(app)
    const { authenticator } = await turnOnTwoFactor(app, owner)
    await guessCodes(owner, authenticator.wrongCode(), 5)
    app.advance(600)
    expect(await guessCodes(owner, authenticator.wrongCode(), 3)).toEqual(Array(3).fill('LOGIN_COOLDOWN'))
    app.advance(301)
    const visitor = app.visitor()
    const pending = await start(visitor, owner, address(1))
    expect((await finish(visitor, pending, { code: authenticator.code() }, address(1))).status).toBe(200)
  })
})
