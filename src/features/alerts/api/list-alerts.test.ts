import { afterAll, beforeAll, expect, test } from 'vitest'
import { alertSeverities, type AlertSeverity, type AlertType } from '../alerts.rules.ts'
import { newAlert } from '#testing/busy-app.ts'
import { expectQueriesRejected, notQueryIntegers } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  const stranger = await newOwnerWithApp(app)
  await newAlert(app, stranger)
  for (let n = 0; n < 60; n++) {
    app.advance(1)
    await newAlert(app, owner, { severity: n < 2 ? 'CRITICAL' : 'LOW', status: n < 3 ? 'reviewed' : 'new' })
  }
  await newAlert(app, owner, { type: 'HWID_MULTI_KEY', hwid_hash: 'a-hash', ip: '203.0.113.7', user_count: 4 })
})
afterAll(() => app.close())

const list = async (query: object = {}) => (await owner.visitor.call('GET /alerts', { query })).body

test('a page has fifty alerts, newest first, with data and pagination.pages', async () => {
  const first = await list()
  expect(first.data).toHaveLength(50)
  expect(first.pagination).toEqual({ page: 1, limit: 50, total: 61, pages: 2 })
  const times = first.data.map(({ timestamp }) => timestamp)
  expect(times).toEqual(times.toSorted((a, b) => b - a))
  const second = await list({ page: 2 })
  expect(new Set([...first.data, ...second.data].map(({ alertId }) => alertId)).size).toBe(61)
  expect((await list({ page: 1000 })).data).toEqual([])
})

test('an alert has its fields and details', async () => {
  const { data } = await list({ type: 'HWID_MULTI_KEY' })
  expect(data).toHaveLength(1)
  expect(data[0]).toMatchObject({
    alertId: expect.stringMatching(/^alert_/),
    type: 'HWID_MULTI_KEY',
    severity: 'MEDIUM',
    status: 'new',
    timestamp: app.now(),
    details: { userCount: 4, ip: '203.0.113.7', hwid: 'a-hash', occurrences: 1 },
  })
})

test('filters by type, severity, and status, also combined; search finds an alert by its ID', async () => {
  expect((await list({ severity: 'CRITICAL' })).total).toBe(2)
  expect((await list({ status: 'reviewed' })).total).toBe(3)
  expect((await list({ status: 'reviewed', severity: 'CRITICAL' })).total).toBe(2)
  expect((await list({ status: 'new', severity: 'CRITICAL' })).total).toBe(0)
  const id = (await list()).data[5]?.alertId as string
  expect((await list({ search: id })).data).toMatchObject([{ alertId: id }])
})

test('search finds the texts of a row and its evidence, in any case and with any characters', async () => {
  const evidence = {
    key: '203.0.113.9',
    users: ['Zoë "100%" O_o'],
    licenses: ['AAAA-1111'],
    ips: ['203.0.113.9'],
    hwids: ['machine-of-search'],
    events: [],
  }
  const id = await newAlert(app, owner, {
    type: 'RAPID_IP_CHANGE',
    ip: '203.0.113.9',
    hwid_hash: 'machine-of-search',
    evidence: JSON.stringify({ ...evidence, threshold: 1, windowSeconds: 60, countries: [], apps: [] }),
  })
  for (const search of [
    'zoë "100%"',
    'O_o',
    'aaaa-11',
    '203.0.113.9',
    'machine-of-s',
    'rapid ip ch',
    'RAPID_IP_CHANGE',
    id,
  ])
    expect(
      (await list({ search })).data.map(({ alertId }) => alertId),
      search,
    ).toEqual([id])
  for (const search of ['_', '100_', '203.0.113.99', 'nobody', "' or 1=1 --"])
    expect(
      (await list({ search })).data.filter(({ alertId }) => search !== '_' && alertId === id),
      search,
    ).toEqual([])
})

test('search finds the words of titles and evidence, and not the names of the fields that they are stored in', async () => {
  const other = await newOwnerWithApp(app)
  const evidenceOf = (users: string[]) =>
    JSON.stringify({
      key: 'x',
      reseller: '',
      threshold: 2,
      windowSeconds: 60,
      users,
      usersElsewhere: [],
      licenses: [],
      attempts: [],
      ips: [],
      hwids: [],
      countries: [],
      apps: [],
      events: [
        { at: 1, username: users[0], license: '', attempt: '', ip: '', hwid: '', country: '', code: '', app: '' },
      ],
      strongest: 2,
    })
  const add = (type: AlertType, users: string[]) => newAlert(app, other, { type, evidence: evidenceOf(users) })
  const travel = await add('IP_CHANGED_COUNTRY', ['ada'])
  const expired = await add('EXPIRED_STILL_TRYING', ['super user', '"users":['])
  const found = async (search: string) =>
    (await other.visitor.call('GET /alerts', { query: { search } })).body.data.map(({ alertId }) => alertId)
  expect(await found('Country')).toEqual([travel])
  for (const search of ['user', 'USER', 'users":']) expect(await found(search)).toEqual([expired])
  for (const search of ['license', 'threshold', 'elsewhere', 'event', 'username', 'attempts', 'hwid', 'resell'])
    expect(await found(search), search).toEqual([])
  // Not the marks between them either, which look like the end of an IPv6 address.
  const local = await add('IP_MULTI_KEY', ['2001:db8::2'])
  expect(await found(':2')).toEqual([local])
  expect(await found(':[')).toEqual([expired])
  for (const search of [':60', '],', '{', '},', ':1']) expect(await found(search), search).toEqual([])
})

