import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { activityLog } from '#features/logs/logs.actions.ts'
import { newAlert } from '#testing/busy-app.ts'
import { newSubscriber, signedIn } from '#testing/people/end-users.ts'
import { insertLogRows, type LogRow } from '#testing/log-rows.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp, setPlan } from '#testing/people/people.ts'
import { keepSignedIn } from '#testing/platform.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { maxCustomerLogs } from '#features/logs/logs.rules.ts'
import { findRejected } from '../attention.reads.ts'

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  const row = { name: 'Small', display_name: 'Small', price_cents: 0, position: 9, active: 1 }
  const limits = { max_apps: 10, max_users_per_app: -1, max_licenses_per_app: 5, max_variables_per_app: 10 }
  await app.db.write(({ db }) =>
    db
      .insertInto('plans')
      .values({ ...row, ...limits, max_storage_mb: 1, features: '["advanced_analytics"]' })
      .execute(),
  )
})
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  stranger = await newOwnerWithApp(app)
  await keepSignedIn(app, owner)
})
afterAll(() => app.close())

async function attention(of: OwnedApp = owner) {
  await activityLog(app.services).flush()
  const { status, body } = await of.visitor.call('GET /overview/attention')
  expect(status).toBe(200)
  return body
}

const insert = (rows: readonly LogRow[]) => insertLogRows(app, owner, rows)

const nothing = {
  webhooks: { failing: 0, stopped: 0, webhookId: '' },
  alerts: 0,
  rejected: { customers: 0, isMore: false, code: '', ofCode: 0, customer: '' },
  outdated: { starts: 0 },
  expiring: 0,
  limits: [],
}

test('a new app needs nothing, whatever another one needs', async () => {
  await newAlert(app, stranger)
  expect(await attention()).toMatchObject(nothing)
  expect((await attention(stranger)).alerts).toBe(1)
})

describe('customers who were rejected', () => {
  test('count once each, with the reason of most of them', async () => {
    await newSubscriber(owner, { username: 'marta' })
    const [banned = ''] = await newLicenses(owner, 1)
    await owner.visitor.call('POST /licenses/bulk', { body: { action: 'ban', licenses: [banned] } })
    const program = await Program.of(app, owner)
    await program.init()
    await program.license(banned)
    await program.license(banned)
    expect((await attention()).rejected).toEqual({
      customers: 1,
      isMore: false,
      code: 'LICENSE_BANNED',
      ofCode: 1,
      customer: banned,
    })
    await insert([
      { code: 'HWID_MISMATCH', username: 'anna' },
      { code: 'HWID_MISMATCH', username: 'anna' },
      { code: 'HWID_MISMATCH', username: 'bruno', license: 'AAAA' },
      { code: 'SUBSCRIPTION_EXPIRED', username: 'bruno' },
    ])
    expect((await attention()).rejected).toEqual({
      customers: 3,
      isMore: false,
      code: 'HWID_MISMATCH',
      ofCode: 2,
      customer: '',
    })
  })

  test.each([
    ['for a reason that the owner can’t remove', { code: 'SESSION_EXPIRED', username: 'anna' }],
    ['for a wrong password', { code: 'INVALID_CREDENTIALS', username: 'anna' }],
    ['for a key that doesn’t exist', { code: 'LICENSE_NOT_FOUND', license: 'AAAA' }],
    ['more than 24 hours ago', { code: 'HWID_MISMATCH', username: 'anna', ago: 86_401 }],
    ['without a name or a license', { code: 'HWID_MISMATCH' }],
    ['not at all', { code: '', username: 'anna' }],
  ])('%s, they need nobody', async (_, row) => {
    await insert([row])
    expect(await attention()).toMatchObject(nothing)
  })

  test('are counted among the newest rows only, and the reply says so', async () => {
    await insert([{ code: 'USER_BANNED', username: 'old', ago: 3600 }])
    const rows = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => ({ code: 'USER_BANNED', username: `u${(from + index) % 50}` }))
    for (let from = 0; from < maxCustomerLogs; from += 1000) await insert(rows(from, from + 1000))
    expect((await attention()).rejected).toMatchObject({ customers: 50, isMore: true, ofCode: 50 })
  })

  test('are all counted when there are exactly as many rows as are read', async () => {
    await insert(['old', 'anna', 'bruno'].map((username, at) => ({ code: 'USER_BANNED', username, ago: 3 - at })))
    const found = async (max: number) => {
      const { customers, isMore } = await findRejected(app.db.reports, { appId: owner.appId, since: 0, max })
      return [customers, isMore]
    }
    expect(await Promise.all([2, 3, 4].map(found))).toEqual([
      [2, true],
      [3, false],
      [3, false],
    ])
  })
})

