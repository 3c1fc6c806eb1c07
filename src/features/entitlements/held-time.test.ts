import { beforeEach, describe, expect, test } from 'vitest'
import { day, passTime, userPassword } from '#testing/people/end-users.ts'
import { newLicenses } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { setUpProgram } from '#testing/people/program-setup.ts'
import { customersOf } from '#testing/people/two-licenses.ts'

// The first of two licenses, of 10 days and of 1, is banned from the start, and 6 days pass: it has 5 left.

const given = setUpProgram()
const { redeem, daysLeft, toggleBan, remove, restore } = customersOf(given)

let made = 0
let name = ''
let first = ''

beforeEach(async () => {
  name = `ended-${++made}`
  const [ten = ''] = await newLicenses(given.owner, 1, { duration: 10 })
  const [one = ''] = await newLicenses(given.owner, 1, { duration: 1 })
  first = ten
  const program = await Program.of(given.app, given.owner)
  await program.init()
  await program.register(name, userPassword, first)
  await redeem(name, one)
  await toggleBan(first)
  await passTime(given.app, given.owner, 6 * day)
})

type Act = () => Promise<{ body: object }>

const extend: Act = () =>
  given.owner.visitor.call('POST /users/bulk', {
    body: { action: 'extend', usernames: [name], subscription: 1, duration: 1, unit: 'days', extendExpired: true },
  })
const setEnd = (body: { duration: number } | { expiry: number }) =>
  given.owner.visitor.call('PUT /user/{username}/subscriptions/{id}', { params: { username: name, id: 1 }, body })
const undo = (undoId: unknown) => given.owner.visitor.call('POST /users/undo', { body: { undoId: String(undoId) } })

/** Overwrites the user by an import that names an end a day from now; returns the import's ID. */
async function overwrite(): Promise<string> {
  const file = { kind: 'users', source: 'keyauth', fileName: 'users.json', fingerprint: 'ab', rows: 1 } as const
  const levels = [{ label: '1', level: 1 }]
  const started = await given.owner.visitor.call('POST /imports/start', {
    body: { ...file, levels, onConflict: 'overwrite' },
  })
  const { importId } = started.body.import
  const expiry = String(given.app.now() + day)
  const users = [{ row: 1, username: name, subscriptions: [{ level: '1', expiry }] }]
  const { body } = await given.owner.visitor.call('POST /imports/rows', { body: { importId, batch: 1, users } })
  expect(body).toMatchObject({ overwritten: 1 })
  return importId
}

describe('after an end that was set by hand later, a banned license has what it had left by then', () => {
  test.each([
    ['an extension of what had ended', extend],
    ['a duration from now', () => setEnd({ duration: 1 })],
    ['an end', () => setEnd({ expiry: given.app.now() + day })],
    ['an import', overwrite],
  ])('%s', async (_, change) => {
    await change()
    expect(await daysLeft(name)).toBe(1)
    await toggleBan(first)
    expect(await daysLeft(name)).toBe(6)
  })

  test('an end in the past', async () => {
    await setEnd({ expiry: given.app.now() - day })
    await toggleBan(first)
    expect(await daysLeft(name)).toBe(5)
  })
})

describe('an undo gives a banned license back what a later end took', () => {
  test.each([
    ['an extension of what had ended', extend],
    ['a duration from now', () => setEnd({ duration: 1 })],
  ])('%s', async (_, change) => {
    const { undoId } = (await change()).body as { undoId?: string }
    await passTime(given.app, given.owner, 600)
    expect((await undo(undoId)).body).toMatchObject({ restored: 1, failed: 0 })
    await toggleBan(first)
    expect(await daysLeft(name)).toBe(5)
  })

  test('an import', async () => {
    const undoId = await overwrite()
    expect((await given.owner.visitor.call('POST /imports/undo', { body: { undoId } })).body).toMatchObject({
      restored: 1,
      failed: 0,
    })
    await toggleBan(first)
    expect(await daysLeft(name)).toBe(5)
  })

  test('not once the time of the license was changed since', async () => {
    const { undoId } = (await extend()).body as { undoId?: string }
    await given.asOwner('add_time_licenses', { licenses: [first], duration: 2, expiryUnit: 'days' })
    expect((await undo(undoId)).body).toMatchObject({ restored: 0, failed: 1 })
    await toggleBan(first)
    expect(await daysLeft(name)).toBe(8)
  })
})

describe('what passes after the rest has ended is taken from a deleted license', () => {
  const renew: Act = async () => {
    const [licenseKey = ''] = await newLicenses(given.owner, 1, { duration: 1 })
    return { body: await redeem(name, licenseKey) }
  }

  test.each([
    ['another license', renew],
    ['an extension of what had ended', extend],
    ['a duration from now', () => setEnd({ duration: 1 })],
  ])('before %s', async (_, change) => {
    await toggleBan(first)
    await extend()
    const undoId = await remove(first)
    expect(await daysLeft(name)).toBe(1)
    await passTime(given.app, given.owner, 3 * day)
    await change()
    expect(await daysLeft(name)).toBe(1)
    expect((await restore(undoId)).body).toMatchObject({ restored: 1, failed: 0 })
    expect(await daysLeft(name)).toBe(4)
    await passTime(given.app, given.owner, 2 * day)
    expect(await daysLeft(name)).toBe(2)
  })
})

describe('time added by hand belongs to no license', () => {
  test('that is used up', async () => {
    await toggleBan(first)
    await passTime(given.app, given.owner, 6 * day)
    await extend()
    const { body } = await given.owner.visitor.call('GET /user/{username}/time_sources', { params: { username: name } })
    expect(body.levels[0]?.byHand).toEqual({ left: day })
    await remove(first)
    expect(await daysLeft(name)).toBe(1)
  })

  test('of which another one is used', async () => {
    await toggleBan(first)
    await passTime(given.app, given.owner, 4 * day)
    const [licenseKey = ''] = await newLicenses(given.owner, 1, { duration: 10 })
    await redeem(name, licenseKey)
    await passTime(given.app, given.owner, 3 * day)
    await extend()
    await remove(licenseKey)
    expect(await daysLeft(name)).toBe(1)
  })
})