test('search also finds types by the codes in the call: the server knows only English', async () => {
  const types = async (query: object) => [...new Set((await list(query)).data.map(({ type }) => type))]
  expect(await types({ search: 'trocas rápidas' })).toEqual([])
  expect(await types({ search: 'trocas rápidas', searchCodes: 'RAPID_IP_CHANGE,NO_SUCH_TYPE' })).toEqual([
    'RAPID_IP_CHANGE',
  ])
  expect((await list({ searchCodes: 'RAPID_IP_CHANGE' })).total).toBe((await list()).total)
  for (const searchCodes of [',', 'A,', 'A B', "A' or 1=1 --", 'A'.repeat(8001)])
    expect((await owner.visitor.call('GET /alerts', { query: { search: 'x', searchCodes } })).status, searchCodes).toBe(
      400,
    )
})

test('rejects invalid queries', async () => {
  const words = ['nothing', 'NEW', '__proto__']
  const queries = [
    ...notQueryIntegers.flatMap((value) => [{ page: value }, { limit: value }]),
    { limit: '101' },
    ...['-1', 'yesterday', '1.5', '2026-11-01', "' or 1=1", '1e99'].flatMap((time) => [
      { from: time },
      { until: time },
    ]),
    ...words.flatMap((value) => [{ type: value }, { severity: value }, { status: value }]),
  ]
  await expectQueriesRejected(owner.visitor, '/alerts', queries)
})

test('several severities, statuses, and types match each alert once', async () => {
  expect((await list({ severity: 'CRITICAL,LOW' })).total).toBe(60)
  expect((await list({ status: 'reviewed,dismissed' })).total).toBe(3)
  expect((await list({ status: 'new,reviewed', severity: 'CRITICAL,HIGH' })).total).toBe(2)
  expect((await list({ type: 'HWID_MULTI_KEY,RAPID_IP_CHANGE', status: 'dismissed' })).total).toBe(0)
  for (const query of [
    { severity: 'LOW,HUGE' },
    { status: 'new,' },
    { type: Array.from({ length: 100 }, () => 'HWID_MULTI_KEY').join(',') },
    { sort: 'status' },
  ])
    expect((await owner.visitor.call('GET /alerts', { query: query as object })).status).toBe(400)
})

test('a time finds the alerts of the app that were raised in it, with its first and its last second', async () => {
  const times = (await list({ limit: 100 })).data.map(({ timestamp }) => timestamp).toReversed()
  const [first = 0, second = 0, , fourth = 0] = times
  const raised = async (query: object) => {
    const { data, total } = await list({ limit: 100, ...query })
    expect(total).toBe(data.length)
    return data.map(({ timestamp }) => timestamp)
  }
  expect(await raised({ from: second, until: fourth })).toEqual(times.slice(1, 4).toReversed())
  expect(await raised({ from: second, until: fourth, sort: 'time' })).toEqual(times.slice(1, 4))
  expect(await raised({ from: first, until: fourth, severity: 'CRITICAL', sort: '-severity' })).toEqual([second, first])
  expect(await raised({ until: fourth, status: 'reviewed' })).toHaveLength(3)
  // The alert of another owner was raised before.
  expect(await raised({ until: first - 1 })).toEqual([])
  expect(await raised({ from: fourth, until: second })).toEqual([])
})

test('the oldest come first on request, in pages without gaps', async () => {
  const all = (await list({ limit: 100 })).data
  const oldest = (await list({ limit: 100, sort: 'time' })).data.map(({ timestamp }) => timestamp)
  expect(oldest).toEqual(all.map(({ timestamp }) => timestamp).toReversed())
  const pages = [1, 2, 3, 4].map((page) => list({ sort: 'time', limit: 20, page }))
  const ids = (await Promise.all(pages)).flatMap(({ data }) => data.map(({ alertId }) => alertId))
  expect(ids).toEqual((await list({ limit: 100, sort: 'time' })).data.map(({ alertId }) => alertId))
})

test('the most severe come first on request, and of equally severe ones the newest', async () => {
  const all = (await list({ limit: 100 })).data
  const rank = (severity: AlertSeverity) => alertSeverities.indexOf(severity)
  const expected = all.toSorted((one, other) => rank(one.severity) - rank(other.severity))
  const pages = [1, 2, 3, 4].map((page) => list({ sort: '-severity', limit: 20, page }))
  const shown = (await Promise.all(pages)).flatMap(({ data }) => data)
  expect(shown.map(({ alertId }) => alertId)).toEqual(expected.map(({ alertId }) => alertId))
  const least = (await list({ sort: 'severity', limit: 100 })).data
  expect(least.map(({ severity }) => severity)).toEqual(expected.map(({ severity }) => severity).toReversed())
})
