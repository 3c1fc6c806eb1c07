import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  expectAllRejected,
  hostileBodies,
  notFlags,
  notIntegers,
  notTexts,
  strangeTexts,
} from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  stranger = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const valid = {
  amount: 2,
  mask: '####-####-####',
  subscription: 1,
  notes: '',
  expiryUnit: 'days',
  duration: 30,
} as const
type Body = Record<string, unknown>
const create = (body: Body, headers: Record<string, string> = {}) =>
  owner.visitor.send<{ licenses: string[]; keys: string[] }>('POST', '/api/1.0/website/create_licenses', {
    body,
    headers,
  })
const listed = async (search: string) =>
  (await owner.visitor.call('GET /licenses', { query: { search, limit: 100 } })).body.licenses
const total = async () => (await owner.visitor.call('GET /licenses')).body.counts.total

describe('creating licenses', () => {
  test('creates the requested number of unique, unused keys with the mask and the values of the form', async () => {
    const notes = 'a batch of one hundred'
    const { status, body } = await create({
      ...valid,
      amount: 100,
      mask: 'SHOP-####-####-####',
      notes,
      expiryUnit: 'weeks',
      duration: 2,
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      code: 'LICENSES_CREATE_OK',
      values: { count: 100 },
      message: 'Created 100 licenses successfully',
    })
    expect(body.keys).toEqual(body.licenses)
    expect(new Set(body.licenses).size).toBe(100)
    for (const key of body.licenses) expect(key).toMatch(/^SHOP(-[A-Za-z0-9]{4}){3}$/)
    const rows = await listed(notes)
    expect(rows.map(({ license }) => license).toSorted()).toEqual(body.licenses.toSorted())
    expect(rows[0]).toMatchObject({
      notes,
      subscription: { level: 1, name: 'Basic' },
      expiry: 1_209_600,
      expiresAt: null,
      used: false,
      usedBy: '',
      banned: false,
      generatedBy: '',
      generatedByReseller: false,
    })
  })

  test('without mask, letters, and duration, uses the specified defaults', async () => {
    const { body } = await create({ amount: 1, subscription: 1, notes: 'defaults' })
    expect(body.licenses[0]).toMatch(/^[A-Za-z0-9]{4}(-[A-Za-z0-9]{4}){3}$/)
    expect((await listed('defaults'))[0]).toMatchObject({ expiry: 30 * 86_400 })
  })

  test.each([
    [{ lowercase: false, uppercase: true }, /^[A-Z0-9]{20}$/],
    [{ lowercase: true, uppercase: false }, /^[a-z0-9]{20}$/],
    [{ lowercase: false, uppercase: false }, /^[0-9]{20}$/],
  ])('%j determines the letters', async (letters, shape) => {
    const { body } = await create({ ...valid, amount: 20, mask: '#'.repeat(20), ...letters })
    for (const key of body.licenses) expect(key).toMatch(shape)
  })

  test('a lifetime has an expiry of 0, whatever duration is sent', async () => {
    await create({ ...valid, notes: 'for ever', expiryUnit: 'lifetime', duration: 0 })
    expect((await listed('for ever'))[0]).toMatchObject({ expiry: 0 })
  })

  test.each([
    { subscription: '1' },
    { subscription: { level: 1, name: 'Basic' } },
    { subscriptionLevel: 1 },
    { plan: 1 },
    { level: 1 },
  ])('accepts the level as %j', async (level) => expect((await create({ amount: 1, ...level })).status).toBe(200))

  test('creates 1000 keys in one call', async () => {
    const before = await total()
    expect((await create({ ...valid, amount: 1000 })).body.licenses).toHaveLength(1000)
    expect(await total()).toBe(before + 1000)
  })

  test.each(strangeTexts)('keeps the note %j unchanged', async (notes) => {
    const { body } = await create({ ...valid, amount: 1, notes })
    const key = body.licenses[0] as string
    expect((await listed(key))[0]?.notes).toBe(notes)
  })

  test('writes the audit event with its actor in the same transaction', async () => {
    const { body } = await create({ ...valid, amount: 1 })
    const row = await app.db.read
      .selectFrom('audit')
      .selectAll()
      .where('target', '=', body.licenses[0] as string)
      .executeTakeFirst()
    expect(row).toMatchObject({ act: 'license.create', actor_id: owner.id, owner_id: owner.id, app_id: owner.appId })
  })
})

