import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { seen } from '#testing/faults/hostile-input.ts'
import { goodPassword, newOwner, newOwnerWithApp } from '#testing/people/people.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'
import { setPlatform } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { forgetEndedSessions } from './accounts.actions.ts'
import { signInKinds } from './sign-in-kinds.ts'
import type { Answer, Visitor } from '#testing/people/visitor.ts'

/** Requests come through a trusted proxy, so that a test can use several networks. */
let app: TestApp
let client: Visitor

beforeAll(async () => {
  app = await startTestApp({ config: { trustedProxies: ['127.0.0.1'] } })
  client = app.visitor()
  await client.send('GET', '/api/1.0/website/check-auth')
})
beforeEach(() => app.advance(86_400))
afterAll(() => app.close())

// Always the same visitor: a correct password starts a session, which the next attempt replaces.
const login = (username: string, password: string, ip = '203.0.113.7'): Promise<Answer> =>
  client.send('POST', '/api/1.0/website/login', { body: { username, password }, headers: { 'x-forwarded-for': ip } })
const codes = (answers: Answer[]) => answers.map(({ body }) => body.code ?? 'OK')
const guess = async (username: string, times: number, ip?: string) => {
  const answers: Answer[] = []
  for (let n = 0; n < times; n++) answers.push(await login(username, `Wrong7Guess${n}`, ip))
  return answers
}

test('of 200 parallel guesses, 50 from each of four addresses, at most 5 of each are evaluated (R-AUTH-01)', async () => {
  const { username } = await newOwner(app)
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => login(username, `Wrong7Guess${n}`, `203.0.113.${n % 4}`)),
  )
  for (const from of [0, 1, 2, 3]) {
    const ofAddress = codes(answers.filter((_, n) => n % 4 === from))
    expect(ofAddress.filter((code) => code === 'LOGIN_FAILED')).toHaveLength(5)
    expect(ofAddress.filter((code) => code === 'LOGIN_COOLDOWN')).toHaveLength(45)
    expect((await login(username, goodPassword, `203.0.113.${from}`)).body.code).toBe('LOGIN_COOLDOWN')
  }
})

test('after 5 wrong passwords, even the right one waits 15 minutes, and the reply says how long', async () => {
  const { username } = await newOwner(app)
  expect(codes(await guess(username, 5))).toEqual(Array(5).fill('LOGIN_FAILED'))
  const locked = await login(username, goodPassword)
  expect(locked).toMatchObject({
    status: 429,
    body: {
      code: 'LOGIN_COOLDOWN',
      message: 'Too many failed attempts. Try again in 15 minutes.',
      values: { minutes: 15 },
    },
  })
  expect(locked.headers.get('retry-after')).toBe('900')
  app.advance(840)
  expect((await login(username, goodPassword)).body.message).toMatch(
    /^Too many failed attempts\. Try again in 1 minute\.$/,
  )
  app.advance(61)
  expect((await login(username, goodPassword)).status).toBe(200)
})

test("another network isn't locked out (R-AUTH-03)", async () => {
  const { username } = await newOwner(app)
  await guess(username, 6)
  expect((await login(username, goodPassword)).status).toBe(429)
  const elsewhere = await app.visitor().send('POST', '/api/1.0/website/login', {
    body: { username, password: goodPassword },
    headers: { 'x-forwarded-for': '198.51.100.9' },
  })
  expect(elsewhere.status).toBe(200)
  expect((await login(username, goodPassword)).status).toBe(429)
})

test('an IPv6 customer counts as one network, however many addresses it uses (R-RATE-03)', async () => {
  const { username } = await newOwner(app)
  for (let n = 0; n < 5; n++) await login(username, 'Wrong7Guess', `2001:db8:1:2::${n + 1}`)
  expect((await login(username, goodPassword, '2001:db8:1:2:ffff::1')).status).toBe(429)
  expect((await login(username, goodPassword, '2001:db8:1:3::1')).status).toBe(200)
})

test('an unknown account gets the same messages and the same cooldown (R-AUTH-02, R-AUTH-04)', async () => {
  const { username } = await newOwner(app)
  const known = await guess(username, 7, '203.0.113.50')
  const unknown = await guess('nobody_of_that_name', 7, '203.0.113.51')
  expect(unknown.map(seen)).toEqual(known.map(seen))
  expect(codes(known).slice(5)).toEqual(['LOGIN_COOLDOWN', 'LOGIN_COOLDOWN'])
})

