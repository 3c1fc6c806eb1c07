import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAllRejected, hostileBodies, notIntegers, notTexts, strangeTexts } from '#testing/faults/hostile-input.ts'
import { passTime, timeLeft, userPassword } from '#testing/people/end-users.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let program: Program

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Pro' } })
  program = await Program.of(app, owner)
  await program.init()
})
afterAll(() => app.close())

const day = 86_400
/** A user who has redeemed the license. */
async function newCustomer(licenseKey: string): Promise<string> {
  const username = `customer-of-${licenseKey}`
  const customer = await Program.of(app, owner)
  await customer.init()
  await customer.register(username, userPassword, licenseKey)
  return username
}
type Row = Awaited<ReturnType<typeof row>>
const update = (body: object) =>
  owner.visitor.send<{ license: Row; undoId?: string }>('POST', '/api/1.0/website/update_license', { body })
async function row(license: string) {
  const [found] = (await owner.visitor.call('GET /licenses', { query: { search: license } })).body.licenses
  if (!found) throw new Error(`No license ${license}`)
  return found
}
async function subscriptionsOf(license: string) {
  const { body } = await program.license(license)
  return (body['user'] as { subscriptions: { level: number; name: string; expiresAt: number | null }[] } | undefined)
    ?.subscriptions
}

describe('updating a license', () => {
  test('changes the subscription, notes, and expiry, and returns the updated license', async () => {
    const [licenseKey = ''] = await newLicenses(owner, 1)
    const { status, body } = await update({ licenseKey, subscription: 2, notes: 'for Ana', expiry: 5 * day })
    expect({ status, code: body.code, message: body.message }).toEqual({
      status: 200,
      code: 'LICENSE_UPDATE_OK',
      message: 'License updated successfully',
    })
    expect(body.license).toMatchObject({
      licenseKey,
      level: 2,
      subscription: { level: 2, name: 'Pro' },
      notes: 'for Ana',
      expiry: 5 * day,
    })
    expect(await row(licenseKey)).toEqual(body.license)
  })

  test.each([
    [{ notes: 'only notes' }, { notes: 'only notes', level: 1, expiry: 30 * day }],
    [{ plan: 2 }, { notes: 'kept', level: 2, expiry: 30 * day }],
    [{ subscriptionLevel: '2' }, { notes: 'kept', level: 2, expiry: 30 * day }],
    [{ subscription: { level: 2, name: 'x' } }, { notes: 'kept', level: 2, expiry: 30 * day }],
    [{ expiry: 0 }, { notes: 'kept', level: 1, expiry: 0 }],
    [{ notes: '' }, { notes: '', level: 1, expiry: 30 * day }],
    [{}, { notes: 'kept', level: 1, expiry: 30 * day }],
  ])('%j changes that field only', async (change, expected) => {
    const [licenseKey = ''] = await newLicenses(owner, 1, { notes: 'kept' })
    await update({ licenseKey, ...change })
    expect(await row(licenseKey)).toMatchObject(expected)
  })

  test('accepts both names of the key', async () => {
    const [license = ''] = await newLicenses(owner, 1)
    expect((await update({ license, notes: 'by its other name' })).body.license.notes).toBe('by its other name')
  })

  test.each(strangeTexts)('keeps the note %j unchanged', async (notes) => {
    const [licenseKey = ''] = await newLicenses(owner, 1)
    await update({ licenseKey, notes })
    expect((await row(licenseKey)).notes).toBe(notes)
  })

  test('a new expiry moves the end of a redeemed license and its user, counted from the redemption', async () => {
    const [licenseKey = ''] = await newLicenses(owner, 1)
    await program.license(licenseKey)
    const { usedAt } = await row(licenseKey)
    await update({ licenseKey, expiry: 90 * day })
    expect(await row(licenseKey)).toMatchObject({ expiry: 90 * day, expiresAt: Number(usedAt) + 90 * day })
    expect(await subscriptionsOf(licenseKey)).toMatchObject([{ level: 1, expiresAt: Number(usedAt) + 90 * day }])
    await update({ licenseKey, expiry: 0 })
    expect(await row(licenseKey)).toMatchObject({ expiry: 0, expiresAt: null })
    expect(await subscriptionsOf(licenseKey)).toMatchObject([{ level: 1, expiresAt: null }])
  })

  test('a new level of a redeemed license applies to its user on the next call', async () => {
    const [licenseKey = ''] = await newLicenses(owner, 1)
    await program.license(licenseKey)
    await update({ licenseKey, subscription: 2 })
    expect(await subscriptionsOf(licenseKey)).toMatchObject([{ level: 2, name: 'Pro' }])
  })

  test("a redeemed license can't get a level that its user already has", async () => {
    const [licenseKey = ''] = await newLicenses(owner, 1, { subscription: 2 })
    await program.license(licenseKey)
    const params = { username: (await row(licenseKey)).usedBy }
    const given = await owner.visitor.call('POST /user/{username}/subscriptions', {
      params,
      body: { level: 1, duration: 5 },
    })
    expect(given.status).toBe(200)
    const before = await row(licenseKey)
    const answer = await update({ licenseKey, subscription: 1 })
    expect([answer.status, answer.body]).toMatchObject([
      409,
      { code: 'LEVEL_TAKEN_BY_USER', message: 'The user already has this subscription' },
    ])
    expect(await row(licenseKey)).toEqual(before)
  })

  test('an expiry in the past ends access at once', async () => {
    const [licenseKey = ''] = await newLicenses(owner, 1)
    await program.license(licenseKey)
    expect((await program.heartbeat()).body.success).toBe(true)
    app.advance(60)
    await update({ licenseKey, expiry: 30 })
    expect((await program.heartbeat()).body).toMatchObject({ success: false, code: 'SUBSCRIPTION_EXPIRED' })
    await update({ licenseKey, expiry: day })
    expect((await program.license(licenseKey)).body.success).toBe(true)
  })
})

