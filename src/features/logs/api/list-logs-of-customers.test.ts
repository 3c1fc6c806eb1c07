import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAllRejected, expectQueriesRejected } from '#testing/faults/hostile-input.ts'
import { insertLogRows } from '#testing/log-rows.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { choiceOf, isChosen } from '../log-choice.ts'
import type { LogFilter } from '../logs.reads.ts'
import { maxCustomerLogs } from '../logs.rules.ts'

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  stranger = await newOwnerWithApp(app)
  await insertLogRows(app, owner, [
    { code: 'HWID_MISMATCH', username: 'anna' },
    { code: 'USER_BANNED', username: 'anna' },
    { code: 'LICENSE_BANNED', license: 'AAAA' },
    { code: 'VPN_BLOCKED', username: 'bruno', ago: 90_000 },
    // Nobody whom the owner keeps out.
    { code: 'HWID_MISMATCH' },
    { code: 'INVALID_CREDENTIALS', username: 'clara' },
    { username: 'Dora' },
    { username: 'dora', call: 'register' },
    { username: 'AAAA', license: 'AAAA', call: 'license' },
    { username: 'dora', call: 'heartbeat' },
    { call: 'init' },
  ])
  await insertLogRows(app, stranger, [{ code: 'HWID_MISMATCH', username: 'foreign' }, { username: 'foreign' }])
})
afterAll(() => app.close())

const list = async (query: object, of = owner) => (await of.visitor.call('GET /logs', { query })).body

test('other values are rejected, also to delete', async () => {
  const values = ['all', 'Rejected', 'rejected,signed-in', "'", '1']
  await expectQueriesRejected(
    owner.visitor,
    '/logs',
    values.map((customers) => ({ customers })),
  )
  await expectAllRejected(
    app,
    owner.visitor,
    '/logs/bulk-delete',
    [...values, '', null, 1, [], {}].map((customers) => ({ filter: { customers } })),
  )
  expect((await list({})).total).toBe(11)
})

test.each<[filter: LogFilter & { days?: number }, entries: number, customers: number]>([
  [{ customers: 'rejected' }, 4, 3],
  [{ customers: 'rejected', days: 1 }, 3, 2],
  [{ customers: 'rejected', code: 'HWID_MISMATCH,VPN_BLOCKED' }, 2, 2],
  [{ customers: 'rejected', rejected: false }, 0, 0],
  [{ customers: 'signed-in' }, 3, 2],
  [{ customers: 'signed-in', call: 'license' }, 1, 1],
])('%j finds %i entries of %i customers, also while they are followed', async (filter, entries, count) => {
  const { logs, total, customers } = await list(filter)
  expect([logs.length, total, customers]).toEqual([entries, entries, { count, isMore: false }])
  const choice = await choiceOf(app.services, { id: owner.appId, ownerId: owner.id, name: owner.appName }, filter)
  const rows = await app.db.read.selectFrom('logs').selectAll().execute()
  expect(rows.filter((row) => isChosen(row, choice))).toHaveLength(entries)
})

test('another owner sees only their own, and without the filter nobody is counted', async () => {
  expect((await list({ customers: 'rejected' }, stranger)).customers).toEqual({ count: 1, isMore: false })
  expect((await list({})).customers).toBeNull()
})

test('the customers of the newest 20,000 entries are counted, and the reply says that there are more', async () => {
  const busy = await newOwnerWithApp(app)
  await insertLogRows(app, busy, [{ code: 'USER_BANNED', username: 'old', ago: 3600 }])
  const name = (n: number) => ({ code: 'USER_BANNED', username: `u${n % 50}` })
  for (let from = 0; from < maxCustomerLogs; from += 1000)
    await insertLogRows(
      app,
      busy,
      Array.from({ length: 1000 }, (_, n) => name(from + n)),
    )
  const { total, customers } = await list({ customers: 'rejected', limit: 1 }, busy)
  expect([total, customers]).toEqual([maxCustomerLogs + 1, { count: 50, isMore: true }])
})
