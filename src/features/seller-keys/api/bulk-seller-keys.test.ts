import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Calls } from '#contract/calls.ts'
import { expectAllRejected, hostileBodies, notLists, notTexts } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { newSeller, type Seller } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp
let sellers: Seller[]

beforeAll(async () => {
  app = await startTestApp()
  stranger = await newOwnerWithApp(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  sellers = []
  for (const keyName of ['Red', 'Green', 'Blue']) sellers.push(await newSeller(app, owner, { keyName }))
})

const bulk = async (body: Calls['POST /seller_keys/bulk']['body']) =>
  (await owner.visitor.call('POST /seller_keys/bulk', { body })).body
const keys = () => sellers.map(({ key }) => key)
const codes = () => Promise.all(sellers.map(async (seller) => (await seller.send('GET', '/stats')).body.code))

describe('many keys', () => {
  test('are paused, activated, and deleted, with a result for each', async () => {
    expect(await bulk({ action: 'pause', sellerKeys: keys().slice(0, 2) })).toMatchObject({
      code: 'SELLER_KEYS_BULK_OK',
      values: { done: 2, failed: 0 },
      message: '2 done, 0 failed',
      done: 2,
      failed: 0,
    })
    expect(await codes()).toEqual(['SELLER_KEY_PAUSED', 'SELLER_KEY_PAUSED', undefined])
    await bulk({ action: 'activate', sellerKeys: keys() })
    expect(await codes()).toEqual([undefined, undefined, undefined])
    const { results } = await bulk({ action: 'delete', sellerKeys: keys().slice(1) })
    const shown = keys()
      .slice(1)
      .map((key) => `lk_live_${key.slice(8, 16)}…${key.slice(-4)}`)
    expect(results).toEqual(shown.map((sellerKey) => ({ sellerKey, key: sellerKey, ok: true, message: '' })))
    expect(await codes()).toEqual([undefined, 'SELLER_KEY_INVALID', 'SELLER_KEY_INVALID'])
  })

  test("a missing or another owner's key fails alone, and both look the same", async () => {
    const { key: foreign } = await newSeller(app, stranger, { keyName: 'Foreign' })
    const { done, failed, results } = await bulk({
      action: 'delete',
      sellerKeys: ['AAAAAAAA', foreign.slice(8, 16), keys()[0] as string],
    })
    expect({ done, failed }).toEqual({ done: 1, failed: 2 })
    const missing = { ok: false, code: 'SELLER_KEY_NOT_FOUND', message: 'Seller key not found' }
    expect(results.slice(0, 2)).toEqual([
      { ...missing, sellerKey: 'AAAAAAAA', key: 'AAAAAAAA' },
      { ...missing, sellerKey: foreign.slice(8, 16), key: foreign.slice(8, 16) },
    ])
    const { body } = await stranger.visitor.call('GET /seller_keys', { query: { search: 'Foreign' } })
    expect(body.total).toBe(1)
  })

  test('one key under several of its names is changed once', async () => {
    const key = keys()[0] as string
    expect(await bulk({ action: 'delete', sellerKeys: [key, key.slice(8, 16), key] })).toMatchObject({
      done: 1,
      failed: 0,
    })
  })

  test('all that match a search change, if the count is the one the caller saw', async () => {
    const stale = await owner.visitor.call('POST /seller_keys/bulk', {
      body: { action: 'delete', search: 'e', expectedCount: 2 },
    })
    expect(stale.body).toMatchObject({ success: false, code: 'SELECTION_CHANGED' })
    expect(stale.body.message).toBe('The list has changed: 3 rows now match. Please check again.')
    expect(await bulk({ action: 'pause', search: 'green', expectedCount: 1 })).toMatchObject({ done: 1, failed: 0 })
    expect(await codes()).toEqual([undefined, 'SELLER_KEY_PAUSED', undefined])
    expect(await bulk({ action: 'delete', expectedCount: 3 })).toMatchObject({ done: 3, failed: 0 })
    expect((await owner.visitor.call('GET /seller_keys')).body.total).toBe(0)
  })

  test('undoes a pause, except for keys that somebody has changed since; keys paused before stay paused', async () => {
    const [first = '', second = '', third = ''] = keys()
    await bulk({ action: 'pause', sellerKeys: [first] })
    const { undoId } = await bulk({ action: 'pause', sellerKeys: keys() })
    await owner.visitor.call('POST /toggle_seller_key_status', { body: { sellerKey: second, status: 'active' } })
    const undo = (by = owner) => by.visitor.call('POST /seller_keys/undo', { body: { undoId: undoId as string } })
    expect((await undo(stranger)).body).toMatchObject({ success: false, code: 'UNDO_NOT_FOUND' })
    expect((await undo()).body).toMatchObject({ code: 'SELLER_KEYS_UNDO_OK', restored: 1, failed: 1, next: null })
    expect(await codes()).toEqual(['SELLER_KEY_PAUSED', undefined, undefined])
    expect((await bulk({ action: 'delete', sellerKeys: [third] })).undoId).toBeNull()
  })

  test('two simultaneous deletions of the same keys delete each once', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => bulk({ action: 'delete', sellerKeys: keys() })))
    expect(answers.reduce((sum, { done }) => sum + done, 0)).toBe(3)
    expect(answers.reduce((sum, { failed }) => sum + failed, 0)).toBe(6)
  })
})

describe('rejects', () => {
  test('an invalid selection, and changes nothing', async () => {
    const valid = { action: 'delete', sellerKeys: keys() }
    const hostile = {
      action: [...notTexts, 'ban', '', undefined],
      sellerKeys: [
        ...notLists.filter((list) => JSON.stringify(list) !== '[""]'),
        [],
        [''],
        Array(501).fill('AAAAAAAA'),
        undefined,
      ],
      expectedCount: [-1, 1.5, '3x', null],
      search: [5, null, 'x'.repeat(201)],
    }
    await expectAllRejected(app, owner.visitor, '/seller_keys/bulk', hostileBodies(valid, hostile).filter(isRejectable))
  })
})

/** A list with a string that is no key is valid input: only that item fails. */
const isRejectable = (body: unknown) =>
  !(Array.isArray((body as { sellerKeys?: unknown }).sellerKeys) && JSON.stringify(body).includes('["x"]'))