test.each([
  ['/login', '/reseller/login'],
  ['/reseller/login', '/login'],
])("guesses at %s count at %s too, so that the two don't tell which names exist (R-AUTH-02)", async (first, second) => {
  const owner = await newOwnerWithApp(app)
  const { username: reseller } = await newSellingReseller(app, {}, owner)
  for (const username of [owner.username, reseller, 'nobody_of_that_name']) {
    app.advance(900)
    const guessAt = (path: string) =>
      client.send('POST', `/api/1.0/website${path}`, { body: { username, password: 'Wrong7Guess' } })
    for (let n = 0; n < 5; n++) expect((await guessAt(first)).body.code, username).toBe('LOGIN_FAILED')
    expect((await guessAt(second)).body.code, username).toBe('LOGIN_COOLDOWN')
  }
})

test('the right password resets the count', async () => {
  const { username } = await newOwner(app)
  for (let round = 0; round < 3; round++) {
    expect(codes(await guess(username, 4))).toEqual(Array(4).fill('LOGIN_FAILED'))
    expect((await login(username, goodPassword)).status).toBe(200)
  }
})

test('changing the case of the name gains no guesses', async () => {
  const { username } = await newOwner(app, 'Case_Guesser')
  for (const name of ['Case_Guesser', 'case_guesser', 'CASE_GUESSER', ' case_guesser', 'cASE_gUESSER'])
    await login(name, 'Wrong7Guess')
  expect((await login(username, goodPassword)).body.code).toBe('LOGIN_COOLDOWN')
})

test('a network that tries many accounts is blocked too', async () => {
  await setPlatform(app, 'platform', { maxFailedLoginAttempts: 1 })
  const answers: Answer[] = []
  for (let n = 0; n < 11; n++) answers.push(await login(`spray_${n}`, 'Wrong7Guess'))
  expect(codes(answers)).toEqual([...Array(10).fill('LOGIN_FAILED'), 'LOGIN_COOLDOWN'])
  expect((await login('spray_0', 'Wrong7Guess', '198.51.100.9')).body.code).toBe('LOGIN_FAILED')
  await setPlatform(app, 'platform', {})
})

test('signing in to your own account in between gains no further attempts at others (R-AUTH-01)', async () => {
  const { username } = await newOwner(app)
  await setPlatform(app, 'platform', { maxFailedLoginAttempts: 1 })
  const network = '198.51.100.33'
  const answers: Answer[] = []
  for (let n = 0; n < 11; n++) {
    if (n === 9) expect((await login(username, goodPassword, network)).status).toBe(200)
    answers.push(await login(`sprayed_${n}`, 'Wrong7Guess', network))
  }
  expect(codes(answers)).toEqual([...Array(10).fill('LOGIN_FAILED'), 'LOGIN_COOLDOWN'])
  await setPlatform(app, 'platform', {})
})

test("the administrator's limits apply", async () => {
  const { username } = await newOwner(app)
  await setPlatform(app, 'platform', { maxFailedLoginAttempts: 2, loginCooldownMinutes: 3 })
  await guess(username, 2)
  expect((await login(username, goodPassword)).body.message).toBe('Too many failed attempts. Try again in 3 minutes.')
  await setPlatform(app, 'platform', {})
})

test('a cooldown of days outlasts the cleanup, and so do the failures before it', async () => {
  const { username } = await newOwner(app)
  await setPlatform(app, 'platform', { loginCooldownMinutes: 7 * 24 * 60 })
  await guess(username, 4)
  app.advance(2 * 86_400)
  await forgetEndedSessions(app.services, signInKinds(app.services), app.now())
  expect(codes(await guess(username, 2))).toEqual(['LOGIN_FAILED', 'LOGIN_COOLDOWN'])
  await setPlatform(app, 'platform', {})
})

test('old counts are deleted', async () => {
  const { username } = await newOwner(app)
  await guess(username, 4)
  app.advance(901)
  expect(codes(await guess(username, 5))).toEqual(Array(5).fill('LOGIN_FAILED'))
})

test('a name with half a surrogate pair is throttled like any other (R-AUTH-01)', async () => {
  expect(codes(await guess('\ud800', 6, '203.0.113.60'))).toEqual([...Array(5).fill('LOGIN_FAILED'), 'LOGIN_COOLDOWN'])
})
