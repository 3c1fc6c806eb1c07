import { describe, expect, test } from 'vitest'
import { newLicenses, newOwnerWithApp } from '#testing/people/people.ts'
import { Program, type ProgramAnswer } from '#testing/people/program.ts'
import { setUpProgram } from '#testing/people/program-setup.ts'
import { setAccountBanned } from '#testing/platform.ts'

const given = setUpProgram()

const day = 86_400
const password = 'Password-of-user'

interface Customer {
  username: string
  /** The key that the user registered with, whose time has ended. */
  key: string
}

const newKey = async (more?: Record<string, unknown>): Promise<string> =>
  (await newLicenses(given.owner, 1, more))[0] ?? ''

async function started(): Promise<Program> {
  const program = await Program.of(given.app, given.owner)
  await program.init()
  return program
}

async function newCustomers(amount: number): Promise<Customer[]> {
  const keys = await newLicenses(given.owner, amount)
  const customers = keys.map((key) => ({ username: `User of ${key}`, key }))
  for (const { username, key } of customers) {
    expect((await (await started()).register(username, password, key)).body.success).toBe(true)
    await given.asOwner('update_license', { licenseKey: key, expiry: 60 })
  }
  given.app.advance(61)
  return customers
}

async function newCustomer(): Promise<Customer> {
  const [customer] = await newCustomers(1)
  if (!customer) throw new Error('There is no customer')
  return customer
}

interface Attempt {
  with?: string
  from?: Program
}

const login = async (username: string, licenseKey: string, { with: typed = password, from }: Attempt = {}) => {
  const program = from ?? (await started())
  return program.send('login', { username, password: typed, licenseKey, hwid: program.hwid })
}
const license = async (key: string) =>
  (await given.owner.visitor.call('GET /licenses', { query: { search: key } })).body.licenses[0]
const ends = ({ body }: ProgramAnswer) =>
  (body['user'] as { subscriptions: { level: number; expiresAt: number }[] }).subscriptions

const asOwner = async (call: string, body: object) => expect((await given.asOwner(call, body)).status, call).toBe(200)

describe('a login with a license key', () => {
  test('renews a user whose time has ended: from now, and signed in', async () => {
    const { username } = await newCustomer()
    const [key, program] = [await newKey(), await started()]
    expect((await program.login(username, password)).body.code).toBe('SUBSCRIPTION_EXPIRED')
    const answer = await login(username, ` ${key}\n`, { from: program })
    expect(answer.body).toMatchObject({ success: true, user: { username } })
    expect(ends(answer)).toMatchObject([{ level: 1, expiresAt: expect.closeTo(given.app.now() + 30 * day, -2) }])
    expect((await program.heartbeat()).body.success).toBe(true)
    expect(await license(key)).toMatchObject({ used: true, usedBy: username })
    expect((await (await started()).login(username, password)).body.success).toBe(true)
    const audit = await given.app.db.read
      .selectFrom('audit')
      .select(['act', 'actor_type'])
      .where('target', '=', username)
      .where('act', '=', 'user.upgrade')
      .execute()
    expect(audit).toEqual([{ act: 'user.upgrade', actor_type: 'user' }])
  })

  test('adds to time that has not ended, and gives time to a user who has no subscription any more', async () => {
    const { username } = await newCustomer()
    await login(username, await newKey())
    const more = await login(username, await newKey())
    expect(ends(more)).toMatchObject([{ level: 1, expiresAt: expect.closeTo(given.app.now() + 60 * day, -2) }])
    const other = await newCustomer()
    await asOwner('delete_license', { licenseKey: other.key })
    expect((await (await started()).login(other.username, password)).body.code).toBe('SUBSCRIPTION_EXPIRED')
    expect((await login(other.username, await newKey())).body.success).toBe(true)
  })

  test('of 10 logins that redeem one key at once, one succeeds', async () => {
    const customers = await newCustomers(10)
    const [key, programs] = [await newKey(), await Promise.all(customers.map(() => started()))]
    const answers = await Promise.all(
      customers.map(({ username }, n) => login(username, key, { from: programs[n] as Program })),
    )
    expect(answers.filter(({ body }) => body.success)).toHaveLength(1)
    for (const { body } of answers.filter(({ body }) => !body.success)) expect(body.code).toBe('LICENSE_ALREADY_USED')
    const winner = customers[answers.findIndex(({ body }) => body.success)]
    expect(await license(key)).toMatchObject({ used: true, usedBy: winner?.username })
    for (const { username } of customers.filter((each) => each !== winner))
      expect((await (await started()).login(username, password)).body.code).toBe('SUBSCRIPTION_EXPIRED')
  })

  test('of one user counts a key once, however many programs send it at once', async () => {
    const { username } = await newCustomer()
    const [key, programs] = [await newKey(), await Promise.all(Array.from({ length: 5 }, () => started()))]
    const answers = await Promise.all(programs.map((from) => login(username, key, { from })))
    const yes = answers.filter(({ body }) => body.success)
    expect(yes).toHaveLength(1)
    given.app.advance(3600)
    const program = await started()
    expect(ends(await program.login(username, password))).toEqual(ends(yes[0] as ProgramAnswer))
  })
})

