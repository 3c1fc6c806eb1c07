import { beforeAll, describe, expect, test } from 'vitest'
import { day, passTime, userPassword } from '#testing/people/end-users.ts'
import { newLicenses } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { setUpProgram } from '#testing/people/program-setup.ts'
import { customersOf } from '#testing/people/two-licenses.ts'

// Licenses are edited while their user lies in the bin.

const given = setUpProgram()
const { call, newCustomer, daysLeft, toggleBan, remove, restore } = customersOf(given)

beforeAll(async () => {
  for (const level of [2, 3])
    await given.owner.visitor.call('POST /create_subscription', { body: { level, name: `Level ${level}` } })
})

let made = 0

/** A user with one license of 30 days. */
async function newUser(): Promise<{ name: string; key: string }> {
  const [key = ''] = await newLicenses(given.owner, 1)
  const program = await Program.of(given.app, given.owner)
  await program.init()
  const name = `deleted-${++made}`
  await program.register(name, userPassword, key)
  return { name, key }
}

const deleteUser = async (username: string): Promise<string> => String((await call('delete_user', { username })).undoId)
const comeBack = async (undoId: string) =>
  expect((await restore(undoId)).body).toMatchObject({ restored: 1, failed: 0 })
const undo = async (undoId: string | null | undefined) =>
  (await given.owner.visitor.call('POST /licenses/undo', { body: { undoId: String(undoId) } })).body

const addTime = (licenses: string[]) => call('add_time_licenses', { licenses, duration: 5, expiryUnit: 'days' })
const addTimeInBulk = async (licenses: string[]) => {
  const body = { action: 'add-time' as const, licenses, duration: 5, expiryUnit: 'days' as const }
  return (await given.owner.visitor.call('POST /licenses/bulk', { body })).body
}

describe('a user comes back from the bin', () => {
  test.each([
    ['added time', addTime],
    ['time added in bulk', addTimeInBulk],
  ])('with %s, and without it once it was undone', async (_name, add) => {
    const [alone, customer, undone] = [await newUser(), await newCustomer(), await newUser()]
    const deletions = []
    for (const { name } of [alone, customer, undone]) deletions.push(await deleteUser(name))
    await add([alone.key, customer.second])
    const { undoId } = await add([undone.key])
    expect(await undo(undoId)).toMatchObject({ restored: 1, failed: 0 })
    for (const deletion of deletions) await comeBack(deletion)
    expect(await daysLeft(alone.name)).toBe(35)
    expect(await daysLeft(customer.name)).toBe(65)
    expect(await daysLeft(undone.name)).toBe(30)
    await toggleBan(customer.second)
    expect(await daysLeft(customer.name)).toBe(30)
  })

  test('with another duration, also a lifetime, and with the former one once it was undone', async () => {
    const [shorter, never, customer, undone] = [await newUser(), await newUser(), await newCustomer(), await newUser()]
    const deletions = []
    for (const { name } of [shorter, never, customer, undone]) deletions.push(await deleteUser(name))
    await call('update_license', { licenseKey: shorter.key, expiry: 10 * day })
    await call('update_license', { licenseKey: never.key, expiry: 0 })
    await call('update_license', { licenseKey: customer.second, expiry: 40 * day })
    const { undoId } = await call('update_license', { licenseKey: undone.key, expiry: 90 * day })
    expect(await undo(undoId)).toMatchObject({ restored: 1, failed: 0 })
    for (const deletion of deletions) await comeBack(deletion)
    expect(await daysLeft(shorter.name)).toBe(10)
    expect(await daysLeft(never.name)).toBeNull()
    expect(await daysLeft(customer.name)).toBe(70)
    expect(await daysLeft(undone.name)).toBe(30)
  })

  test('with no more than was left, once a duration shorter than what was used is undone', async () => {
    const { name, first } = await newCustomer()
    await passTime(given.app, given.owner, 10 * day)
    const deletion = await deleteUser(name)
    const { undoId } = await call('update_license', { licenseKey: first, expiry: 5 * day })
    expect(await undo(undoId)).toMatchObject({ restored: 1, failed: 0 })
    await comeBack(deletion)
    expect(await daysLeft(name)).toBe(50)
  })

  test('with another level, which takes only the time of its license', async () => {
    const [alone, customer, undone] = [await newUser(), await newCustomer(), await newUser()]
    const deletions = []
    for (const { name } of [alone, customer, undone]) deletions.push(await deleteUser(name))
    await call('update_license', { licenseKey: alone.key, subscription: 2 })
    await call('update_license', { licenseKey: customer.second, subscription: 2 })
    const { undoId } = await call('update_license', { licenseKey: undone.key, subscription: 2 })
    expect(await undo(undoId)).toMatchObject({ restored: 1, failed: 0 })
    for (const deletion of deletions) await comeBack(deletion)
    expect([await daysLeft(alone.name, 1), await daysLeft(alone.name, 2)]).toEqual([undefined, 30])
    expect([await daysLeft(customer.name, 1), await daysLeft(customer.name, 2)]).toEqual([30, 30])
    expect([await daysLeft(undone.name, 1), await daysLeft(undone.name, 2)]).toEqual([30, undefined])
    await toggleBan(customer.second)
    expect(await daysLeft(customer.name, 1)).toBe(30)
  })

  test('with the time that a pause has kept, and what was added to it', async () => {
    const { name, key } = await newUser()
    await call('toggle_pause_user', { username: name })
    const deletion = await deleteUser(name)
    await passTime(given.app, given.owner, 7 * day)
    await addTime([key])
    await comeBack(deletion)
    expect(await daysLeft(name)).toBe(35)
  })
})

