import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { keepSignedIn } from '#testing/platform.ts'
import { Program, type ProgramAnswer } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Nobody can lock out an end user, however many addresses the guesses come from (R-AUTH-03, R-AUTH-05). */

const password = 'Password-of-user'
const home = '198.51.100.7'
const address = (n: number) => `203.0.113.${n + 1}`

let app: TestApp
let owner: OwnedApp
let guesser: Program
let made = 0

beforeAll(async () => {
  app = await startTestApp({ config: { trustedProxies: ['127.0.0.1'] } })
  owner = await newOwnerWithApp(app)
})
beforeEach(async () => {
  app.advance(1800)
  await keepSignedIn(app, owner)
  guesser = await started('a-machine-of-somebody-else')
})
afterAll(() => app.close())

async function started(hwid: string, of = owner): Promise<Program> {
  const program = await Program.of(app, of)
  program.hwid = hwid
  await program.init()
  return program
}

/** A user with a bound machine. */
async function newUser(): Promise<{ username: string; hwid: string }> {
  const [key = ''] = await newLicenses(owner, 1)
  const [username, hwid] = [`User ${++made}`, `the-machine-of-user-${made}`]
  expect((await (await started(hwid)).register(username, password, key)).body.success).toBe(true)
  return { username, hwid }
}

const login = (program: Program, username: string, guess: string, ip: string): Promise<ProgramAnswer> =>
  program.send('login', { username, password: guess, hwid: program.hwid }, { headers: { 'x-forwarded-for': ip } })
const evaluated = (answers: ProgramAnswer[]) => answers.filter(({ body }) => body.code === 'INVALID_CREDENTIALS').length

test('despite 360 guesses from 60 networks, the user can sign in at once on the bound machine from any network', async () => {
  const { username, hwid } = await newUser()
  const answers = []
  for (let round = 0; round < 6; round++) {
    answers.push(
      ...(await Promise.all(
        Array.from({ length: 60 }, (_, n) => login(guesser, username, `Wrong-guess-${round}`, address(n))),
      )),
    )
  }
  expect(answers).toHaveLength(360)
  expect(evaluated(answers)).toBeLessThanOrEqual(160)
  for (const ip of [home, address(0), address(59)]) {
    expect((await login(await started(hwid), username, password, ip)).body.success).toBe(true)
  }
  expect((await login(guesser, username, password, address(0))).body.code).toBe('LOGIN_COOLDOWN')
})

test('without machine binding, a network without failures can still sign in', async () => {
  const unbound = await newOwnerWithApp(app)
  await unbound.visitor.call('POST /update_app', { body: { settings: { hwidLock: false } } })
  const [key = ''] = await newLicenses(unbound, 1)
  const own = await started('any-machine-at-all', unbound)
  await own.register('unbound', password, key)
  const other = await started('another-machine', unbound)
  for (let n = 0; n < 60; n++) await login(other, 'unbound', 'Wrong-guess', address(n))
  for (let n = 0; n < 20; n++) for (let m = 0; m < 5; m++) await login(other, 'unbound', 'Wrong-guess', address(n))
  expect((await login(own, 'unbound', password, home)).body.success).toBe(true)
})

test('a known hardware ID allows five guesses per network, and locks the machine out of no other network', async () => {
  const { username, hwid } = await newUser()
  const thief = await started(hwid)
  const answers = []
  for (let n = 0; n < 8; n++) answers.push(await login(thief, username, 'Wrong-guess', address(0)))
  expect(evaluated(answers)).toBe(5)
  expect((await login(await started(hwid), username, password, home)).body.success).toBe(true)
})

test("an attempt during the cooldown doesn't prolong it", async () => {
  const { username } = await newUser()
  for (let n = 0; n < 5; n++) await login(guesser, username, 'Wrong-guess', home)
  for (const left of [900, 600, 300]) {
    const { body, headers } = await login(guesser, username, 'Wrong-guess', home)
    expect([body.code, body['retryAfterSeconds'], headers.get('retry-after')]).toEqual([
      'LOGIN_COOLDOWN',
      left,
      String(left),
    ])
    app.advance(300)
  }
  expect((await login(await started('a-new-machine'), username, 'Wrong-guess', home)).body.code).toBe(
    'INVALID_CREDENTIALS',
  )
})

test("a successful sign-in doesn't clear its network's failures for other users (password spraying)", async () => {
  const { username, hwid } = await newUser()
  const own = await started(hwid)
  const answers = []
  for (let n = 0; n < 60; n++) {
    answers.push(await login(guesser, `sprayed ${n}`, 'Wrong-guess', address(9)))
    if (n % 5 === 0 && n < 50) expect((await login(own, username, password, address(9))).body.success).toBe(true)
  }
  expect(evaluated(answers)).toBe(50)
})

test('a failed sign-in adds one audit event for the owner of the app (R-LOG-01)', async () => {
  const { username } = await newUser()
  const { body } = await login(guesser, username, 'Wrong-guess', home)
  await login(guesser, 'My-own-password', 'Wrong-guess', home)
  const rows = await app.db.read
    .selectFrom('audit')
    .selectAll()
    .orderBy('id')
    .where('act', '=', 'user.login-failed')
    .execute()
  expect(rows.slice(-2)).toMatchObject([
    {
      owner_id: owner.id,
      app_id: owner.appId,
      target: username,
      ip: home,
      request_id: body['requestId'],
      at: app.now(),
    },
    { owner_id: owner.id, app_id: owner.appId, target: '', ip: home },
  ])
  expect(JSON.stringify(rows)).not.toMatch(/Wrong-guess|My-own-password/)
})
