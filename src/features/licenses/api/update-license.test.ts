import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  expectAllRefused,
  expectOnlyOwner,
  hostileBodies,
  notIntegers,
  notTexts,
  strangeTexts,
} from '#testing/hostile-input.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people.ts'
import { Program } from '#testing/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp
let program: Program

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  stranger = await newOwnerWithApp(app)
  await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Pro' } })
  program = await Program.of(app, owner)
  await program.init()
})
afterAll(() => app.close())

const day = 86_400
type Row = Awaited<ReturnType<typeof row>>
const update = (body: object) =>
  owner.visitor.send<{ license: Row }>('POST', '/api/1.0/website/update_license', { body })
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
  test('changes subscription, notes and expiry, and gives the license as it is now', async () => {
    const [licenseKey = ''] = await newLicenses(owner, 1)
    const { status, body } = await update({ licenseKey, subscription: 2, notes: 'for Ana', expiry: 5 * day })
    expect({ status, message: body.message }).toEqual({ status: 200, message: 'License updated successfully' })
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
  ])('%j changes that and leaves the rest', async (change, expected) => {
    const [licenseKey = ''] = await newLicenses(owner, 1, { notes: 'kept' })
    await update({ licenseKey, ...change })
    expect(await row(licenseKey)).toMatchObject(expected)
  })

  test('both names of the key are taken', async () => {
    const [license = ''] = await newLicenses(owner, 1)
    expect((await update({ license, notes: 'by its other name' })).body.license.notes).toBe('by its other name')
  })

  test.each(strangeTexts)('the note %j is kept as it is', async (notes) => {
    const [licenseKey = ''] = await newLicenses(owner, 1)
    await update({ licenseKey, notes })
    expect((await row(licenseKey)).notes).toBe(notes)
  })

  test('of a redeemed license the end moves with its expiry, counted from the redemption, also for its user', async () => {
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

  test('of a redeemed license the level changes for its user on the next call', async () => {
    const [licenseKey = ''] = await newLicenses(owner, 1)
    await program.license(licenseKey)
    await update({ licenseKey, subscription: 2 })
    expect(await subscriptionsOf(licenseKey)).toMatchObject([{ level: 2, name: 'Pro' }])
  })

  test('an expiry that has passed ends the access at once', async () => {
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

describe('refusing bad input', () => {
  test('hostile bodies are refused and nothing changes', async () => {
    const [licenseKey = ''] = await newLicenses(owner, 1)
    const notLevels = ['', 'abc', -1, 0, 1.5, 1e308, true, null, [], {}, { level: '2' }]
    await expectAllRefused(app, owner.visitor, '/update_license', [
      ...hostileBodies(
        { licenseKey, notes: 'x' },
        {
          licenseKey: [...notTexts, '', 'k'.repeat(201)],
          license: [...notTexts, ''],
          subscription: notLevels,
          plan: notLevels,
          notes: [...notTexts, 'n'.repeat(501)],
          expiry: [...notIntegers, '86400', 31_536_000_001],
        },
      ),
      { notes: 'no key' },
      { licenseKey, used: false },
      { licenseKey, banned: false },
      { licenseKey, expiresAt: 1 },
    ])
  })

  test('a level that the app does not have is refused and changes nothing', async () => {
    const [licenseKey = ''] = await newLicenses(owner, 1)
    const { status, body } = await update({ licenseKey, subscription: 99, notes: 'half done?' })
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'SUBSCRIPTION_NOT_FOUND' })
    expect(await row(licenseKey)).toMatchObject({ level: 1, notes: '' })
  })

  test.each([`' or '1'='1`, '%', '_', '*', ' ', '__proto__'])('the key %j names nothing', async (licenseKey) => {
    expect(await update({ licenseKey, notes: 'x' })).toMatchObject({
      status: 404,
      body: { code: 'LICENSE_NOT_FOUND', message: 'License not found' },
    })
  })

  test('a stranger is refused, and a foreign license looks like a missing one', async () => {
    const [licenseKey = ''] = await newLicenses(owner, 1)
    const body = (key: 'own' | 'missing') => ({
      licenseKey: key === 'own' ? licenseKey : 'NONE',
      notes: 'stolen',
      expiry: 0,
    })
    const answer = await expectOnlyOwner(app, { stranger: stranger.visitor, call: 'POST /update_license', body })
    expect(answer).toMatchObject({ status: 404, body: { code: 'LICENSE_NOT_FOUND' } })
  })
})
