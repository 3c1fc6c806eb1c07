import { beforeAll, describe, expect, test } from 'vitest'
import { day, newSubscriber, passTime, subscribe, userPassword } from '#testing/people/end-users.ts'
import { newLicenses } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { setUpProgram } from '#testing/people/program-setup.ts'
import { customersOf } from '#testing/people/two-licenses.ts'

// Two licenses have given one user time on the same level. What happens to one of them leaves the time of the other.

const given = setUpProgram()
const { redeem, call, newCustomer, daysLeft, toggleBan, remove, restore } = customersOf(given)

beforeAll(async () => {
  await given.owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Pro' } })
})

const undo = (undoId: string | null | undefined) =>
  given.owner.visitor.call('POST /licenses/undo', { body: { undoId: String(undoId) } })
const sourcesOf = async (username: string) =>
  (await given.owner.visitor.call('GET /user/{username}/time_sources', { params: { username } })).body.levels
const deleteUser = async (username: string): Promise<string> => String((await call('delete_user', { username })).undoId)

/** The code of a sign-in with name and password; undefined if it succeeds. */
async function signInCode(name: string): Promise<unknown> {
  const program = await Program.of(given.app, given.owner)
  await program.init()
  return (await program.login(name, userPassword)).body['code']
}

describe('a ban', () => {
  test.each([
    ['first', 30],
    ['second', 20],
  ] as const)(
    'of the %s takes what it has left; the user goes on, and lifting it restores all',
    async (which, left) => {
      const customer = await newCustomer(10)
      expect(await daysLeft(customer.name)).toBe(50)
      await toggleBan(customer[which])
      expect(await daysLeft(customer.name)).toBe(left)
      expect(await signInCode(customer.name)).toBeUndefined()
      await toggleBan(customer[which])
      expect(await daysLeft(customer.name)).toBe(50)
    },
  )

  test('of both rejects the user for the ban', async () => {
    const { name, first, second } = await newCustomer()
    for (const key of [first, second]) await toggleBan(key)
    expect(await daysLeft(name)).toBe(0)
    expect(await signInCode(name)).toBe('LICENSE_BANNED')
    await toggleBan(first)
    expect(await daysLeft(name)).toBe(30)
    expect(await signInCode(name)).toBeUndefined()
  })

  test('that is lifted leaves the order in which the licenses are used', async () => {
    const { name, first } = await newCustomer()
    const before = await sourcesOf(name)
    for (const _ of ['ban', 'lift']) await toggleBan(first)
    expect(await sourcesOf(name)).toEqual(before)
    await passTime(given.app, given.owner, 10 * day)
    await toggleBan(first)
    expect(await daysLeft(name)).toBe(30)
  })

  test('of many at once is undone exactly', async () => {
    const { name, first, second } = await newCustomer()
    const { body } = await given.owner.visitor.call('POST /licenses/bulk', {
      body: { action: 'ban', licenses: [first, second] },
    })
    expect(await daysLeft(name)).toBe(0)
    await undo(body.undoId)
    expect(await daysLeft(name)).toBe(60)
  })

  test('stays when another license is redeemed', async () => {
    const { name, second } = await newCustomer()
    await toggleBan(second)
    const [third = ''] = await newLicenses(given.owner, 1, { duration: 7 })
    expect((await redeem(name, third))['success']).toBe(true)
    expect(await daysLeft(name)).toBe(37)
    await toggleBan(second)
    expect(await daysLeft(name)).toBe(67)
  })

  test('during a pause costs nothing but the time of that license', async () => {
    const { name, first, second } = await newCustomer()
    await given.asOwner('toggle_pause_user', { username: name })
    for (const key of [first, second]) await toggleBan(key)
    await passTime(given.app, given.owner, 5 * day)
    await given.asOwner('toggle_pause_user', { username: name })
    for (const key of [first, second]) await toggleBan(key)
    expect(await daysLeft(name)).toBe(60)
  })

  test('costs nothing of a pause that begins after the rest has ended', async () => {
    const [first = ''] = await newLicenses(given.owner, 1, { duration: 1 })
    const [second = ''] = await newLicenses(given.owner, 1, { duration: 10 })
    const name = 'paused-late'
    const program = await Program.of(given.app, given.owner)
    await program.init()
    await program.register(name, userPassword, first)
    await redeem(name, second)
    await toggleBan(second)
    await passTime(given.app, given.owner, 3 * day)
    await given.asOwner('toggle_pause_user', { username: name })
    await passTime(given.app, given.owner, 10 * day)
    await given.asOwner('toggle_pause_user', { username: name })
    await toggleBan(second)
    expect(await daysLeft(name)).toBe(8)
  })

  test('in a pause in which the level is deleted costs nothing either', async () => {
    await given.owner.visitor.call('POST /create_subscription', { body: { level: 4, name: 'Max' } })
    const [first = '', second = ''] = await newLicenses(given.owner, 2, { subscription: 4 })
    const name = 'paused-level'
    const program = await Program.of(given.app, given.owner)
    await program.init()
    await program.register(name, userPassword, first)
    await redeem(name, second)
    await given.asOwner('toggle_pause_user', { username: name })
    for (const key of [first, second]) await toggleBan(key)
    const deleted = await call('delete_subscription', { level: 4, forceDelete: true })
    await passTime(given.app, given.owner, 5 * day)
    await given.asOwner('toggle_pause_user', { username: name })
    expect((await restore(String(deleted.undoId))).body.failed).toBe(0)
    for (const key of [first, second]) await toggleBan(key)
    expect(await daysLeft(name, 4)).toBe(60)
  })

  test('and a redemption at the same moment leave either the time of the new license or none', async () => {
    for (let round = 0; round < 4; round++) {
      const { name, first, second } = await newCustomer()
      await remove(second)
      const [third = ''] = await newLicenses(given.owner, 1, { duration: 7 })
      const [redemption] = await Promise.all([redeem(name, third), toggleBan(first)])
      const isFirst = redemption['success']
      expect(await signInCode(name)).toBe(isFirst ? undefined : 'LICENSE_BANNED')
      if (isFirst) expect(await daysLeft(name)).toBe(7)
    }
  })
})