test('starts of another version count in the last 24 hours, with the version that is required', async () => {
  await insert(Array.from({ length: 12 }, () => ({ code: 'VERSION_OUTDATED', call: 'init' })))
  await insert([{ code: 'VERSION_OUTDATED', call: 'init', ago: 25 * 3600 }])
  const { outdated, rejected } = await attention()
  expect(outdated.starts).toBe(12)
  expect([outdated.from % 3600, outdated.to - outdated.from]).toEqual([0, 86_400])
  expect(outdated.to).toBeGreaterThan(app.now())
  expect(outdated.version).not.toBe('')
  expect(rejected.customers).toBe(0)
})

test('starts of another version count in full hours, as in the list of exactly that time', async () => {
  const first = Math.floor(app.now() / 3600) * 3600 - 23 * 3600
  const ago = app.now() - first
  await insert([ago, ago + 1, 60].map((each) => ({ code: 'VERSION_OUTDATED', call: 'init', ago: each })))
  const { starts, from, to } = (await attention()).outdated
  expect([starts, from]).toEqual([2, first])
  const query = { code: 'VERSION_OUTDATED', from, until: to - 1 }
  expect((await owner.visitor.call('GET /logs', { query })).body.total).toBe(2)
})

test('licenses that expire within 7 days are the ones that the list shows', async () => {
  const keys = await newLicenses(owner, 4, { expiryUnit: 'days', duration: 7 })
  for (const key of keys.slice(0, 3)) {
    const program = await Program.of(app, owner)
    await program.init()
    await program.license(key)
  }
  await owner.visitor.call('POST /licenses/bulk', { body: { action: 'ban', licenses: keys.slice(0, 1) } })
  const list = await owner.visitor.call('GET /licenses', { query: { status: 'expiring' } })
  expect((await attention()).expiring).toBe(2)
  expect(list.body.total).toBe(2)
})

test('new alerts count until they are reviewed', async () => {
  const alertId = await newAlert(app, owner)
  expect((await attention()).alerts).toBe(1)
  await owner.visitor.call('POST /alerts/{id}/review', { params: { id: alertId }, body: {} })
  expect((await attention()).alerts).toBe(0)
})

test('webhooks that fail or are stopped count, and a single one is named', async () => {
  const create = async (url: string) =>
    (await owner.visitor.call('POST /create_webhook', { body: { url, events: ['license.banned'] } })).body.webhookId
  const ids = [await create('https://one.example/'), await create('https://two.example/')]
  const set = (id: string | undefined, row: { stopped_at?: number; failing_since?: number }) =>
    app.db.write(({ db }) =>
      db.updateTable('webhooks').set(row).where('app_id', '=', owner.appId).where('id', '=', String(id)).execute(),
    )
  expect((await attention()).webhooks).toEqual({ failing: 0, stopped: 0, webhookId: '' })
  await set(ids[0], { failing_since: app.now() })
  expect((await attention()).webhooks).toEqual({ failing: 1, stopped: 0, webhookId: ids[0] })
  await set(ids[1], { failing_since: app.now(), stopped_at: app.now() })
  expect((await attention()).webhooks).toEqual({ failing: 1, stopped: 1, webhookId: '' })
})

test('limits of the plan count from 80%, the fullest first; no limit never does', async () => {
  await setPlan(app, owner.id, 'Small')
  await newLicenses(owner, 3)
  expect((await attention()).limits).toEqual([])
  await newLicenses(owner, 1)
  const { limits, plan } = await attention()
  expect(plan).toBe('Small')
  expect(limits).toEqual([{ limit: 'licenses', used: 4, max: 5 }])
  await newLicenses(owner, 1)
  await app.db.write(({ db }) =>
    db
      .insertInto('app_variables')
      .values(
        Array.from({ length: 8 }, (_, at) => ({
          app_id: owner.appId,
          name: `name${at}`,
          data: 'x',
          authenticated: 0,
          created_at: app.now(),
          updated_at: app.now(),
        })),
      )
      .execute(),
  )
  expect((await attention()).limits).toEqual([
    { limit: 'licenses', used: 5, max: 5 },
    { limit: 'variables', used: 8, max: 10 },
  ])
  await setPlan(app, owner.id, 'Pro')
  expect((await attention()).limits).toEqual([])
})

test('without advanced_analytics, what needs the owner is rejected like the overview', async () => {
  await setPlan(app, owner.id, 'Free')
  const { status, body } = await owner.visitor.call('GET /overview/attention')
  expect([status, body.code]).toEqual([403, 'PLAN_FEATURE_MISSING'])
})

test('a successful sign-in is no rejection', async () => {
  await signedIn(app, owner, await newSubscriber(owner))
  expect(await attention()).toMatchObject(nothing)
})
