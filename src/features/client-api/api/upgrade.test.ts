import { expect, test } from 'vitest'
import { newLicenses, newOwnerWithApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { replaceUser } from '#testing/people/replaced-user.ts'
import { setUpProgram } from '#testing/people/program-setup.ts'

const given = setUpProgram()

const day = 86_400
const upgrade = (licenseKey: string, from = given.program) => from.send('upgrade', { licenseKey })
const ends = (body: Record<string, unknown>) =>
  (body['user'] as { subscriptions: { expiresAt: number }[] }).subscriptions.map(({ expiresAt }) => expiresAt)
const row = async (license: string) =>
  (await given.owner.visitor.call('GET /licenses', { query: { search: license } })).body.licenses[0]

test('adds what another license gives and uses that license; the next heartbeat reports it', async () => {
  const [more = ''] = await newLicenses(given.owner, 1)
  const before = ends((await given.program.license(given.key)).body)
  const { body } = await upgrade(more)
  expect(body).toMatchObject({ success: true, user: { username: given.key } })
  expect(ends(body)).toEqual(before.map((end) => end + 30 * day))
  expect(ends((await given.program.heartbeat()).body)).toEqual(ends(body))
  expect(await row(more)).toMatchObject({ used: true, usedBy: given.key })
  const audit = await given.app.db.read
    .selectFrom('audit')
    .selectAll()
    .where('target', '=', given.key)
    .where('act', 'like', 'user.%')
    .execute()
  expect(audit.map(({ act, actor_type }) => [act, actor_type])).toEqual([['user.upgrade', 'user']])
})

test('gives new time to a user whose time ended during this session', async () => {
  const [more = ''] = await newLicenses(given.owner, 1)
  await given.program.license(given.key)
  await given.asOwner('update_license', { licenseKey: given.key, expiry: 60 })
  given.app.advance(61)
  expect((await given.program.heartbeat()).body.code).toBe('SUBSCRIPTION_EXPIRED')
  expect((await upgrade(more)).body.success).toBe(true)
  expect((await given.program.heartbeat()).body.success).toBe(true)
})

test('of 10 users who redeem one license at once, one succeeds', async () => {
  const keys = await newLicenses(given.owner, 11)
  const contested = keys.pop() ?? ''
  const programs = await Promise.all(keys.map(() => Program.of(given.app, given.owner)))
  for (const [n, each] of programs.entries()) {
    await each.init()
    await each.license(keys[n] ?? '')
  }
  const answers = await Promise.all(programs.map((each) => upgrade(contested, each)))
  expect(answers.filter(({ body }) => body.success)).toHaveLength(1)
  for (const { body } of answers.filter(({ body }) => !body.success)) expect(body.code).toBe('LICENSE_ALREADY_USED')
})

test('a rejected upgrade leaves the license unused, whatever the reason', async () => {
  const [banned = '', fine = '', used = ''] = await newLicenses(given.owner, 3)
  expect((await upgrade(fine)).body.code).toBe('NOT_SIGNED_IN')
  await given.asOwner('toggle_ban_license', { licenseKey: banned })
  await given.program.license(given.key)
  const other = await Program.of(given.app, given.owner)
  await other.init()
  await other.license(used)
  expect((await upgrade('NONE')).body.code).toBe('LICENSE_NOT_FOUND')
  expect((await upgrade(banned)).body.code).toBe('LICENSE_BANNED')
  expect((await upgrade(used)).body.code).toBe('LICENSE_ALREADY_USED')
  expect((await upgrade(given.key)).body.code).toBe('LICENSE_ALREADY_USED')
  await given.owner.visitor.call('POST /create_subscription', { body: { level: 7, name: 'Seventh', active: true } })
  const [seventh = ''] = await newLicenses(given.owner, 1, { subscription: 7 })
  await given.owner.visitor.call('POST /update_subscription', { body: { level: 7, name: 'Seventh', active: false } })
  expect((await upgrade(seventh)).body.code).toBe('SUBSCRIPTION_PAUSED')
  await given.asOwner('toggle_pause_user', { username: given.key })
  await given.program.init()
  expect((await upgrade(fine)).body.code).toBe('NOT_SIGNED_IN')
  for (const license of [banned, fine, seventh]) expect(await row(license), license).toMatchObject({ used: false })
})

test('a new license buys off no ban and no pause, and stays unused', async () => {
  const [more = '', second = ''] = await newLicenses(given.owner, 2)
  await given.owner.visitor.call('POST /create_subscription', { body: { level: 8, name: 'Eighth', active: true } })
  const [eighth = ''] = await newLicenses(given.owner, 1, { subscription: 8 })
  const level = (active: boolean) =>
    given.owner.visitor.call('POST /update_subscription', { body: { level: 8, name: 'Eighth', active } })
  await given.program.license(given.key)
  expect((await upgrade(eighth)).body.success).toBe(true)
  await given.asOwner('update_license', { licenseKey: given.key, expiry: 60 })
  given.app.advance(61)
  // Of the license of another session than this one, which ends with the ban of its own.
  await given.asOwner('toggle_ban_license', { licenseKey: eighth })
  expect((await given.program.heartbeat()).body.code).toBe('SUBSCRIPTION_EXPIRED')
  const [sameLevel = ''] = await newLicenses(given.owner, 1, { subscription: 8 })
  expect((await upgrade(sameLevel)).body.code).toBe('LICENSE_BANNED')
  await given.asOwner('toggle_ban_license', { licenseKey: eighth })
  await level(false)
  expect((await upgrade(sameLevel)).body.code).toBe('SUBSCRIPTION_PAUSED')
  await level(true)
  await given.asOwner('toggle_pause_user', { username: given.key })
  expect((await upgrade(more)).body.code).toBe('USER_PAUSED')
  await given.asOwner('toggle_pause_user', { username: given.key })
  await given.asOwner('toggle_ban_user', { username: given.key })
  expect((await upgrade(second)).body.code).toBe('USER_BANNED')
  for (const license of [more, second, sameLevel]) expect(await row(license), license).toMatchObject({ used: false })
})

test('a user whose only level is paused goes on with a license of another level', async () => {
  await given.owner.visitor.call('POST /create_subscription', { body: { level: 9, name: 'Ninth', active: true } })
  const [ninth = ''] = await newLicenses(given.owner, 1, { subscription: 9 })
  await given.program.license(given.key)
  const first = (active: boolean) => given.asOwner('update_subscription', { level: 1, name: 'Basic', active })
  await first(false)
  expect((await given.program.heartbeat()).body.code).toBe('SUBSCRIPTION_PAUSED')
  expect((await upgrade(ninth)).body.success).toBe(true)
  expect((await given.program.heartbeat()).body.success).toBe(true)
  await first(true)
})

test('gives nothing to a later user of the same name', async () => {
  const [more = ''] = await newLicenses(given.owner, 1)
  await given.program.license(given.key)
  await replaceUser(given)
  expect(await upgrade(more)).toMatchObject({ status: 401, body: { code: 'SESSION_ENDED' } })
  expect(await row(more)).toMatchObject({ used: false })
})

test("another app's license looks like a missing one", async () => {
  const [foreign = ''] = await newLicenses(await newOwnerWithApp(given.app), 1)
  await given.program.license(given.key)
  expect((await upgrade(foreign)).body.code).toBe('LICENSE_NOT_FOUND')
})

test('rejects bodies without a valid key', async () => {
  await given.program.license(given.key)
  for (const body of [{}, [], null, { licenseKey: 5 }, { licenseKey: '' }, { licenseKey: 'x'.repeat(201) }]) {
    expect((await given.program.send('upgrade', body)).status, JSON.stringify(body)).toBe(400)
  }
})