describe('a deletion', () => {
  test.each(['first', 'second'] as const)('of the %s takes what it has left, and undo gives it back', async (which) => {
    const customer = await newCustomer()
    const undoId = await remove(customer[which])
    expect(await daysLeft(customer.name)).toBe(30)
    expect(await signInCode(customer.name)).toBeUndefined()
    await passTime(given.app, given.owner, 3 * day)
    expect((await restore(undoId)).body).toMatchObject({ restored: 1, failed: 0 })
    expect(await daysLeft(customer.name)).toBe(57)
  })

  test('that is undone leaves the order in which the licenses are used', async () => {
    const { name, first } = await newCustomer()
    const before = await sourcesOf(name)
    await restore(await remove(first))
    expect(await sourcesOf(name)).toEqual(before)
    await passTime(given.app, given.owner, 10 * day)
    await toggleBan(first)
    expect(await daysLeft(name)).toBe(30)
  })

  test('of both at once is undone', async () => {
    const { name, first, second } = await newCustomer()
    const { body } = await given.owner.visitor.call('POST /licenses/bulk', {
      body: { action: 'delete', licenses: [second, first] },
    })
    expect(await daysLeft(name)).toBeUndefined()
    expect((await restore(String(body.undoId))).body).toMatchObject({ restored: 2, failed: 0 })
    expect(await daysLeft(name)).toBe(60)
  })

  test('of both, one after the other, is undone in either order', async () => {
    for (const isFirst of [true, false]) {
      const { name, first, second } = await newCustomer()
      const deletions = [await remove(first), await remove(second)]
      for (const undoId of isFirst ? deletions : deletions.toReversed())
        expect((await restore(undoId)).body).toMatchObject({ restored: 1, failed: 0 })
      expect(await daysLeft(name)).toBe(60)
    }
  })

  test('is undone beside a license that was redeemed since, and lifts no ban', async () => {
    const { name, first, second } = await newCustomer()
    const deletions = [await remove(first), await remove(second)]
    const [third = ''] = await newLicenses(given.owner, 1, { duration: 7 })
    await redeem(name, third)
    await toggleBan(third)
    for (const undoId of deletions) await restore(undoId)
    expect(await daysLeft(name)).toBe(60)
    await toggleBan(third)
    expect(await daysLeft(name)).toBe(67)
  })

  test('of one that added to time given by hand leaves that time, and undo adds it again', async () => {
    const name = await newSubscriber(given.owner, { days: 10 })
    const [key = ''] = await newLicenses(given.owner, 1)
    expect((await redeem(name, key))['success']).toBe(true)
    expect(await daysLeft(name)).toBe(40)
    const undoId = await remove(key)
    expect(await daysLeft(name)).toBe(10)
    expect((await restore(undoId)).body).toMatchObject({ restored: 1, failed: 0 })
    expect(await daysLeft(name)).toBe(40)
  })

  test('of a banned one comes back banned', async () => {
    const { name, second } = await newCustomer()
    await toggleBan(second)
    const undoId = await remove(second)
    await restore(undoId)
    expect(await daysLeft(name)).toBe(30)
    expect(await signInCode(name)).toBeUndefined()
    await toggleBan(second)
    expect(await daysLeft(name)).toBe(60)
  })
})

