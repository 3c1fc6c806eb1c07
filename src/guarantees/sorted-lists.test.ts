import { afterAll, beforeAll, expect, test } from 'vitest'
import { alertSeverities, type AlertSeverity } from '#features/alerts/alerts.rules.ts'
import { newAlert } from '#testing/busy-app.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Lists that sort: their pages together are all rows, once, in the order asked for. Many rows have equal values. */

let app: TestApp
let owner: OwnedApp
const rows = 7
const severities = ['MEDIUM', 'CRITICAL', 'LOW'] as const

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  const { visitor } = owner
  for (let n = 0; n < rows; n++) {
    if (n % 3 === 0) app.advance(1)
    const name = `${'CABCAbc'[n]}-${n}`
    const answers = [
      await visitor.call('POST /create_webhook', { body: { name, url: `https://example.com/${n % 2}` } }),
      await visitor.call('POST /create_seller_key', { body: { keyName: name, permissions: ['licenses:read'] } }),
      await visitor.call('POST /modify_app_var', {
        body: { variableName: name, variableData: 'x', authenticated: n % 2 === 0 },
      }),
      await visitor.call('POST /resellers/create', { body: { username: `${name}_${app.now()}`.replace('-', '_') } }),
    ]
    const failed = answers.find(({ status }) => status !== 200)
    if (failed) throw new Error(`A row could not be created: ${failed.body.message}`)
    await newAlert(app, owner, { severity: severities[n % 3] })
  }
})
afterAll(() => app.close())

type Row = Record<string, unknown>
const text = (field: string) => (row: Row) => String(row[field]).toLowerCase()
const value = (field: string) => (row: Row) => row[field] ?? 0

const rankOf = (row: Row) => alertSeverities.toReversed().indexOf(row['severity'] as AlertSeverity)

/** By call: the rows of the reply, what names one, and what each sort sorts by. */
const lists: Record<
  string,
  { rows: string; id: string; sorts: Record<string, (row: Row) => unknown>; method?: 'POST' }
> = {
  '/webhooks': {
    rows: 'webhooks',
    id: 'id',
    sorts: {
      id: value('id'),
      name: text('name'),
      url: text('url'),
      'user-agent': text('userAgent'),
      authenticated: value('authenticated'),
      created: value('createdAt'),
    },
  },
  '/seller_keys': {
    rows: 'sellerKeys',
    id: 'sellerKey',
    sorts: {
      name: text('keyName'),
      created: value('createdAt'),
      lastUsed: value('lastUsedAt'),
      status: text('status'),
    },
  },
  '/resellers': { rows: 'resellers', id: 'username', sorts: { username: text('username'), email: text('email') } },
  '/getAllAppVar': {
    method: 'POST',
    rows: 'vars',
    id: 'variableName',
    sorts: { name: value('variableName'), access: value('authenticated'), updated: value('updatedAt') },
  },
  '/alerts': { rows: 'data', id: 'alertId', sorts: { time: value('timestamp'), severity: rankOf } },
  '/audit': { rows: 'entries', id: 'id', sorts: { time: value('timestamp') } },
}

const cases = Object.entries(lists).flatMap(([path, { sorts }]) =>
  Object.keys(sorts).flatMap((sort) => [
    { path, sort },
    { path, sort: `-${sort}` },
  ]),
)

test.each(cases)('$path by $sort', async ({ path, sort }) => {
  const list = lists[path] as (typeof lists)[string]
  const read = async (query: object) => {
    const { status, body } = await owner.visitor.send<Record<string, Row[]>>(
      list.method ?? 'GET',
      `/api/1.0/website${path}?${new URLSearchParams(query as Record<string, string>)}`,
      list.method ? { body: {} } : {},
    )
    expect(status).toBe(200)
    return body[list.rows] as Row[]
  }
  const idOf = (row: Row) => row[list.id]
  const all = await read({ limit: 100 })
  expect(all.length).toBeGreaterThanOrEqual(rows)
  const paged: Row[] = []
  for (let page = 1; page <= Math.ceil(all.length / 3); page++) paged.push(...(await read({ sort, limit: 3, page })))
  expect(paged.map(idOf).toSorted()).toEqual(all.map(idOf).toSorted())
  const values = paged.map(list.sorts[sort.replace(/^-/, '')] as (row: Row) => unknown) as (string | number)[]
  const direction = sort.startsWith('-') ? -1 : 1
  expect(values).toEqual(values.toSorted((one, other) => (one < other ? -direction : one > other ? direction : 0)))
})

test.each(Object.keys(lists))('%s rejects an unknown order', async (path) => {
  const { method = 'GET' } = lists[path] as (typeof lists)[string]
  for (const sort of ['password', '-', '--created', 'created,name', "name' or 1=1"]) {
    const address = `/api/1.0/website${path}?${new URLSearchParams({ sort })}`
    expect((await owner.visitor.send(method, address, method === 'POST' ? { body: {} } : {})).status).toBe(400)
  }
})
