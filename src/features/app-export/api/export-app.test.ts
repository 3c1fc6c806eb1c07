import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asReportCaller, RequestAborted } from '#database/report-queue.ts'
import { type BusyApp, fillApp } from '#testing/busy-app.ts'
import { tablesOf } from '#testing/database-digest.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { scanTable } from '../app-export.reads.ts'
import { type ExportedTable, exportedTables, notExported } from '../exported-tables.rules.ts'

type Document = Record<string, Record<string, unknown>[]> & { app: object }

let app: TestApp
let owner: OwnedApp
let busy: BusyApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app, 'Shop')
  busy = await fillApp(app, owner)
})
afterAll(() => app.close())

const exported = async ({ visitor }: OwnedApp) => {
  const { status, headers, body } = await visitor.send<Document>('POST', '/api/1.0/website/export_app', { body: {} })
  return { status, headers, document: body, text: JSON.stringify(body) }
}
/** The columns of a table on the current engine. */
async function columnsOf(table: string): Promise<string[]> {
  const query =
    app.db.engine === 'sqlite'
      ? sql<{ name: string }>`select name from pragma_table_info(${table})`
      : sql<{ name: string }>`select column_name as name from information_schema.columns where table_name = ${table}`
  return (await query.execute(app.db.read)).rows.map(({ name }) => name)
}

describe('everything stored for an app (R-PII-02)', () => {
  test('is one JSON file: settings, lists, and users with their data', async () => {
    const { status, headers, document } = await exported(owner)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    const day = new Date(app.now() * 1000).toISOString().slice(0, 10)
    expect(headers.get('content-disposition')).toBe(`attachment; filename="app-Shop-${day}.json"`)
    expect(document).toMatchObject({
      format: 'signet-app',
      version: 1,
      exportedAt: app.now(),
      app: { appId: owner.appId, appName: 'Shop', version: '1.0.0', settings: { hwidLock: true } },
    })
    for (const name of [...Object.keys(exportedTables), 'users']) expect(document).toHaveProperty(name)
    const find = (list: string, match: object) =>
      document[list]?.find((row) => Object.entries(match).every(([field, value]) => row[field] === value))
    expect(find('levels', { level: 2 })).toMatchObject({ name: 'Nobody has it', active: true })
    expect(find('licenses', { license: busy.licenseKey })).toMatchObject({ level: 1, used: false, banned: false })
    expect(find('users', { username: busy.username })).toMatchObject({
      banned: false,
      hwid: expect.stringMatching(/^.{12}$/),
      subscriptions: { 1: { level: 1, name: 'Basic', active: true } },
      variables: { x: 'before' },
    })
    expect(find('variables', { name: 'x' })).toMatchObject({ data: 'before', authenticated: true })
    expect(find('sessions', { handle: busy.sessionId })).toMatchObject({ ip: '127.0.0.1' })
    expect(document['sessions']?.map(({ username }) => username)).toContain(busy.username)
    expect(find('sellerKeys', { id: busy.sellerKey })).toMatchObject({ active: true, ipList: [] })
    expect(find('webhooks', { id: busy.webhookId })).toMatchObject({ url: 'https://hooks.example/' })
    expect(find('downloads', { id: busy.downloadId })).toMatchObject({ size: 5, ready: true })
    expect(find('resellers', { resellerId: busy.reseller.id })).toMatchObject({
      username: busy.reseller.username,
      allowedPlans: expect.any(Array),
    })
    const of = (list: string) => document[list]?.filter(({ resellerId }) => resellerId === busy.reseller.id) ?? []
    expect(of('creditAccounts').map(({ kind }) => kind)).toEqual(['balance', 'source', 'spent'])
    expect(of('creditAccounts').reduce((sum, { balance }) => sum + Number(balance), 0)).toBe(0)
    expect(of('creditTransfers')[0]).toMatchObject({ kind: 'set', amount: expect.any(Number) })
  })

  test('includes each table with rows of an app, or gives a reason why not', async () => {
    const ofApps: string[] = []
    for (const table of await tablesOf(app.db)) {
      if (table !== 'apps' && (await columnsOf(table)).includes('app_id')) ofApps.push(table)
    }
    const known = [...Object.values(exportedTables).map(({ table }) => table), ...Object.keys(notExported)]
    expect(ofApps.filter((table) => !known.includes(table))).toEqual([])
  })

  test('includes 3,000 rows, each once, and none of another app', async () => {
    const many = await newOwnerWithApp(app)
    const keys: string[] = []
    for (let batch = 0; batch < 3; batch++) keys.push(...(await newLicenses(many, 1000)))
    const { document, text } = await exported(many)
    expect(document['licenses']?.map(({ license }) => license)).toEqual(keys)
    expect(text).not.toContain(busy.licenseKey)
    expect((await exported(owner)).text).not.toContain(keys[0])
  })

  test('works for an empty app too', async () => {
    const { document } = await exported(await newOwnerWithApp(app))
    expect(document).toMatchObject({ licenses: [], users: [], webhooks: [], creditTransfers: [] })
  })
})

