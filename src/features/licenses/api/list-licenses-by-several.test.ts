import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Calls } from '#contract/calls.ts'
import { expectQueriesRejected, seen } from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

type Query = Calls['GET /licenses']['query']
type License = Calls['GET /licenses']['reply']['licenses'][number]

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp
/** Oldest first: ten licenses of each level from 1 to 3. */
let keys: string[]
const used = [1, 5, 12, 23]
const banned = [5, 7, 21]

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  stranger = await newOwnerWithApp(app)
  await newLicenses(stranger, 5)
  for (const level of [2, 3]) await owner.visitor.call('POST /create_subscription', { body: { name: 'More', level } })
  keys = await newLicenses(owner, 10)
  for (const subscription of [2, 3]) keys.push(...(await newLicenses(owner, 10, { subscription, duration: 5 })))
  const program = await Program.of(app, owner)
  await program.init()
  for (const at of used) await program.license(keys[at] as string)
  for (const at of banned)
    await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: keys[at] as string } })
})
afterAll(() => app.close())

async function list(query: Query = {}) {
  const { status, body } = await owner.visitor.call('GET /licenses', { query: { limit: 100, ...query } })
  expect(status).toBe(200)
  return { ...body, keys: body.licenses.map(({ license }) => license) }
}
/** Newest first. */
const where = (matches: (at: number) => boolean) => keys.filter((_, at) => matches(at)).toReversed()
const isUsed = (at: number) => used.includes(at) && !banned.includes(at)
const isBanned = (at: number) => banned.includes(at)
const level = (at: number) => Math.floor(at / 10) + 1

