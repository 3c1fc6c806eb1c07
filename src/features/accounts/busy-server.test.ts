import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { accountHashing } from '#server/passwords/hashing-use.ts'
import { answerWithAct } from '#testing/faults/before-write.ts'
import { fillPasswordQueue } from '#testing/faults/full-password-queue.ts'
import { goodPassword, newOwner } from '#testing/people/people.ts'
import { newOwnerWithTwoFactor } from '#testing/people/two-factor.ts'
import { hasTwoProcesses, startTestApp, type TestApp } from '#testing/start-test-app.ts'
import type { Visitor } from '#testing/people/visitor.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(() => app.advance(86_400))
afterAll(() => app.close())

const network = accountHashing('127.0.0.1')
const failures = async () =>
  (await app.db.read.selectFrom('login_failures').select('failures').where('failures', '>', 0).execute()).length
const login = async (visitor: Visitor, username: string, password: string) =>
  (await visitor.call('POST /login', { body: { username, password } })).body.code

describe.skipIf(hasTwoProcesses)('while the server is too busy to check a password', () => {
  test('an attempt counts as no failure, on a known device and on an unknown one', async () => {
    const { username, visitor } = await newOwner(app)
    const unknown = app.visitor()
    await unknown.call('GET /check-auth')
    const before = await failures()
    const empty = await fillPasswordQueue(app.services.passwords, network)
    for (let n = 0; n < 7; n++) {
      expect(await login(visitor, username, goodPassword)).toBe('SERVER_BUSY')
      expect(await login(unknown, username, goodPassword)).toBe('SERVER_BUSY')
      expect(await login(unknown, 'nobody_at_all', goodPassword)).toBe('SERVER_BUSY')
    }
    await empty()
    expect(await failures()).toBe(before)
    expect(await login(visitor, username, goodPassword)).toBe('LOGIN_OK')
    expect(await login(unknown, username, goodPassword)).toBe('LOGIN_OK')
  })

  test('failures of before still count, and no more guesses are checked afterwards', async () => {
    const { username } = await newOwner(app)
    const guesser = app.visitor()
    await guesser.call('GET /check-auth')
    const guess = () => login(guesser, username, 'Wrong7Guess')
    for (let n = 0; n < 3; n++) expect(await guess()).toBe('LOGIN_FAILED')
    const empty = await fillPasswordQueue(app.services.passwords, network)
    const busy = await Promise.all(Array.from({ length: 20 }, guess))
    expect(busy).not.toContain('LOGIN_FAILED')
    await empty()
    const later = []
    for (let n = 0; n < 4; n++) later.push(await guess())
    expect(later).toEqual(['LOGIN_FAILED', 'LOGIN_FAILED', 'LOGIN_COOLDOWN', 'LOGIN_COOLDOWN'])
  })

  test('a change of the password whose new one is not hashed counts no failed code', async () => {
    const { visitor, authenticator } = await newOwnerWithTwoFactor(app)
    const body = { currentPassword: goodPassword, newPassword: 'Different8Donkey', code: authenticator.code() }
    const change = () => visitor.call('POST /profile/change-password', { body })
    for (let n = 0; n < 6; n++) {
      let empty = async () => {}
      // The second transaction counts the code, after the password was checked.
      const act = async () => void (empty = await fillPasswordQueue(app.services.passwords, network))
      const busy = await answerWithAct(app, { number: 2, act }, change)
      await empty()
      expect(busy.body.code).toBe('SERVER_BUSY')
    }
    expect((await change()).body.code).toBe('PASSWORD_CHANGE_OK')
  })

  test('confirming the password and changing it count as no failures either', async () => {
    const { visitor } = await newOwner(app)
    const empty = await fillPasswordQueue(app.services.passwords, network)
    const change = { currentPassword: goodPassword, newPassword: 'Different8Donkey' }
    for (let n = 0; n < 6; n++) {
      const confirmed = await visitor.call('POST /profile/reauthenticate', { body: { password: goodPassword } })
      expect(confirmed.body.code).toBe('SERVER_BUSY')
      const changed = await visitor.call('POST /profile/change-password', { body: change })
      expect(changed.body.code).toBe('SERVER_BUSY')
    }
    await empty()
    expect((await visitor.call('POST /profile/change-password', { body: change })).body.success).toBe(true)
  })
})
