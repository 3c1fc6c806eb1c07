import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectQueriesRejected } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { formulasIn } from '#testing/spreadsheet.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { activityLog } from '../logs.actions.ts'

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  stranger = await newOwnerWithApp(app)
  const log = activityLog(app.services)
  const row = { appId: owner.appId, call: 'message', ip: '203.0.113.7' }
  log.record({ ...row, at: 1_700_000_000, message: '=HYPERLINK(1)\n"quoted"', username: '+1' })
  log.record({ ...row, at: 1_700_000_001, call: 'login', code: 'USER_BANNED', message: 'You are banned' })
  // Many rows in one second, so that pages end within it.
  for (let n = 0; n < 450; n++) log.record({ ...row, at: 1_700_000_002, call: 'init', session: String(n) })
  log.record({ appId: stranger.appId, at: 1, call: 'init', ip: 'foreign' })
})
afterAll(() => app.close())

const exported = async (query: object) => (await owner.visitor.call('GET /export_logs', { query })).body

test('CSV contains every row once, oldest first, and no cell is a formula (R-INP-03)', async () => {
  const { content, filename } = await exported({})
  expect(content).toContain('Date,Log Data,Credential,Device,Call,Code,License,IP,Country,Session,Request ID\r\n')
  expect(content).toContain('2023-11-14T22:13:21.000Z,You are banned,,,login,USER_BANNED,,203.0.113.7,,,\r\n')
  expect(content).not.toContain('foreign')
  expect(filename).toMatch(/^logs-.*\.csv$/)
  expect(formulasIn(content)).toEqual([])
})

test('JSON contains the rows unchanged, and takes the filter of the list', async () => {
  const rows = async (query: object) =>
    JSON.parse((await exported({ format: 'json', ...query })).content) as Record<string, unknown>[]
  const all = await rows({})
  expect(all).toHaveLength(452)
  expect(new Set(all.map(({ id }) => id)).size).toBe(452)
  expect(all[0]).toMatchObject({ logData: '=HYPERLINK(1)\n"quoted"', credential: '+1', date: 1_700_000_000 })
  expect(await rows({ rejected: true })).toMatchObject([{ code: 'USER_BANNED' }])
  expect(await rows({ call: 'init' })).toHaveLength(450)
  expect(await rows({ search: 'nothing' })).toEqual([])
})

test('columns stand in the order of the file, and JSON has the fields of the chosen ones', async () => {
  const query = { rejected: true, columns: 'ip,code,date' }
  const csv = (await exported(query)).content
  expect(csv).toBe('Date,Code,IP\r\n2023-11-14T22:13:21.000Z,USER_BANNED,203.0.113.7\r\n')
  expect(JSON.parse((await exported({ ...query, format: 'json' })).content)).toEqual([
    { timestamp: 1_700_000_001, code: 'USER_BANNED', ip: '203.0.113.7' },
  ])
})

test('selected entries alone, oldest first; deleted ones and those of another app are left out', async () => {
  const all = JSON.parse((await exported({ format: 'json' })).content) as { id: number }[]
  const [first, second, third] = all.map(({ id }) => id) as [number, number, number]
  const foreign = (await stranger.visitor.call('GET /logs')).body.logs.map(({ id }) => id)
  expect(foreign).toHaveLength(1)
  const body = { logIds: [third, 999_999_999, ...foreign, first] }
  const json = (await owner.visitor.call('POST /export_logs', { body: { ...body, format: 'json' } })).body
  expect(JSON.parse(json.content)).toEqual([all[0], all[2]])
  const csv = (await owner.visitor.call('POST /export_logs', { body })).body
  expect(csv.content.split('\r\n').slice(2, 3)).toEqual((await exported({})).content.split('\r\n').slice(3, 4))
  expect(formulasIn(csv.content)).toEqual([])
  expect(csv.filename).toMatch(/^logs-.*\.csv$/)
  for (const logIds of [[], Array<number>(1001).fill(second)]) {
    expect((await owner.visitor.send('POST', '/api/1.0/website/export_logs', { body: { logIds } })).status).toBe(400)
  }
})

test('rejects invalid queries', async () => {
  const queries = [
    { columns: 'hwid_hash' },
    { columns: 'ip,' },
    { format: 'txt' },
    { search: 'x'.repeat(201) },
    { download: 'x' },
    { page: 1 },
    { noSuchField: 1 },
  ]
  await expectQueriesRejected(owner.visitor, '/export_logs', queries)
})