describe('several values of a filter', () => {
  test.each([
    ['used,banned', (at: number) => isUsed(at) || isBanned(at)],
    ['unused,banned', (at: number) => !isUsed(at)],
    ['unused,used,banned', () => true],
    ['expiring,banned', (at: number) => isBanned(at) || (isUsed(at) && level(at) > 1)],
    ['expiring,used', isUsed],
    ['banned,banned', isBanned],
  ] as const)('status %s matches each license once, newest first', async (status, matches) => {
    const all = where(matches)
    const found = await list({ status: status as 'used' })
    expect(found.keys).toEqual(all)
    expect(found.total).toBe(all.length)
    const pages = await pagesOf({ status: status as 'used', limit: 3 })
    expect(pages).toEqual(all)
  })

  test.each([
    ['1,3', (at: number) => level(at) !== 2],
    ['3,2,2', (at: number) => level(at) > 1],
    ['2,99', (at: number) => level(at) === 2],
  ] as const)('levels %s, also with statuses and a search', async (levels, matches) => {
    expect(await pagesOf({ level: levels, limit: 4 })).toEqual(where(matches))
    const status = 'used,banned' as const
    expect((await list({ level: levels, status })).keys).toEqual(
      where((at) => matches(at) && (isUsed(at) || isBanned(at))),
    )
    for (const at of [5, 12, 23]) {
      const { keys: found } = await list({ level: levels, status, search: keys[at] as string })
      expect(found).toEqual(matches(at) ? [keys[at]] : [])
    }
  })

  test('an export and a bulk action take exactly the licenses in view', async () => {
    const filter = { status: 'used,banned', level: '1,3' } as const
    const inView = (await list(filter)).keys
    expect(inView.length).toBeGreaterThan(2)
    const { body: file } = await owner.visitor.call('GET /export_licenses', { query: filter })
    expect(file.content.trim().split('\n').toSorted()).toEqual(inView.toSorted())
    const bulkAction = { action: 'ban', filter, expectedCount: inView.length } as const
    expect(
      (await owner.visitor.call('POST /licenses/bulk', { body: { ...bulkAction, dryRun: true } })).body,
    ).toMatchObject({
      counts: { changed: 2, unchanged: 3 },
    })
    const { body } = await owner.visitor.call('POST /licenses/bulk', { body: bulkAction })
    expect(body.results.map(({ name }) => name).toSorted()).toEqual(inView.toSorted())
    await owner.visitor.call('POST /licenses/undo', { body: { undoId: body.undoId as string } })
    expect((await list(filter)).keys).toEqual(inView)
  })

  test('a period contains its first and its last second, in lists, exports, and bulk actions', async () => {
    const { usedAt, expiresAt } = (await list({ search: keys[12] as string })).licenses[0] as License
    const [redeemed, end] = [usedAt as number, expiresAt as number]
    const of = async (query: Query) => (await list({ ...query, level: 2 })).total
    expect(await of({ redeemedFrom: redeemed, redeemedUntil: redeemed })).toBe(1)
    expect(await of({ redeemedFrom: redeemed + 1 })).toBe(0)
    expect(await of({ redeemedUntil: redeemed - 1 })).toBe(0)
    expect(await of({ expiresFrom: end, expiresUntil: end })).toBe(1)
    expect(await of({ expiresFrom: end + 1 })).toBe(0)
    expect(await of({ expiresUntil: end - 1 })).toBe(0)
    const filter = { expiresFrom: end, expiresUntil: end, level: 2 }
    const { body: file } = await owner.visitor.call('GET /export_licenses', { query: filter })
    expect(file.content.trim()).toBe(keys[12])
    const bulkAction = { action: 'ban', filter, expectedCount: 1, dryRun: true } as const
    expect((await owner.visitor.call('POST /licenses/bulk', { body: bulkAction })).body.counts).toMatchObject({
      changed: 1,
    })
  })

  test("never match another owner's licenses", async () => {
    const query = { status: 'used,unused', level: '1,2', search: keys[0] as string } as const
    const foreign = await stranger.visitor.call('GET /licenses', { query })
    const missing = await stranger.visitor.call('GET /licenses', { query: { ...query, search: 'zzzz-zzzz' } })
    expect(seen(foreign)).toBe(seen(missing))
  })

  test('reject an unknown value among them, gaps, and too many', async () => {
    await expectQueriesRejected(owner.visitor, '/licenses', [
      { status: 'used,gone' },
      { status: 'used,' },
      { status: ',used' },
      { status: 'used;banned' },
      { status: 'used, banned' },
      { status: Array.from({ length: 100 }, () => 'used').join(',') },
      { level: '1,0' },
      { level: '1,two' },
      { level: '1,' },
      { level: Array.from({ length: 100 }, (_, at) => at + 1).join(',') },
      { expiresFrom: -1 },
      { redeemedUntil: 'today' },
      { resellerId: 'r'.repeat(41) },
      { sort: 'notes' },
      { sort: '--created' },
      { sort: 'created,-created' },
      { sort: "created' or 1=1" },
    ])
    const filter = { status: 'used,gone' } as unknown as { status: 'used' }
    const body = { action: 'delete', filter, expectedCount: 3 } as const
    expect((await owner.visitor.call('POST /licenses/bulk', { body })).status).toBe(400)
    expect((await list()).total).toBe(30)
  })
})

describe('sorting', () => {
  test('by creation both ways, in pages without gaps', async () => {
    expect(await pagesOf({ sort: '-created', limit: 7 })).toEqual(where(() => true))
    expect(await pagesOf({ sort: 'created', limit: 7 })).toEqual(keys)
    expect(await pagesOf({ sort: 'created', status: 'used,banned', limit: 2 })).toEqual(
      where((at) => isUsed(at) || isBanned(at)).toReversed(),
    )
    expect(await pagesOf({ sort: 'created', level: '1,3', limit: 6 })).toEqual(
      where((at) => level(at) !== 2).toReversed(),
    )
  })
})

async function pagesOf(query: NonNullable<Query>): Promise<string[]> {
  const { totalPages } = await list(query)
  const found: string[] = []
  for (let page = 1; page <= totalPages; page++) found.push(...(await list({ ...query, page })).keys)
  return found
}