describe('invalid input', () => {
  test('rejects hostile bodies and changes nothing', async () => {
    const notLevels = [
      '',
      'abc',
      '-1',
      '1.5',
      -1,
      0,
      1.5,
      1e308,
      true,
      null,
      [],
      [1],
      {},
      { level: 'one' },
      { level: 1.5 },
    ]
    await expectAllRejected(app, owner.visitor, '/create_licenses', [
      ...hostileBodies(valid, {
        amount: [...notIntegers, 0, '0', 1001, '1001', 2 ** 53],
        mask: [
          ...notTexts,
          '',
          ' ',
          '####',
          'no-place',
          'sp ace-################',
          'é################',
          '#'.repeat(129),
          '#'.repeat(501),
        ],
        subscription: notLevels,
        subscriptionLevel: notLevels.map((level) => level),
        lowercase: notFlags,
        uppercase: notFlags,
        notes: [...notTexts, 'n'.repeat(501)],
        expiryUnit: [...notTexts, '', 'DAYS', 'fortnights', '__proto__', 'constructor'],
        duration: [...notIntegers, 0, 1e12, 1e12 + 1, 365_001],
      }),
      { ...valid, amount: undefined },
      { ...valid, subscription: undefined },
    ])
  })

  test.each([
    [{ amount: 0 }, 'amount', 'AMOUNT_INVALID', 'Please enter a valid amount'],
    [{ amount: 1001 }, 'amount', 'AMOUNT_INVALID', 'Please enter a valid amount'],
    [{ amount: undefined }, 'amount', 'AMOUNT_INVALID', 'Please enter a valid amount'],
    [{ mask: '' }, 'mask', 'MASK_REQUIRED', 'Please enter a license mask'],
    [{ mask: '   ' }, 'mask', 'MASK_REQUIRED', 'Please enter a license mask'],
    [{ mask: '#'.repeat(129) }, 'mask', 'MASK_TOO_LONG', 'The license mask can have at most 128 characters'],
    [
      { mask: 'two words ########' },
      'mask',
      'MASK_CHARACTERS',
      'The license mask can only contain visible characters without spaces',
    ],
    [{ mask: '####' }, 'mask', 'MASK_GUESSABLE', 'Keys from this mask could be guessed: use at least 7 # characters'],
    [{ subscription: undefined }, 'subscription', 'SUBSCRIPTION_REQUIRED', 'Please select a subscription'],
    [{ subscription: 'x' }, 'subscription', 'SUBSCRIPTION_REQUIRED', 'Please select a subscription'],
    [{ duration: 0 }, 'duration', 'DURATION_REQUIRED', 'Please enter a duration'],
    [{ duration: -1 }, 'duration', 'DURATION_REQUIRED', 'Please enter a duration'],
    [
      { duration: 1001, expiryUnit: 'years' },
      'duration',
      'DURATION_TOO_LONG',
      'The duration can be at most 1000 years',
    ],
  ])('rejects %j at its field with the specified message', async (change, field, code, message) => {
    expect(await create({ ...valid, ...change })).toMatchObject({ status: 400, body: { field, code, message } })
  })

  test('returns the values that a message names', async () => {
    expect((await create({ ...valid, mask: '#'.repeat(129) })).body).toMatchObject({ values: { max: 128 } })
    expect((await create({ ...valid, mask: '####' })).body).toMatchObject({ values: { min: 7 } })
  })

  test("rejects a level that the app doesn't have", async () => {
    const before = await total()
    const answer = await create({ ...valid, subscription: 77 })
    expect(answer).toMatchObject({
      status: 404,
      body: { code: 'SUBSCRIPTION_NOT_FOUND', message: 'Subscription not found' },
    })
    expect(await total()).toBe(before)
  })

  test('returns the specified message when no app exists', async () => {
    const { newOwner } = await import('#testing/people/people.ts')
    const { visitor } = await newOwner(app)
    const { status, body } = await visitor.send('POST', '/api/1.0/website/create_licenses', { body: valid })
    expect({ status, message: body.message }).toEqual({ status: 400, message: 'No app selected' })
  })

  test("rejects a level of another owner's app", async () => {
    await stranger.visitor.call('POST /create_subscription', { body: { level: 9, name: 'Theirs' } })
    expect((await create({ ...valid, subscription: 9 })).status).toBe(404)
  })
})