describe('leaves the license unused', () => {
  test('after a wrong password, an unknown name, and a name without a password (R-LIC-03)', async () => {
    const { username } = await newCustomer()
    const [key, first] = [await newKey(), await newKey()]
    await (await started()).license(first)
    expect((await login(username, key, { with: 'Wrong-password' })).body.code).toBe('INVALID_CREDENTIALS')
    expect((await login('nobody at all', key)).body.code).toBe('INVALID_CREDENTIALS')
    expect((await login(first, key)).body.code).toBe('INVALID_CREDENTIALS')
    expect(await license(key)).toMatchObject({ used: false })
  })

  test.each([
    ['a banned user', 'USER_BANNED', 'toggle_ban_user'],
    ['a paused user', 'USER_PAUSED', 'toggle_pause_user'],
  ])('of %s: %s (R-LIC-03)', async (_, code, call) => {
    const [{ username }, key] = [await newCustomer(), await newKey()]
    await asOwner(call, { username })
    expect((await login(username, key)).body.code).toBe(code)
    expect(await license(key)).toMatchObject({ used: false })
  })

  test('of a user whose license is banned, also when the key is for the level of that license (R-LIC-03)', async () => {
    const [{ username, key: banned }, key] = [await newCustomer(), await newKey()]
    await given.owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Second', active: true } })
    const second = await newKey({ subscription: 2 })
    await asOwner('toggle_ban_license', { licenseKey: banned })
    expect((await login(username, key)).body.code).toBe('LICENSE_BANNED')
    expect((await login(username, second)).body.code).toBe('LICENSE_BANNED')
    expect(await license(second)).toMatchObject({ used: false })
    // With an expired subscription of another level, the user has merely run out.
    await asOwner('toggle_ban_license', { licenseKey: banned })
    expect((await login(username, second)).body.success).toBe(true)
    await asOwner('update_license', { licenseKey: second, expiry: 60 })
    await asOwner('toggle_ban_license', { licenseKey: banned })
    given.app.advance(61)
    expect((await (await started()).login(username, password)).body.code).toBe('SUBSCRIPTION_EXPIRED')
    expect((await login(username, key)).body.code).toBe('LICENSE_BANNED')
    expect(await license(key)).toMatchObject({ used: false })
    expect((await login(username, await newKey({ subscription: 2 }))).body.success).toBe(true)
  })

  test('on another machine (R-LIC-03)', async () => {
    const [{ username }, key, program] = [await newCustomer(), await newKey(), await started()]
    program.hwid = 'another-machine'
    expect((await login(username, key, { from: program })).body.code).toBe('HWID_MISMATCH')
    expect(await license(key)).toMatchObject({ used: false })
    expect((await program.heartbeat()).body.code).toBe('NOT_SIGNED_IN')
  })

  test('while the app is disabled, the owner is banned, or the level of the key or of the user is paused', async () => {
    const [{ username }, key, program] = [await newCustomer(), await newKey(), await started()]
    const level = (active: boolean) => asOwner('update_subscription', { level: 1, name: 'Basic', active })
    await level(false)
    expect((await login(username, key, { from: program })).body.code).toBe('SUBSCRIPTION_PAUSED')
    await level(true)
    const settings = (appStatus: boolean) => asOwner('update_app', { settings: { appStatus } })
    await settings(false)
    expect((await login(username, key, { from: program })).body.code).toBe('APP_DISABLED')
    await settings(true)
    await setAccountBanned(given.app, given.owner.id, true)
    expect((await login(username, key, { from: program })).body.code).toBe('OWNER_BANNED')
    await setAccountBanned(given.app, given.owner.id, false)
    expect(await license(key)).toMatchObject({ used: false })
    expect((await login(username, key, { from: program })).body.success).toBe(true)
  })

  test("that is banned; a used key, another app's, and one that nobody made give no time", async () => {
    const [{ username, key }, banned] = [await newCustomer(), await newKey()]
    const [foreign = ''] = await newLicenses(await newOwnerWithApp(given.app), 1)
    await asOwner('toggle_ban_license', { licenseKey: banned })
    expect((await login(username, banned)).body.code).toBe('LICENSE_BANNED')
    expect((await login(username, foreign)).body.code).toBe('LICENSE_NOT_FOUND')
    expect((await login(username, 'NONE')).body.code).toBe('LICENSE_NOT_FOUND')
    expect((await login(username, key)).body.code).toBe('LICENSE_ALREADY_USED')
    expect(await license(banned)).toMatchObject({ used: false })
  })

  test('while the name waits after 5 rejected sign-ins; rejected keys count like wrong passwords', async () => {
    const [{ username }, key] = [await newCustomer(), await newKey()]
    for (let n = 0; n < 5; n++) expect((await login(username, `NONE-${n}`)).body.code).toBe('LICENSE_NOT_FOUND')
    expect((await login(username, key)).body.code).toBe('LOGIN_COOLDOWN')
    expect(await license(key)).toMatchObject({ used: false })
    given.app.advance(901)
    expect((await login(username, key)).body.success).toBe(true)
  })

  test('with a body that is none', async () => {
    const { username } = await newCustomer()
    for (const licenseKey of [5, true, [], {}, null, '', 'NUL \0 inside', 'x'.repeat(201)]) {
      const fields = { username, password, licenseKey, hwid: given.program.hwid }
      expect((await given.program.send('login', fields)).status, JSON.stringify(licenseKey)).toBe(400)
    }
  })
})
