import { expect, test } from 'vitest'
import { expectRejected, seen } from '#testing/faults/hostile-input.ts'
import {
  day,
  newSubscriber,
  newUser,
  passTime,
  signedIn,
  subscribe,
  timeLeft,
  userPassword,
} from '#testing/people/end-users.ts'
import { newLicenses, newOwnerWithApp } from '#testing/people/people.ts'
import { setUpProgram } from '#testing/people/program-setup.ts'

const given = setUpProgram()

const list = (username: string, by = given.owner) =>
  by.visitor.call('GET /user/{username}/time_sources', { params: { username } })

/** The sources of the first level, in days. */
async function sourcesOf(username: string) {
  const { licenses = [], byHand = null, ...level } = (await list(username)).body.levels[0] ?? {}
  const days = (seconds: number | null) => (seconds === null ? null : Math.round(seconds / day))
  return {
    ...level,
    licenses: licenses.map((each) => ({ ...each, given: days(each.given), left: days(each.left) })),
    byHand: byHand && days(byHand.left),
  }
}

/** A user who has redeemed these keys, one after the other. */
async function newCustomer(keys: readonly string[]): Promise<string> {
  const [first = '', ...others] = keys
  const name = `customer-of-${first}`
  await given.program.register(name, userPassword, first)
  await redeem(name, others)
  return name
}

async function redeem(name: string, keys: readonly string[]): Promise<void> {
  const program = await signedIn(given.app, given.owner, name)
  for (const licenseKey of keys) expect((await program.send('upgrade', { licenseKey })).body.success).toBe(true)
}

const toggleBan = (licenseKey: string) => given.asOwner('toggle_ban_license', { licenseKey })
const source = (key: string, left: number | null, more: object = {}) => ({
  key,
  banned: false,
  given: 30,
  left,
  ...more,
})

test('of one license, all of the time is left of it; of none, it was given by hand', async () => {
  const name = await newCustomer([given.key])
  expect(await sourcesOf(name)).toEqual({
    level: 1,
    licenses: [source(given.key, 30)],
    licenseCount: 1,
    byHand: null,
  })
  await toggleBan(given.key)
  expect((await sourcesOf(name)).licenses).toEqual([source(given.key, 30, { banned: true })])
  const byHand = await newSubscriber(given.owner, { days: 5 })
  expect(await sourcesOf(byHand)).toEqual({ level: 1, licenses: [], licenseCount: 0, byHand: 5 })
  expect((await list(await newUser(given.owner))).body.levels).toEqual([])
})

test('of several, each has what it gave and what a ban takes; added time was given by hand', async () => {
  const [second = ''] = await newLicenses(given.owner, 1)
  const name = await newCustomer([given.key, second])
  await passTime(given.app, given.owner, 10 * day)
  const [third = ''] = await newLicenses(given.owner, 1)
  await redeem(name, [third])
  expect(await sourcesOf(name)).toMatchObject({
    licenses: [source(given.key, 20), source(second, 30), source(third, 30)],
    byHand: null,
  })
  await given.asOwner('delete_license', { licenseKey: third })
  await given.asOwner('bulk_extend_users', { usernames: [name], subscription: 1, duration: 15, unit: 'days' })
  expect(await sourcesOf(name)).toMatchObject({ licenses: [source(given.key, 20), source(second, 30)], byHand: 15 })
  await toggleBan(given.key)
  expect(await sourcesOf(name)).toMatchObject({
    licenses: [source(given.key, 20, { banned: true }), source(second, 30)],
    byHand: 15,
  })
  expect((await timeLeft(given.owner, name)) ?? 0).toBeCloseTo(45 * day, -3)
  await given.asOwner('delete_license', { licenseKey: second })
  expect(await sourcesOf(name)).toMatchObject({ licenses: [source(given.key, 20, { banned: true })], byHand: 15 })
})

test('used up ones come last, and a pause stops the time of all', async () => {
  const [second = ''] = await newLicenses(given.owner, 1)
  const name = await newCustomer([given.key, second])
  await passTime(given.app, given.owner, 31 * day)
  const expected = [source(second, 29), source(given.key, 0)]
  expect((await sourcesOf(name)).licenses).toEqual(expected)
  await given.asOwner('toggle_pause_user', { username: name })
  await passTime(given.app, given.owner, 50 * day)
  expect((await sourcesOf(name)).licenses).toEqual(expected)
})

test('what never ends is null, of a license and by hand', async () => {
  const [lifetime = ''] = await newLicenses(given.owner, 1, { expiryUnit: 'lifetime', duration: 0 })
  const name = await newCustomer([given.key, lifetime])
  expect(await sourcesOf(name)).toMatchObject({
    licenses: [source(given.key, 30), source(lifetime, null, { given: null })],
    byHand: null,
  })
  const byHand = await newUser(given.owner)
  await subscribe(given.owner, byHand, { days: null })
  expect((await list(byHand)).body.levels[0]?.byHand).toEqual({ left: null })
})

test('of many licenses, 10 are listed and all are counted', async () => {
  const keys = await newLicenses(given.owner, 12)
  const { licenses, licenseCount } = await sourcesOf(await newCustomer(keys))
  expect(licenses.map(({ key }) => key)).toEqual(keys.slice(0, 10))
  expect(licenseCount).toBe(12)
})

test('bad names are rejected, and a foreign user looks like a missing one', async () => {
  const stranger = await newOwnerWithApp(given.app)
  const name = await newCustomer([given.key])
  const path = `/api/1.0/website/user/${name}/time_sources`
  expectRejected(await given.owner.visitor.send('GET', path.replace(name, 'u'.repeat(201))), 'long name')
  expectRejected(await given.owner.visitor.send('GET', `${path}?noSuchField=1`), 'unknown field')
  expectRejected(await given.app.visitor().send('GET', path), path, 401)
  const foreign = await list(name, stranger)
  expectRejected(foreign, path, 404)
  expect(seen(foreign)).toBe(seen(await list('nobody-here', stranger)))
})