describe('two tabs', () => {
  const opened = { subscription: 1, notes: 'as opened', expiry: 30 * day }
  const open = async () => (await newLicenses(owner, 1, { notes: opened.notes }))[0] as string

  test.each([
    ['subscription', 2, 3],
    ['notes', 'theirs', 'mine'],
    ['expiry', 5 * day, 6 * day],
  ] as const)(
    'rejects a change to %s that somebody else changed meanwhile, with the current value',
    async (field, theirs, mine) => {
      const licenseKey = await open()
      await update({ licenseKey, [field]: theirs })
      const after = await row(licenseKey)
      const answer = await update({ licenseKey, [field]: mine, before: { [field]: opened[field] } })
      expect(answer).toMatchObject({ status: 409, body: { code: 'FIELD_CHANGED', current: { [field]: theirs } } })
      expect(await row(licenseKey)).toEqual(after)
    },
  )

  test('names every conflicting field and changes nothing', async () => {
    const licenseKey = await open()
    await update({ licenseKey, notes: 'theirs', expiry: 0 })
    const after = await row(licenseKey)
    const { status, body } = await update({ licenseKey, subscription: 2, notes: 'mine', expiry: day, before: opened })
    expect([status, body.code]).toEqual([409, 'FIELD_CHANGED'])
    expect((body as { current?: object }).current).toEqual({ notes: 'theirs', expiry: 0 })
    expect(await row(licenseKey)).toEqual(after)
  })

  test('a save succeeds when another field changed, or when the same change was already made', async () => {
    const licenseKey = await open()
    await update({ licenseKey, notes: 'theirs' })
    expect((await update({ licenseKey, expiry: day, before: { expiry: opened.expiry } })).status).toBe(200)
    expect((await update({ licenseKey, notes: 'theirs', before: { notes: opened.notes } })).status).toBe(200)
    expect(await row(licenseKey)).toMatchObject({ notes: 'theirs', expiry: day, level: 1 })
  })

  test('only one of twenty tabs that loaded the same state can save', async () => {
    const licenseKey = await open()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, tab) =>
        update({ licenseKey, notes: `tab ${tab}`, before: { notes: opened.notes } }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(409)])
  })
})

describe('invalid input', () => {
  test('rejects hostile bodies and changes nothing', async () => {
    const [licenseKey = ''] = await newLicenses(owner, 1)
    const notLevels = ['', 'abc', -1, 0, 1.5, 1e308, true, null, [], {}, { level: 'two' }]
    await expectAllRejected(app, owner.visitor, '/update_license', [
      ...hostileBodies(
        { licenseKey, notes: 'x' },
        {
          licenseKey: [...notTexts, '', 'k'.repeat(201)],
          license: [...notTexts, ''],
          subscription: notLevels,
          plan: notLevels,
          notes: [...notTexts, 'n'.repeat(501)],
          expiry: [...notIntegers, 31_536_000_001],
          before: [
            'x',
            5,
            null,
            true,
            [1],
            { subscription: 'x' },
            { notes: 5 },
            { expiry: -1 },
            { level: 'one' },
            { used: true },
          ],
        },
      ),
      { notes: 'no key' },
      { licenseKey, used: false },
      { licenseKey, banned: false },
      { licenseKey, expiresAt: 1 },
    ])
  })

  test("rejects a level that the app doesn't have and changes nothing", async () => {
    const [licenseKey = ''] = await newLicenses(owner, 1)
    const { status, body } = await update({ licenseKey, subscription: 99, notes: 'half done?' })
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'SUBSCRIPTION_NOT_FOUND' })
    expect(await row(licenseKey)).toMatchObject({ level: 1, notes: '' })
  })

  test.each([`' or '1'='1`, '%', '_', '*', ' ', '__proto__'])('the key %j matches no license', async (licenseKey) => {
    expect(await update({ licenseKey, notes: 'x' })).toMatchObject({
      status: 404,
      body: { code: 'LICENSE_NOT_FOUND', message: 'License not found' },
    })
  })
})

test('a new expiry takes neither the time of a pause nor time added by hand', async () => {
  const [licenseKey = ''] = await newLicenses(owner, 1)
  const username = await newCustomer(licenseKey)
  const daysLeft = async () => Number(await timeLeft(owner, username)) / day
  const pause = (paused: boolean) => owner.visitor.call('POST /toggle_pause_user', { body: { username, paused } })
  await passTime(app, owner, 5 * day)
  await pause(true)
  await passTime(app, owner, 10 * day)
  await pause(false)
  expect(await daysLeft()).toBe(25)
  await update({ licenseKey, expiry: 31 * day })
  expect(await daysLeft()).toBe(26)
  const { usedAt, expiresAt } = await row(licenseKey)
  expect(expiresAt).toBe(Number(usedAt) + 31 * day)
  const byHand = { usernames: [username], subscription: 1, duration: 10, unit: 'days' as const }
  await owner.visitor.call('POST /bulk_extend_users', { body: byHand })
  await update({ licenseKey, expiry: 21 * day })
  expect(await daysLeft()).toBe(26)
  await pause(true)
  await passTime(app, owner, day)
  const { body } = await update({ licenseKey, expiry: 22 * day })
  expect(await daysLeft()).toBe(27)
  await owner.visitor.call('POST /licenses/undo', { body: { undoId: String(body.undoId) } })
  expect(await daysLeft()).toBe(26)
})
