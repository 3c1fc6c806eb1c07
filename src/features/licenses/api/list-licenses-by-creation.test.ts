import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Calls } from '#contract/calls.ts'
import { expectAllRejected, expectQueriesRejected } from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp
let began: number
/** By their notes. */
const keys: Record<string, string> = {}

/** Created 0, 10, and 60 seconds after the beginning; the first is refunded and restored later, with a new ID. */
beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  stranger = await newOwnerWithApp(app)
  const reseller = await newSellingReseller(app, {}, owner)
  began = app.now()
  const { licenses } = (await reseller.sell({ notes: 'first' })).body as unknown as { licenses: string[] }
  keys['first'] = licenses[0] as string
  await newLicenses(stranger, 1, { notes: 'first foreign' })
  app.advance(10)
  keys['second'] = (await newLicenses(owner, 1, { notes: 'second' }))[0] as string
  await newLicenses(stranger, 1, { notes: 'second foreign' })
  app.advance(50)
  keys['third'] = (await newLicenses(owner, 1, { notes: 'third' }))[0] as string
  const licenseKey = keys['first']
  const { undoId } = (await owner.visitor.call('POST /delete_license', { body: { licenseKey } })).body
  await owner.visitor.call('POST /bin/restore', { body: { undoId: undoId as string } })
})
afterAll(() => app.close())

type Query = NonNullable<Calls['GET /licenses']['query']>

async function list(query: Query, of = owner) {
  const { licenses, total } = (await of.visitor.call('GET /licenses', { query })).body
  expect(total).toBe(licenses.length)
  return licenses.map(({ notes }) => notes)
}

test('what is no time is rejected, in the list, the export, and bulk actions', async () => {
  const times = ['-1', 'yesterday', '1.5', '1e99', "' or 1=1", '2026-11-01', '99999999999999999999']
  const queries = times.flatMap((time) => [{ createdFrom: time }, { createdUntil: time }])
  await expectQueriesRejected(owner.visitor, '/licenses', queries)
  await expectQueriesRejected(owner.visitor, '/export_licenses', queries)
  const filters = [...queries, { createdFrom: -1 }, { createdUntil: null }, { createdFrom: [] }, { created: 1 }]
  await expectAllRejected(
    app,
    owner.visitor,
    '/licenses/bulk',
    filters.map((filter) => ({ action: 'delete', filter })),
  )
})

test.each<[from: number | undefined, until: number | undefined, found: string[]]>([
  [0, undefined, ['third', 'second', 'first']],
  [0, 0, ['first']],
  [1, 10, ['second']],
  [11, 59, []],
  [undefined, 59, ['second', 'first']],
  [60, 60, ['third']],
  [61, undefined, []],
  [60, 10, []],
])('between %i and %i, %j were created, the last one first, whatever their IDs', async (from, until, found) => {
  const query: Query = {
    ...(from !== undefined && { createdFrom: began + from }),
    ...(until !== undefined && { createdUntil: began + until }),
  }
  const oldest = found.toReversed()
  expect(await list({})).toEqual(['first', 'third', 'second'])
  expect(await list(query)).toEqual(found)
  expect(await list({ ...query, sort: '-created' })).toEqual(found)
  expect(await list({ ...query, sort: 'created' })).toEqual(oldest)
  const byKey = found.toSorted((one, other) => ((keys[one] as string) < (keys[other] as string) ? -1 : 1))
  expect(await list({ ...query, sort: 'license' })).toEqual(byKey)
  expect(await list({ ...query, status: 'unused', level: 1, redeemed: false })).toEqual(found)
  expect(await list({ ...query, status: 'used,banned' })).toEqual([])
  expect(await list({ ...query, search: 'second' })).toEqual(found.filter((notes) => notes === 'second'))
  expect(await list({ ...query, count: 'all', limit: 100 })).toEqual(found)
})

test('an export and a bulk action take the same licenses, and none of another owner', async () => {
  const filter = { createdFrom: began, createdUntil: began + 10 }
  const { content } = (await owner.visitor.call('GET /export_licenses', { query: filter })).body
  expect(content.trim().split('\n').toSorted()).toEqual([keys['first'], keys['second']].toSorted())
  const { body } = await owner.visitor.call('POST /licenses/bulk', {
    body: { action: 'ban', filter, expectedCount: 2 },
  })
  expect(body).toMatchObject({ values: { done: 2, failed: 0 } })
  expect((await list({ status: 'banned' })).toSorted()).toEqual(['first', 'second'])
  expect(await list({ status: 'banned' }, stranger)).toEqual([])
  expect(await list(filter, stranger)).toEqual(['second foreign', 'first foreign'])
})
