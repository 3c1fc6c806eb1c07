import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectQueriesRejected, notTexts } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { activityLog } from '../logs.actions.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  const stranger = await newOwnerWithApp(app)
  const at = app.now()
  const rows = [
    ['init', ''],
    ['init', ''],
    ['login', ''],
    ['login', 'INVALID_CREDENTIALS'],
    ['login', 'USER_BANNED'],
    ['license', 'LICENSE_BANNED'],
    ['license', 'LICENSE_BANNED'],
  ] as const
  for (const [n, [call, code]] of rows.entries()) {
    const ip = n === 0 ? '203.0.113.1' : '203.0.113.2'
    record(owner, { call, code, ip, at: at - n })
  }
  record(stranger, { call: 'logout', code: 'SESSION_EXPIRED', at, ip: '203.0.113.9' })
})
afterAll(() => app.close())

const record = (of: OwnedApp, row: { call: string; code: string; at: number; ip: string }) =>
  activityLog(app.services).record({ appId: of.appId, ...row })
const facets = async (query: object = {}, of = owner) => (await of.visitor.call('GET /log_facets', { query })).body
const list = async (query: object) => (await owner.visitor.call('GET /logs', { query })).body
const values = (...pairs: [string, number][]) => ({
  values: pairs.map(([value, count]) => ({ value, count })),
  isMore: false,
})

test('hostile filters are rejected', async () => {
  const codes = [...notTexts, 'lower', 'A,', ',,', 'A B', "A'", 'A'.repeat(61), Array(22).fill('A').join(',')]
  const queries = codes.filter((code) => typeof code === 'string').map((code) => ({ code }))
  await expectQueriesRejected(owner.visitor, '/log_facets', [...queries, { page: 1 }, { rejected: 'maybe' }])
})

test('each value has the number of its entries in this app, most first', async () => {
  expect(await facets()).toMatchObject({
    results: values(['rejected', 4], ['allowed', 3]),
    calls: values(['login', 3], ['init', 2], ['license', 2]),
    codes: values(['LICENSE_BANNED', 2], ['INVALID_CREDENTIALS', 1], ['USER_BANNED', 1]),
  })
})

test('the values of a filter are counted without it, and with all others', async () => {
  expect(await facets({ call: 'login' })).toMatchObject({
    results: values(['rejected', 2], ['allowed', 1]),
    calls: values(['login', 3], ['init', 2], ['license', 2]),
    codes: values(['INVALID_CREDENTIALS', 1], ['USER_BANNED', 1]),
  })
  expect(await facets({ call: 'login,license', code: 'USER_BANNED,LICENSE_BANNED', rejected: true })).toMatchObject({
    results: values(['rejected', 3]),
    calls: values(['license', 2], ['login', 1]),
    codes: values(['LICENSE_BANNED', 2], ['INVALID_CREDENTIALS', 1], ['USER_BANNED', 1]),
  })
  expect((await facets({ ip: '203.0.113.1' })).calls).toEqual(values(['init', 1]))
  expect((await facets({ until: app.now() - 5 })).calls).toEqual(values(['license', 2]))
})

test('the number is that of the list with this filter', async () => {
  const { results, calls, codes } = await facets()
  for (const { value, count } of results.values)
    expect((await list({ rejected: value === 'rejected' })).total).toBe(count)
  for (const { value, count } of calls.values) expect((await list({ call: value })).total).toBe(count)
  for (const { value, count } of codes.values) expect((await list({ code: value })).total).toBe(count)
  expect((await list({ code: 'LICENSE_BANNED,USER_BANNED' })).total).toBe(3)
})

test('the newest 10,000 entries are counted, and the reply says that there are more', async () => {
  const busy = await newOwnerWithApp(app)
  const row = { app_id: busy.appId, message: '', username: '', license: '', hwid_hash: '', country: '', session: '' }
  const plant = (amount: number, call: string, at: number) =>
    app.db.write(async (tx) => {
      for (let left = amount; left > 0; left -= 500) {
        const some = Array.from({ length: Math.min(left, 500) }, () => ({ ...row, call, at, code: '', ip: '' }))
        await tx.db.insertInto('logs').values(some).execute()
      }
    })
  await plant(10_000, 'init', app.now())
  expect((await facets({}, busy)).calls).toEqual(values(['init', 10_000]))
  await plant(3, 'login', app.now() - 10)
  expect((await facets({}, busy)).calls).toEqual({ ...values(['init', 10_000]), isMore: true })
  const { calls, results } = await facets({ call: 'login' }, busy)
  expect(calls.isMore).toBe(true)
  expect(results).toEqual(values(['allowed', 3]))
})
