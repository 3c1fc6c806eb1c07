import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyRecordedAudit } from '#features/audit/verify-audit.ts'
import { verifyLedger } from '#features/resellers/verify-ledger.ts'
import { freshPostgresUrl } from '../servers/postgres.ts'
import { startTestApp, testEngine, type TestApp } from '../start-test-app.ts'
import type { Visitor } from '../people/visitor.ts'
import { isEmptyPlatform } from './fill-platform.ts'
import { fillSmallDemo, openEmptyPlatform } from './open-small-demo.ts'
import { demoPassword } from './story.ts'

/** The demo has what each screen shows, and is whole as if people had made it. */

const dataDir = mkdtempSync(join(tmpdir(), 'signet-demo-'))
let app: TestApp
let marina: Visitor
let filled: Record<string, unknown>

beforeAll(async () => {
  const databaseUrl = testEngine === 'postgres' ? await freshPostgresUrl() : undefined
  const platform = await openEmptyPlatform(dataDir, databaseUrl)
  const { config, db, masterKey } = platform
  const wasEmpty = await isEmptyPlatform(db)
  const made = await fillSmallDemo(platform)
  const audit = await verifyRecordedAudit({ db, masterKey, config }, [])
  filled = {
    wasEmpty,
    isEmpty: await isEmptyPlatform(db),
    made,
    ledgerProblems: await verifyLedger(db),
    auditProblem: audit.problem,
    sealed: audit.sealed,
  }
  await db.close()
  app = await startTestApp({
    masterKey,
    sqlite: { file: join(dataDir, 'signet.db') },
    ...(databaseUrl && { postgres: { url: databaseUrl } }),
  })
  marina = await signedIn('marina')
}, 300_000)
afterAll(async () => {
  await app.close()
  rmSync(dataDir, { recursive: true })
})

async function signedIn(username: string): Promise<Visitor> {
  const visitor = app.visitor()
  const { status } = await visitor.call('POST /login', { body: { username, password: demoPassword } })
  expect(status).toBe(200)
  return visitor
}

test('an empty platform is filled, and its ledger and audit chain are whole', () => {
  expect(filled).toMatchObject({
    wasEmpty: true,
    isEmpty: false,
    made: { accounts: ['marina', 'northwind', 'kestrel', 'tomas', 'operator'], apps: 39 },
    ledgerProblems: [],
    auditProblem: undefined,
  })
  expect(filled['sealed']).toBeGreaterThan(100)
})

const query = { appName: 'Prism Studio' }

test('users are in every state, and some run the program now', async () => {
  for (const status of ['active', 'expired', 'paused', 'banned'] as const) {
    const { body } = await marina.call('GET /users', { query: { ...query, status } })
    expect(body.total, status).toBeGreaterThan(0)
  }
  expect((await marina.call('GET /sessions', { query })).body.total).toBeGreaterThan(10)
})

test('the overview has something to do and sign-ins in every week of 90 days', async () => {
  const { body } = await marina.call('GET /overview/attention', { query })
  expect(body.webhooks).toMatchObject({ failing: 1, stopped: 1 })
  expect(Math.min(body.alerts, body.rejected.customers, body.expiring)).toBeGreaterThan(0)
  const logs = await app.db.read.selectFrom('logs').select('at').where('code', '=', '').execute()
  const weeks = new Set(logs.map(({ at }) => Math.floor((app.now() - Number(at)) / (7 * 86_400))))
  for (let week = 0; week < 12; week++) expect(weeks, `week ${week}`).toContain(week)
})

test('rejections of several kinds have support codes', async () => {
  const { body } = await marina.call('GET /logs', { query })
  const rejected = body.logs.filter(({ code }) => code !== '')
  expect(new Set(rejected.map(({ code }) => code)).size).toBeGreaterThan(3)
  for (const { requestId } of rejected) expect(requestId).toMatch(/^\w{4}-\w{4}$/)
})

test('nobody signed in before they became a customer', async () => {
  const early = await app.db.read
    .selectFrom('users')
    .select(['username', 'created_at', 'last_login_at'])
    .whereRef('last_login_at', '<', 'created_at')
    .execute()
  expect(early).toEqual([])
})

test('the attack of the last hours raised alerts, and some older ones are decided', async () => {
  const { body } = await marina.call('GET /alerts', { query: { ...query, limit: 100 } })
  const types = body.data.filter(({ status }) => status === 'new').map(({ type }) => type)
  for (const type of ['CROSS_APP_NO_LICENSE', 'LOADER_HASH_MISMATCH', 'IP_CHANGED_COUNTRY', 'RESELLER_CREDIT_ABUSE']) {
    expect(types).toContain(type)
  }
})

test('each other list of the app has rows', async () => {
  const totals = {
    resellers: (await marina.call('GET /resellers')).body.total,
    webhooks: (await marina.call('GET /webhooks', { query })).body.total,
    downloads: (await marina.call('GET /downloads', { query })).body.stats.total_download_count,
    keys: (await marina.call('GET /seller_keys', { query })).body.sellerKeys.filter((key) => key.lastUsed).length,
    levels: (await marina.call('GET /subscriptions', { query })).body.subscriptions.length,
  }
  expect(totals).toEqual({
    resellers: 4,
    webhooks: 3,
    downloads: expect.any(Number) as number,
    keys: expect.any(Number) as number,
    levels: 4,
  })
  expect(Math.min(totals.downloads, totals.keys)).toBeGreaterThan(0)
})

test('the audit log has actions of the owner, resellers, a shop and an administrator', async () => {
  const rows = await app.db.read.selectFrom('audit').select('actor_type').distinct().execute()
  expect(rows.map(({ actor_type }) => actor_type)).toEqual(
    expect.arrayContaining(['owner', 'reseller', 'seller-key', 'admin']),
  )
})

test('the administrator has owners who registered in each month, a banned one, plans that end, and jobs to retry', async () => {
  const operator = await signedIn('operator')
  const months = [0, 1, 2].map((month) => ({
    from: app.now() - (month + 1) * 30 * 86_400,
    until: app.now() - month * 30 * 86_400,
  }))
  for (const query of [
    ...months,
    { status: 'banned' as const },
    { planEnds: 'week' as const },
    { limits: 'near' as const },
  ]) {
    expect((await operator.call('GET /admin/owners', { query })).body.total, JSON.stringify(query)).toBeGreaterThan(0)
  }
  expect((await operator.call('GET /admin/jobs', { query: {} })).body.total).toBe(3)
})

test('a new owner has no app yet', async () => {
  const tomas = await signedIn('tomas')
  expect((await tomas.call('GET /apps')).body.apps).toEqual([])
})