test('leaves one audit row', async () => {
  const exports = () =>
    app.db.read.selectFrom('audit').selectAll().where('act', '=', 'app.export').orderBy('id').execute()
  const before = await exports()
  await exported(owner)
  const rows = (await exports()).slice(before.length)
  expect(rows).toMatchObject([{ actor_id: owner.id, app_id: owner.appId, target: 'Shop', details: '{}' }])
})

test('contains no secret: a canary in each secret column stays out (R-PII-02, R-SEC-01)', async () => {
  const secret = /(_hash|_sealed|token|secret|proof)/
  const marked: string[] = []
  for (const table of await tablesOf(app.db)) {
    const columns = await columnsOf(table)
    const [owns, value] = columns.includes('app_id')
      ? ['app_id', owner.appId]
      : table === 'apps' || table === 'accounts'
        ? ['id', table === 'apps' ? owner.appId : owner.id]
        : table === 'resellers'
          ? ['id', busy.reseller.id]
          : ['', '']
    if (owns === '' || table === 'audit') continue
    for (const column of columns.filter((name) => secret.test(name) && name !== 'machine_hash')) {
      // Only the start of a machine's hash is shown.
      const canary = column === 'hwid_hash' ? sql`'shown-machin' || 'CANARY'` : sql`'CANARY' || ${sql.ref(column)}`
      const result = await app.db.write((tx) =>
        sql`update ${sql.table(table)} set ${sql.ref(column)} = ${canary}
          where ${sql.ref(owns)} = ${value} and ${sql.ref(column)} is not null`.execute(tx.db),
      )
      if (Number(result.numAffectedRows ?? 0) > 0) marked.push(`${table}.${column}`)
    }
  }
  for (const place of [
    'apps.root_private_sealed',
    'apps.box_private_sealed',
    'apps.hwid_pepper_sealed',
    'app_signing_keys.private_sealed',
    'users.password_hash',
    'users.hwid_hash',
    'client_sessions.token_hash',
    'seller_keys.secret_hash',
    'webhooks.secret_sealed',
    'resellers.password_hash',
    'accounts.password_hash',
  ]) {
    expect(marked).toContain(place)
  }
  const { text } = await exported(owner)
  expect(text).toContain('shown-machin')
  expect(text).not.toContain('CANARY')
})

test('stops reading when the caller disconnects', async () => {
  const many = await newOwnerWithApp(app)
  await newLicenses(many, 1000)
  const left = new AbortController()
  await asReportCaller({ owner: many.id, signal: left.signal }, async () => {
    const batches = scanTable(app.db, exportedTables['licenses'] as ExportedTable, many.appId)
    expect((await batches.next()).value).toHaveLength(500)
    left.abort()
    await expect(batches.next()).rejects.toThrow(RequestAborted)
  })
})
