import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maxEpochSeconds } from '#contract/epoch-seconds.ts'
import { expectAllRejected, hostileBodies, notIntegers, notLists, notTexts } from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp
let program: Program

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  stranger = await newOwnerWithApp(app)
  program = await Program.of(app, owner)
  await program.init()
})
afterAll(() => app.close())

const day = 86_400
const addTime = (body: object, headers: Record<string, string> = {}) =>
  owner.visitor.send<{ updated: number; skipped: number }>('POST', '/api/1.0/website/add_time_licenses', {
    body,
    headers,
  })

async function row(license: string) {
  const [found] = (await owner.visitor.call('GET /licenses', { query: { search: license } })).body.licenses
  if (!found) throw new Error(`No license ${license}`)
  return found
}

/** Expiry of the user's subscription. */
async function subscriptionEnd(license: string): Promise<number | null> {
  const answer = await program.license(license)
  expect(answer.body.success).toBe(true)
  const { subscriptions } = answer.body['user'] as { subscriptions: { expiresAt: number | null }[] }
  return subscriptions[0]?.expiresAt ?? null
}

describe('adding time', () => {
  test.each([
    ['seconds', 1],
    ['minutes', 60],
    ['hours', 3600],
    ['days', day],
    ['weeks', 7 * day],
    ['months', 30 * day],
    ['years', 365 * day],
  ])('three %s add %i seconds to the duration of an unused license', async (expiryUnit, seconds) => {
    const licenses = await newLicenses(owner, 2)
    const { status, body } = await addTime({ licenses, expiryUnit, duration: 3 })
    expect({ status, ...body }).toMatchObject({
      status: 200,
      code: 'LICENSES_ADD_TIME_OK',
      values: { count: 2 },
      message: 'Time added to 2 licenses',
      updated: 2,
      skipped: 0,
    })
    for (const license of licenses)
      expect(await row(license)).toMatchObject({ expiry: 30 * day + 3 * seconds, expiresAt: null })
  })

  test("a redeemed license ends later, and so does its user's access", async () => {
    const [license = ''] = await newLicenses(owner, 1)
    await program.license(license)
    const before = await row(license)
    await addTime({ licenses: [license], expiryUnit: 'days', duration: 10 })
    const after = await row(license)
    expect(after.expiresAt).toBe((before.expiresAt as number) + 10 * day)
    expect(after.expiry).toBe(before.expiry + 10 * day)
    expect(await subscriptionEnd(license)).toBe(after.expiresAt)
  })

  test('restores access for an expired user on the next call', async () => {
    const [license = ''] = await newLicenses(owner, 1, { duration: 1 })
    await program.license(license)
    const ends = (await row(license)).expiresAt as number
    app.advance(ends - app.now() + 1)
    // The owners' sessions have expired.
    for (const { visitor, username, password, appId } of [owner, stranger]) {
      await visitor.call('POST /login', { body: { username, password } })
      await visitor.call('POST /select_app', { body: { appId } })
    }
    await program.init()
    expect((await program.license(license)).body).toMatchObject({ success: false, code: 'SUBSCRIPTION_EXPIRED' })
    await addTime({ licenses: [license], expiryUnit: 'days', duration: 1 })
    expect((await program.license(license)).body.success).toBe(true)
  })

  test('a lifetime stays one and counts as skipped, like a missing key', async () => {
    const [limited = ''] = await newLicenses(owner, 1)
    const [lifetime = ''] = await newLicenses(owner, 1, { expiryUnit: 'lifetime' })
    const { body } = await addTime({ licenses: [limited, lifetime, 'no-such-key'], expiryUnit: 'days', duration: 1 })
    expect(body).toMatchObject({ updated: 1, skipped: 2 })
    expect((await row(lifetime)).expiry).toBe(0)
  })

  test('a key listed twice gets the time once', async () => {
    const [license = ''] = await newLicenses(owner, 1)
    expect((await addTime({ licenses: [license, license], expiryUnit: 'days', duration: 1 })).body).toMatchObject({
      updated: 1,
      skipped: 0,
    })
    expect((await row(license)).expiry).toBe(31 * day)
  })

  test('twenty parallel calls add up', async () => {
    const [license = ''] = await newLicenses(owner, 1)
    await program.license(license)
    const before = await row(license)
    await Promise.all(
      Array.from({ length: 20 }, () => addTime({ licenses: [license], expiryUnit: 'days', duration: 1 })),
    )
    const after = await row(license)
    expect(after.expiresAt).toBe((before.expiresAt as number) + 20 * day)
    expect(await subscriptionEnd(license)).toBe(after.expiresAt)
  })

  test('one Idempotency-Key adds once, however often it is sent (R-LED-07)', async () => {
    const [license = ''] = await newLicenses(owner, 1)
    const body = { licenses: [license], expiryUnit: 'days', duration: 1 }
    const headers = { 'idempotency-key': 'add-a-day-once' }
    const answers = await Promise.all(Array.from({ length: 20 }, () => addTime(body, headers)))
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { updated: 1 } })
    expect((await row(license)).expiry).toBe(31 * day)
    expect((await addTime({ ...body, duration: 2 }, headers)).status).toBe(422)
  })
})

