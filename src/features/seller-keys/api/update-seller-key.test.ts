import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectAllRejected, hostileBodies, notTexts } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { newSeller, type Seller } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let seller: Seller

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  seller = await newSeller(app, owner, {
    keyName: 'Before',
    permissions: ['stats:read'],
    whitelistedIPs: ['127.0.0.1'],
  })
})
afterAll(() => app.close())

const id = () => seller.key.slice(8, 16)
const publicForm = () => `lk_live_${id()}…${seller.key.slice(-4)}`
const update = (body: object) =>
  owner.visitor.send<{ details: Record<string, unknown> }>('POST', '/api/1.0/website/update_seller_key', { body })

test.each([
  ['its public form', publicForm],
  ['its public form typed with dots', () => publicForm().replace('…', '...')],
  ['its id and last characters', () => publicForm().slice(8)],
  ['its bare id', id],
  ['its id with the prefix', () => `lk_live_${id()}`],
  ['the whole key', () => seller.key],
])('accepts a key by %s', async (name, sellerKey) => {
  const { status, body } = await update({ sellerKey: sellerKey(), keyName: name })
  expect({ status, code: body.code, message: body.message }).toEqual({
    status: 200,
    code: 'SELLER_KEY_UPDATE_OK',
    message: 'Seller key updated successfully',
  })
  expect(body.details).toMatchObject({ keyName: name, sellerKey: publicForm() })
})

test('omitted fields stay unchanged', async () => {
  await update({ sellerKey: id(), keyName: 'Kept', permissions: ['stats:read'], whitelistedIPs: ['127.0.0.1'] })
  expect((await update({ sellerKey: id() })).body.details).toMatchObject({
    keyName: 'Kept',
    permissions: ['stats:read'],
    whitelistedIPs: ['127.0.0.1'],
  })
  expect((await update({ sellerKey: id(), whitelistedIPs: [] })).body.details).toMatchObject({
    keyName: 'Kept',
    permissions: ['stats:read'],
    whitelistedIPs: [],
  })
})

test("changes apply on the key's next call", async () => {
  await update({ sellerKey: id(), permissions: ['users:read'], whitelistedIPs: [] })
  expect((await seller.send('GET', '/stats')).body.code).toBe('SCOPE_MISSING')
  await update({ sellerKey: id(), permissions: [] })
  expect((await seller.send('GET', '/stats')).status).toBe(200)
  await update({ sellerKey: id(), whitelistedIPs: ['198.51.100.0/24'] })
  expect((await seller.send('GET', '/stats')).body.code).toBe('SELLER_KEY_IP_REFUSED')
})

describe('two tabs', () => {
  const opened = { keyName: 'Opened', permissions: ['stats:read'], whitelistedIPs: ['127.0.0.1'] }
  beforeEach(() => update({ sellerKey: id(), ...opened }))
  const details = async () => (await owner.visitor.call('GET /seller_keys')).body.sellerKeys[0]

  test.each([
    ['keyName', 'Theirs', 'Mine'],
    ['permissions', ['users:read'], []],
    ['whitelistedIPs', [], ['198.51.100.7']],
  ] as const)(
    'rejects a change to %s that somebody else changed meanwhile, with the current value',
    async (field, theirs, mine) => {
      await update({ sellerKey: id(), [field]: theirs })
      const after = await details()
      const answer = await update({ sellerKey: id(), [field]: mine, before: { [field]: opened[field] } })
      expect(answer).toMatchObject({ status: 409, body: { code: 'FIELD_CHANGED', current: { [field]: theirs } } })
      expect(await details()).toEqual(after)
    },
  )

  test('a save succeeds when another field changed, or when the same change was already made', async () => {
    await update({ sellerKey: id(), whitelistedIPs: ['10.0.0.0/8'] })
    const { keyName, whitelistedIPs } = opened
    expect((await update({ sellerKey: id(), keyName: 'Mine', before: { keyName } })).status).toBe(200)
    // A different notation of the same network is no conflict.
    const again = await update({ sellerKey: id(), whitelistedIPs: '10.1.2.3/8', before: { whitelistedIPs } })
    expect(again.status).toBe(200)
    expect(await details()).toMatchObject({ ...opened, keyName: 'Mine', whitelistedIPs: ['10.0.0.0/8'] })
  })

  test('only one of twenty tabs that loaded the same state can save', async () => {
    const { keyName } = opened
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, tab) => update({ sellerKey: id(), keyName: `Tab ${tab}`, before: { keyName } })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(409)])
  })
})

describe('rejects', () => {
  test('an invalid change, and changes nothing', async () => {
    const hostile = {
      sellerKey: [...notTexts, '', 'x'.repeat(201), undefined],
      keyName: [...notTexts, '', '  ', 'x'.repeat(51)],
      permissions: ['x', 5, null, {}, ['licenses:all'], [5]],
      whitelistedIPs: [5, null, {}, ['example.com'], 'x', [5]],
      status: ['paused'],
      before: [
        'x',
        5,
        null,
        ['x'],
        { keyName: 5 },
        { permissions: 'x' },
        { whitelistedIPs: 'x' },
        { status: 'active' },
      ],
      appName: ['', 5],
    }
    await expectAllRejected(
      app,
      owner.visitor,
      '/update_seller_key',
      hostileBodies({ sellerKey: id(), keyName: 'X' }, hostile),
    )
  })

  test('an invalid key, or one with a wrong secret', async () => {
    const other = await newSeller(app, owner)
    const mixed = `${seller.key.slice(0, 17)}${other.key.slice(17)}`
    for (const sellerKey of [
      'AAAAAAAA',
      'lk_live_AAAAAAAA…AAAA',
      mixed,
      `${id()} or 1=1`,
      '%',
      `${id()}%`,
      '__proto__',
    ]) {
      const { status, body } = await update({ sellerKey, keyName: 'X' })
      expect({ status, code: body.code }, sellerKey).toEqual({ status: 404, code: 'SELLER_KEY_NOT_FOUND' })
    }
  })
})