describe('Idempotency-Key (R-LED-07)', () => {
  const key = (name: string) => ({ 'idempotency-key': `${name}-0123456789` })

  test('the same key and body return the same keys and create no more', async () => {
    const first = await create(valid, key('again'))
    const before = await total()
    const second = await create(valid, key('again'))
    expect(second.body.licenses).toEqual(first.body.licenses)
    expect(second.status).toBe(200)
    expect(await total()).toBe(before)
  })

  test('20 parallel calls with one key create one batch', async () => {
    const before = await total()
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(valid, key('parallel'))))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => body.licenses.join())).size).toBe(1)
    expect(await total()).toBe(before + valid.amount)
  })

  test('20 parallel calls without a key create 20 batches', async () => {
    const before = await total()
    await Promise.all(Array.from({ length: 20 }, () => create(valid)))
    expect(await total()).toBe(before + 20 * valid.amount)
  })

  test('the same key with another body is rejected and creates nothing', async () => {
    await create(valid, key('other'))
    const before = await total()
    const answer = await create({ ...valid, amount: 3 }, key('other'))
    expect(answer).toMatchObject({ status: 422, body: { success: false, code: 'IDEMPOTENCY_KEY_REUSED' } })
    expect(await total()).toBe(before)
  })

  test('the same key for another app is another request', async () => {
    await create(valid, key('per-app'))
    const { body } = await owner.visitor.call('POST /create_app', { body: { appName: 'Second of mine' } })
    await owner.visitor.call('POST /create_subscription', { body: { level: 1, name: 'Basic' } })
    const answer = await create(valid, { ...key('per-app'), 'x-app-id': body.appId })
    expect(answer.status).toBe(422)
    await owner.visitor.call('POST /select_app', { body: { appId: owner.appId } })
  })

  test('two owners can use the same key independently', async () => {
    const mine = await create(valid, key('shared'))
    const theirs = await stranger.visitor.call('POST /create_licenses', { body: valid, headers: key('shared') })
    expect(theirs.status).toBe(200)
    expect(theirs.body.licenses).not.toEqual(mine.body.licenses)
  })

  test('a rejected call leaves its key free', async () => {
    expect((await create({ ...valid, subscription: 88 }, key('free'))).status).toBe(404)
    expect((await create(valid, key('free'))).status).toBe(200)
  })

  test.each(['x'.repeat(201), 'ünïcödé-key'])('rejects the key %j', async (name) => {
    const before = await total()
    const answer = await create(valid, { 'idempotency-key': name })
    expect(answer).toMatchObject({ status: 400, body: { code: 'IDEMPOTENCY_KEY_INVALID' } })
    expect(await total()).toBe(before)
  })

  test("the stored reply can't be read from the database", async () => {
    const { body } = await create(valid, key('sealed'))
    const rows = await app.db.read.selectFrom('idempotent_replies').select('reply').execute()
    expect(rows.length).toBeGreaterThan(0)
    for (const { reply } of rows) expect(reply).not.toContain(body.licenses[0])
  })
})

test('parallel keys of one mask never collide in an app, and two apps can have the same key', async () => {
  const batches = await Promise.all(
    Array.from({ length: 10 }, () => newLicenses(owner, 50, { mask: '############', uppercase: false })),
  )
  expect(new Set(batches.flat()).size).toBe(500)
})