describe('the total time is capped (R-LIC-06)', () => {
  test('adding a thousand years twelve times keeps a valid end date, for the license and its user', async () => {
    const [used = '', unused = ''] = await newLicenses(owner, 2)
    await program.license(used)
    for (let times = 0; times < 12; times++) {
      expect((await addTime({ licenses: [used, unused], expiryUnit: 'years', duration: 1000 })).body.updated).toBe(2)
    }
    expect((await row(used)).expiresAt).toBe(maxEpochSeconds)
    expect(await subscriptionEnd(used)).toBe(maxEpochSeconds)
    expect((await row(unused)).expiry).toBeLessThanOrEqual(maxEpochSeconds)
    // A license redeemed only now expires at that time, too.
    expect(await subscriptionEnd(unused)).toBe(maxEpochSeconds)
    expect((await row(unused)).expiresAt).toBe(maxEpochSeconds)
    expect(new Date(maxEpochSeconds * 1000).getUTCFullYear()).toBe(9999)
  })
})

describe('invalid input', () => {
  test('rejects hostile bodies and changes nothing', async () => {
    const licenses = await newLicenses(owner, 1)
    const valid = { licenses, expiryUnit: 'days', duration: 1 }
    await expectAllRejected(app, owner.visitor, '/add_time_licenses', [
      ...hostileBodies(valid, {
        licenses: [
          ...notLists,
          [],
          Array.from({ length: 1001 }, (_, n) => `k${n}`),
          ['k'.repeat(201)],
          'all',
          '*',
          '%',
        ],
        expiryUnit: [...notTexts, '', 'lifetime', 'DAYS', 'constructor'],
        duration: [...notIntegers, 0, 1e12, 1e12 + 1, 365_001],
      }),
      { expiryUnit: 'days', duration: 1 },
    ])
  })

  test.each([
    [{ expiryUnit: 'lifetime' }, 'expiryUnit', 'TIME_UNIT_REQUIRED', 'Please choose a unit of time'],
    [{ duration: 0 }, 'duration', 'DURATION_REQUIRED', 'Please enter a duration'],
    [
      { duration: 1001, expiryUnit: 'years' },
      'duration',
      'DURATION_TOO_LONG',
      'The duration can be at most 1000 years',
    ],
  ])('rejects %j at its field', async (change, field, code, message) => {
    const body = { licenses: ['any'], expiryUnit: 'days', duration: 1, ...change }
    expect(await addTime(body)).toMatchObject({ status: 400, body: { field, code, message } })
  })

  test('rejects an empty list of licenses', async () => {
    expect((await addTime({ licenses: [], expiryUnit: 'days', duration: 1 })).body).toMatchObject({
      code: 'NO_LICENSES_SELECTED',
      message: 'No licenses selected',
    })
  })
})