test('a license gets no level that its deleted user has from elsewhere', async () => {
  const { name, key } = await newUser()
  await given.asOwner(`user/${name}/subscriptions`, { level: 3, duration: 10 })
  const deletion = await deleteUser(name)
  expect(await call('update_license', { licenseKey: key, subscription: 3 })).toMatchObject({
    code: 'LEVEL_TAKEN_BY_USER',
  })
  await comeBack(deletion)
  expect([await daysLeft(name, 1), await daysLeft(name, 3)]).toEqual([30, 10])
})

test.each(['an edit first', 'the restoration first'])('added time and a restoration at once, %s', async (first) => {
  const { name, key } = await newUser()
  const deletion = await deleteUser(name)
  const calls = [() => addTime([key]), () => comeBack(deletion)]
  await Promise.all((first === 'an edit first' ? calls : calls.toReversed()).map((run) => run()))
  expect(await daysLeft(name)).toBe(35)
})

describe('while the user is in the bin, time passes for the license that would be in use', () => {
  test('not for the one that is banned meanwhile, until the ban is lifted', async () => {
    const { name, first } = await newCustomer()
    const deletion = await deleteUser(name)
    await toggleBan(first)
    await passTime(given.app, given.owner, 3 * day)
    await comeBack(deletion)
    expect(await daysLeft(name)).toBe(27)
    await toggleBan(first)
    expect(await daysLeft(name)).toBe(57)
  })

  test('for the one whose ban is lifted meanwhile', async () => {
    const { name, first } = await newCustomer()
    await toggleBan(first)
    const deletion = await deleteUser(name)
    await toggleBan(first)
    await passTime(given.app, given.owner, 3 * day)
    await comeBack(deletion)
    await toggleBan(first)
    expect(await daysLeft(name)).toBe(30)
  })

  test('not for the one that is deleted meanwhile, which has all of it when it comes back', async () => {
    const { name, first } = await newCustomer()
    const deletion = await deleteUser(name)
    const deletedLicense = await remove(first)
    await passTime(given.app, given.owner, 3 * day)
    await comeBack(deletion)
    expect(await daysLeft(name)).toBe(27)
    await comeBack(deletedLicense)
    expect(await daysLeft(name)).toBe(57)
  })

  test('for the one that is restored meanwhile', async () => {
    const { name, first } = await newCustomer()
    const deletedLicense = await remove(first)
    const deletion = await deleteUser(name)
    await comeBack(deletedLicense)
    await passTime(given.app, given.owner, 3 * day)
    await comeBack(deletion)
    expect(await daysLeft(name)).toBe(57)
    await toggleBan(first)
    expect(await daysLeft(name)).toBe(30)
  })

  test('and of several that are deleted, each has its own when it comes back', async () => {
    const { name, first, second } = await newCustomer()
    const deletion = await deleteUser(name)
    const [ofSecond, ofFirst] = [await remove(second), await remove(first)]
    await comeBack(deletion)
    await comeBack(ofSecond)
    expect(await daysLeft(name)).toBe(30)
    await comeBack(ofFirst)
    expect(await daysLeft(name)).toBe(60)
  })
})
