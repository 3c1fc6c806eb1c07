import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectQueriesRejected } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { activityLog } from '../logs.actions.ts'
import { countInBuckets } from '../logs.reads.ts'

let app: TestApp
let owner: OwnedApp
let start: number

const minute = 60

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  const stranger = await newOwnerWithApp(app)
  start = app.now() - (app.now() % minute) - 10 * minute
  const log = activityLog(app.services)
  const record = (at: number, code = '', { appId } = owner) =>
    log.record({ appId, at: start + at, call: 'login', username: `user ${at}`, ip: '::1', ...(code && { code }) })
  for (const at of [-1, 0, 59, 60, 60, 119, 120]) record(at)
  for (const at of [0, 61, 299, 300]) record(at, 'USER_BANNED')
  record(0, '', stranger)
  await log.flush()
})
afterAll(() => app.close())

const histogram = async (query: object, who = owner) =>
  (await who.visitor.call('GET /log_histogram', { query: query as { edges: string } })).body
const edges = (...minutes: number[]) => minutes.map((at) => start + at * minute).join(',')
const counts = async (query: object) =>
  (await histogram(query)).buckets.map(({ allowed, rejected }) => [allowed, rejected])

test('counts each entry in the bucket that contains its second, by result', async () => {
  expect(await histogram({ edges: edges(0, 1, 2, 5) })).toMatchObject({
    countedFrom: null,
    buckets: [
      { from: start, to: start + 60, allowed: 2, rejected: 1 },
      { from: start + 60, to: start + 120, allowed: 3, rejected: 1 },
      { from: start + 120, to: start + 300, allowed: 1, rejected: 1 },
    ],
  })
})

test('buckets can have any length, and edges any order', async () => {
  const uneven = [start - 7, start + 61, start + 62, start + 1000]
  const expected = [
    [5, 1],
    [0, 1],
    [2, 2],
  ]
  expect(await counts({ edges: uneven.join(',') })).toEqual(expected)
  expect(await counts({ edges: [...uneven.toReversed(), ...uneven].join(',') })).toEqual(expected)
  expect((await histogram({ edges: `${start},${start}` })).buckets).toEqual([])
  expect(await counts({ edges: '0,9999999999' })).toEqual([[7, 4]])
})

test('counts what the filter of the list matches', async () => {
  const whole = { edges: edges(0, 5) }
  expect(await counts({ ...whole, rejected: true })).toEqual([[0, 3]])
  expect(await counts({ ...whole, search: 'user 6' })).toEqual([[2, 1]])
  expect(await counts({ ...whole, from: start + 60, until: start + 119 })).toEqual([[3, 1]])
  expect(await counts({ ...whole, call: 'init' })).toEqual([[0, 0]])
  const { total } = (await owner.visitor.call('GET /logs', { query: { search: 'user 6' } })).body
  expect(await counts({ edges: '0,9999999999', search: 'user 6' })).toEqual([[total - 1, 1]])
})

test('beyond its limit, the newest entries are counted, and the time of the oldest of them is given', async () => {
  const edges = [0, 1, 2, 3, 4, 5, 6].map((at) => start + at * minute)
  const count = (max: number) => countInBuckets(app.db.reports, { appId: owner.appId }, { edges, max })
  const { buckets, countedFrom } = await count(3)
  expect(buckets.reduce((sum, { allowed, rejected }) => sum + allowed + rejected, 0)).toBe(4)
  expect(countedFrom).toBe(start + 119)
  expect((await count(10)).countedFrom).toBeNull()
})

test('the list names the time of its oldest entry, whatever the filter', async () => {
  const oldest = async (query: object, who = owner) => (await who.visitor.call('GET /logs', { query })).body.oldestAt
  expect(await oldest({})).toBe(start - 1)
  expect(await oldest({ rejected: true, page: 2 })).toBe(start - 1)
  expect(await oldest({}, await newOwnerWithApp(app))).toBeNull()
})

test('rejects invalid queries', async () => {
  await expectQueriesRejected(owner.visitor, '/log_histogram', [
    {},
    ...['5', '5,', ',5', '5,x', '-5,5', '1.5,2', '5,12345678901', Array(102).fill('7').join(',')].map((each) => ({
      edges: each,
    })),
    { edges: '1,2', rejected: 'x' },
    { edges: '1,2', noSuchField: 1 },
  ])
})