describe('an edit', () => {
  test('of time, by one license or both at once, adds to the level, and undo takes it back', async () => {
    const { name, first, second } = await newCustomer()
    const one = await call('add_time_licenses', { licenses: [first], duration: 5, expiryUnit: 'days' })
    expect(await daysLeft(name)).toBe(65)
    await undo(one.undoId)
    expect(await daysLeft(name)).toBe(60)
    const both = await call('add_time_licenses', {
      licenses: [first, second],
      duration: 5,
      expiryUnit: 'days',
    })
    expect(await daysLeft(name)).toBe(70)
    await toggleBan(first)
    expect(await daysLeft(name)).toBe(35)
    await toggleBan(first)
    await undo(both.undoId)
    expect(await daysLeft(name)).toBe(60)
    const longer = await call('add_time_licenses', { licenses: [second], duration: 5, expiryUnit: 'days' })
    await toggleBan(first)
    await undo(longer.undoId)
    expect(await daysLeft(name)).toBe(35)
  })

  test('of a duration changes what that license gave, and undo restores it', async () => {
    const { name, second } = await newCustomer()
    const { undoId } = await call('update_license', { licenseKey: second, expiry: 10 * day })
    expect(await daysLeft(name)).toBe(40)
    await undo(undoId)
    expect(await daysLeft(name)).toBe(60)
    await given.asOwner('update_license', { licenseKey: second, expiry: 0 })
    expect(await daysLeft(name)).toBeNull()
    await toggleBan(second)
    expect(await daysLeft(name)).toBe(30)
  })

  test('of a level moves what that license has left', async () => {
    const { name, second } = await newCustomer()
    expect((await call('update_license', { licenseKey: second, subscription: 2 })).success).toBe(true)
    expect(await daysLeft(name, 1)).toBe(30)
    expect(await daysLeft(name, 2)).toBe(30)
    expect((await call('update_license', { licenseKey: second, subscription: 1 })).code).toBe('LEVEL_TAKEN_BY_USER')
  })

  test.each(['first', 'second'] as const)('of the level of the %s is undone beside the other', async (which) => {
    const { name, [which]: licenseKey } = await newCustomer()
    const { undoId } = await call('update_license', { licenseKey, subscription: 2 })
    await toggleBan(licenseKey)
    expect((await undo(undoId)).body).toMatchObject({ restored: 1, failed: 0 })
    expect([await daysLeft(name, 1), await daysLeft(name, 2)]).toEqual([30, undefined])
    await toggleBan(licenseKey)
    expect(await daysLeft(name)).toBe(60)
  })

  test('of a level is not undone once the other is gone and the level was given by hand', async () => {
    const { name, first, second } = await newCustomer()
    const { undoId } = await call('update_license', { licenseKey: second, subscription: 2 })
    await remove(first)
    await subscribe(given.owner, name, { days: 3 })
    expect((await undo(undoId)).body).toMatchObject({ restored: 0, failed: 1 })
    expect([await daysLeft(name, 1), await daysLeft(name, 2)]).toEqual([3, 30])
  })
})

describe('a user in the bin', () => {
  test('comes back as the licenses are by then', async () => {
    const { name, first, second } = await newCustomer()
    const banned = await deleteUser(name)
    await toggleBan(first)
    await restore(banned)
    expect(await daysLeft(name)).toBe(30)
    await toggleBan(first)
    expect(await daysLeft(name)).toBe(60)
    const gone = await deleteUser(name)
    const undoId = await remove(second)
    await restore(gone)
    expect(await daysLeft(name)).toBe(30)
    expect((await restore(undoId)).body).toMatchObject({ restored: 1, failed: 0 })
    expect(await daysLeft(name)).toBe(60)
  })

  test('keeps what a license gives back that was deleted before', async () => {
    const { name, first } = await newCustomer()
    const undoId = await remove(first)
    const gone = await deleteUser(name)
    await restore(undoId)
    await restore(gone)
    expect(await daysLeft(name)).toBe(60)
  })

  test('keeps what each of two licenses gives back, none of them in its time', async () => {
    const { name, first, second } = await newCustomer()
    const deletions = [await remove(second), await remove(first)]
    const gone = await deleteUser(name)
    for (const undoId of deletions) await restore(undoId)
    await restore(gone)
    expect(await daysLeft(name)).toBe(60)
    await toggleBan(first)
    expect(await daysLeft(name)).toBe(30)
  })
})

test('a deleted level comes back as the licenses are by then', async () => {
  await given.owner.visitor.call('POST /create_subscription', { body: { level: 3, name: 'Team' } })
  const [first = '', second = ''] = await newLicenses(given.owner, 2, { subscription: 3 })
  const program = await Program.of(given.app, given.owner)
  await program.init()
  await program.register('team', userPassword, first)
  await redeem('team', second)
  expect(await daysLeft('team', 3)).toBe(60)
  const { body } = await given.owner.visitor.call('POST /delete_subscription', {
    body: { level: 3, forceDelete: true },
  })
  expect((await restore(String(body.undoId))).body.failed).toBe(0)
  expect(await daysLeft('team', 3)).toBe(60)
  await toggleBan(second)
  expect(await daysLeft('team', 3)).toBe(30)
})
