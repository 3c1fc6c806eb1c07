import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Calls } from '#contract/calls.ts'
import {
  expectAllRejected,
  hostileBodies,
  notFlags,
  notIntegers,
  notLists,
  notTexts,
  seen,
} from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp
let keys: string[]

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  stranger = await newOwnerWithApp(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  await owner.visitor.call('POST /delete_all_licenses', { body: { deleteUsers: true } })
  keys = await newLicenses(owner, 6, { notes: 'a batch' })
})

const bulk = (body: Calls['POST /licenses/bulk']['body']) => owner.visitor.call('POST /licenses/bulk', { body })
const counts = async () => (await owner.visitor.call('GET /licenses')).body.counts

describe('by key', () => {
  test('bans, unbans, and deletes the listed keys and no others', async () => {
    const named = keys.slice(0, 4)
    expect((await bulk({ action: 'ban', licenses: named })).body).toMatchObject({
      code: 'LICENSES_BULK_OK',
      values: { done: 4, failed: 0 },
      message: '4 done, 0 failed',
      done: 4,
      failed: 0,
    })
    expect(await counts()).toMatchObject({ total: 6, banned: 4 })
    expect((await bulk({ action: 'unban', licenses: named.slice(1) })).body.done).toBe(3)
    expect(await counts()).toMatchObject({ total: 6, banned: 1 })
    expect((await bulk({ action: 'delete', licenses: named })).body.done).toBe(4)
    expect(await counts()).toMatchObject({ total: 2, banned: 0 })
  })

  test("reports success or failure for each key, and a failure doesn't stop the others", async () => {
    const { body } = await bulk({ action: 'ban', licenses: [keys[0], 'NONE', keys[1], `' or 1=1 --`] as string[] })
    expect(body).toMatchObject({ success: true, message: '2 done, 2 failed', done: 2, failed: 2 })
    const missing = { ok: false, changed: false, code: 'LICENSE_NOT_FOUND', message: 'License not found' }
    expect(body.results).toEqual([
      { name: 'NONE', ...missing },
      { name: `' or 1=1 --`, ...missing },
      { name: keys[0], ok: true, changed: true, message: '' },
      { name: keys[1], ok: true, changed: true, message: '' },
    ])
  })

  test('a key listed twice counts once', async () => {
    expect((await bulk({ action: 'ban', licenses: [keys[0], keys[0]] as string[] })).body).toMatchObject({
      done: 1,
      failed: 0,
    })
  })

  test('handles 1000 keys in one call', async () => {
    const many = await newLicenses(owner, 1000)
    expect((await bulk({ action: 'delete', licenses: many })).body).toMatchObject({ done: 1000, failed: 0 })
    expect((await counts()).total).toBe(6)
  })

  test('a ban ends running sessions at once; a deletion includes users when asked', async () => {
    const program = await Program.of(app, owner)
    await program.init()
    await program.license(keys[0] as string)
    await bulk({ action: 'ban', licenses: keys })
    expect((await program.heartbeat()).body).toMatchObject({ success: false, code: 'LICENSE_BANNED' })
    await bulk({ action: 'delete', licenses: keys, deleteUsers: true })
    const users = await app.db.read.selectFrom('users').select('id').where('app_id', '=', owner.appId).execute()
    expect(users).toEqual([])
  })
})

describe('by filter', () => {
  test('changes every license that matches the filter, if the count is the one the caller saw', async () => {
    await newLicenses(owner, 3, { notes: 'others' })
    const { body } = await bulk({ action: 'ban', filter: { search: 'a batch' }, expectedCount: 6 })
    expect(body).toMatchObject({ success: true, done: 6, failed: 0 })
    expect(await counts()).toMatchObject({ total: 9, banned: 6 })
    expect((await bulk({ action: 'delete', filter: { status: 'banned' }, expectedCount: 6 })).body.done).toBe(6)
    expect(await counts()).toMatchObject({ total: 3, banned: 0 })
  })

  test('`redeemed` filters by whether a user redeemed the license, banned or not, in lists and bulk actions', async () => {
    const program = await Program.of(app, owner)
    await program.init()
    await program.license(keys[0] as string)
    await bulk({ action: 'ban', licenses: keys.slice(0, 2) })
    const listed = async (redeemed: boolean) =>
      (await owner.visitor.call('GET /licenses', { query: { redeemed } })).body.licenses.map(({ license }) => license)
    expect(await listed(true)).toEqual([keys[0]])
    expect((await listed(false)).toSorted()).toEqual(keys.slice(1).toSorted())
    const { body } = await bulk({ action: 'delete', filter: { redeemed: false }, dryRun: true })
    expect(body.counts).toMatchObject({ changed: 5, inUse: 0 })
    expect((await bulk({ action: 'delete', filter: { redeemed: false }, expectedCount: 5 })).body.done).toBe(5)
    expect(await listed(true)).toEqual([keys[0]])
  })

  test('an empty filter matches the whole app', async () => {
    expect((await bulk({ action: 'ban', filter: {}, expectedCount: 6 })).body.done).toBe(6)
  })

  test.each([0, 5, 7, 1_000_000])('rejects a list that has changed: %i expected of 6', async (expectedCount) => {
    const answer = await bulk({ action: 'delete', filter: {}, expectedCount })
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'SELECTION_CHANGED', message: 'The list has changed: 6 rows now match. Please check again.' },
    })
    expect((await counts()).total).toBe(6)
  })

  test('notices licenses created after the count was seen', async () => {
    const { total } = (await owner.visitor.call('GET /licenses', { query: { search: 'a batch' } })).body
    await newLicenses(owner, 1, { notes: 'a batch' })
    expect((await bulk({ action: 'delete', filter: { search: 'a batch' }, expectedCount: total })).status).toBe(409)
    expect((await counts()).total).toBe(7)
  })

  test('a change of more than one batch has a short list of results and full counts', async () => {
    await newLicenses(owner, 1000, { notes: 'many of them' })
    await newLicenses(owner, 200, { notes: 'many of them' })
    const { body } = await bulk({ action: 'delete', filter: { search: 'many of them' }, expectedCount: 1200 })
    expect(body).toMatchObject({ done: 1200, failed: 0 })
    expect(body.results.length).toBeLessThanOrEqual(1000)
    expect(await counts()).toMatchObject({ total: 6, unused: 6 })
  })

  test('of two parallel deletions by one filter, neither deletes more than the caller saw', async () => {
    const answers = await Promise.all([1, 2].map(() => bulk({ action: 'delete', filter: {}, expectedCount: 6 })))
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1)
    const done = answers.map(({ status, body }) => (status === 200 ? body.done : 0))
    expect(done.reduce((sum, each) => sum + each)).toBe(6)
  })

  test('does nothing without an expected count, or without keys and filter', async () => {
    for (const body of [
      { action: 'delete', filter: {} },
      { action: 'delete', expectedCount: 6 },
      { action: 'delete' },
    ] as const) {
      expect(await bulk(body)).toMatchObject({ status: 400, body: { message: 'No licenses selected' } })
    }
    expect(await bulk({ action: 'delete', licenses: [] })).toMatchObject({
      status: 400,
      body: { message: 'No licenses selected' },
    })
    expect((await counts()).total).toBe(6)
  })
})

describe('invalid input', () => {
  test('rejects hostile bodies and changes nothing', async () => {
    await expectAllRejected(app, owner.visitor, '/licenses/bulk', [
      ...hostileBodies(
        { action: 'delete', licenses: keys },
        {
          action: [...notTexts, '', 'DELETE', 'drop', '__proto__'],
          licenses: [...notLists, Array.from({ length: 1001 }, (_, n) => `k${n}`)],
          filter: [
            5,
            true,
            null,
            [],
            'x',
            { noSuchField: 1 },
            { status: 'all' },
            { level: 0 },
            { level: 1e308 },
            { search: 's'.repeat(201) },
          ],
          expectedCount: notIntegers,
          deleteUsers: notFlags,
        },
      ),
      { licenses: keys },
    ])
  })

  test("another owner's keys look like missing ones and stay unchanged", async () => {
    const strangers = (licenses: string[]) =>
      stranger.visitor.call('POST /licenses/bulk', { body: { action: 'delete', licenses } })
    const foreign = await strangers([keys[0] as string])
    const missing = await strangers(['NONE'])
    expect(seen(foreign).replaceAll(keys[0] as string, '…')).toBe(seen(missing).replaceAll('NONE', '…'))
    expect(foreign.body).toMatchObject({ done: 0, failed: 1 })
    expect((await counts()).total).toBe(6)
  })
})
