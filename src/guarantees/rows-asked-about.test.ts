import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Calls } from '#contract/calls.ts'
import { deleteLicensesByUse, banAction, licenseRows } from '#features/licenses/bulk-licenses.actions.ts'
import { flagAction, userRows } from '#features/users/bulk-users.actions.ts'
import { beforeWrite } from '#testing/faults/before-write.ts'
import { newUser } from '#testing/people/end-users.ts'
import { ownerContext } from '#testing/people/owner-context.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { runBulk } from '../server/bulk/bulk.ts'

/** An action on a filter changes the rows that its caller was asked about, and none that was added since. */

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const contextOf = ({ appId, id: ownerId, appName: name }: OwnedApp) =>
  ownerContext({ id: appId, ownerId, name }, app.now())

type Body = Calls['POST /licenses/bulk']['body']
let keys = 0
const bulk = (owner: OwnedApp, body: Body) =>
  owner.visitor.call('POST /licenses/bulk', { body, headers: { 'idempotency-key': `asked-${++keys}` } })

const bannedOf = async (owner: OwnedApp) =>
  (await owner.visitor.call('GET /licenses', { query: { status: 'banned' } })).body.licenses.map((each) => each.license)

test('a license that is created between two batches of an action is left out', async () => {
  const owner = await newOwnerWithApp(app)
  const asked = await newLicenses(owner, 3)
  const body = { action: 'ban', filter: {}, expectedCount: 3, maxRows: 2 } as const
  const first = (await bulk(owner, body)).body
  await newLicenses(owner, 2)
  const { next, newestId } = first
  const second = (await bulk(owner, { ...body, after: next ?? 0, newestId: newestId ?? 0 })).body
  expect([first.done, second.done, second.next]).toEqual([2, 1, null])
  expect((await bannedOf(owner)).toSorted()).toEqual(asked.toSorted())
})

test('an action on what a dry run has counted is rejected if one was deleted, although another was created', async () => {
  const owner = await newOwnerWithApp(app)
  const [gone = ''] = await newLicenses(owner, 3)
  const asked = { action: 'ban', filter: {}, expectedCount: 3 } as const
  const { newestId } = (await owner.visitor.call('POST /licenses/bulk', { body: { ...asked, dryRun: true } })).body
  await owner.visitor.call('POST /delete_license', { body: { licenseKey: gone } })
  await newLicenses(owner, 1)
  for (const maxRows of [undefined, 1000]) {
    const rejected = await bulk(owner, { ...asked, newestId: newestId ?? 0, ...(maxRows && { maxRows }) })
    expect(rejected).toMatchObject({ status: 409, body: { code: 'SELECTION_CHANGED', values: { count: 2 } } })
    const body = { ...asked, newestId: newestId ?? 0, ...(maxRows && { maxRows }) }
    expect((await owner.visitor.call('POST /licenses/bulk', { body })).body.code).toBe('SELECTION_CHANGED')
  }
  expect(await bannedOf(owner)).toEqual([])
})

test('licenses and users that are created during an action are left out', async () => {
  const owner = await newOwnerWithApp(app)
  const context = contextOf(owner)
  const run = { expectedCount: 2, filter: {} }
  await newLicenses(owner, 2)
  const licenses = await runBulk({
    db: beforeWrite(app.db, 1, () => newLicenses(owner, 1)),
    context,
    rows: licenseRows(app.db, context),
    action: banAction(context, true),
    target: run,
  })
  expect(licenses).toMatchObject({ done: 2, next: null })
  for (let each = 0; each < 2; each++) await newUser(owner)
  for (const target of [run, { filter: {}, after: 0 }]) {
    const { total } = (await owner.visitor.call('GET /users')).body
    const report = await runBulk({
      db: beforeWrite(app.db, 1, () => newUser(owner)),
      context,
      rows: userRows(app.db, context),
      action: flagAction(context, 'ban'),
      target,
    })
    expect(report).toMatchObject({ done: total, next: null })
  }
})

test('a license that begins to match during an action on a whole filter is left out', async () => {
  const owner = await newOwnerWithApp(app)
  const context = contextOf(owner)
  const [first = '', later = '', last = ''] = await newLicenses(owner, 3)
  const ban = (license: string, banned: boolean) =>
    owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: license, banned } })
  for (const license of [first, last]) await ban(license, true)
  const rows = licenseRows(app.db, context)
  const report = await runBulk({
    // One row per batch.
    rows: { ...rows, list: (filter, { afterId }) => rows.list(filter, { afterId, limit: 1 }) },
    db: beforeWrite(app.db, 1, () => ban(later, true)),
    context,
    action: banAction(context, false),
    target: { filter: { status: 'banned' }, expectedCount: 2 },
  })
  expect(report).toMatchObject({ done: 2 })
  expect(await bannedOf(owner)).toEqual([later])
})

test.each([
  ['POST /delete_unused_licenses', 0],
  ['POST /delete_all_licenses', undefined],
] as const)('a license that is created during %s stays', async (_call, used) => {
  const owner = await newOwnerWithApp(app)
  await newLicenses(owner, 2)
  const db = beforeWrite(app.db, 1, () => newLicenses(owner, 1))
  const total = await deleteLicensesByUse(db, contextOf(owner), { used, withUsers: false, refund: true })
  expect(total).toMatchObject({ deleted: 2, next: null })
  expect((await owner.visitor.call('GET /licenses')).body.total).toBe(1)
})

test.each(['POST /delete_unused_licenses', 'POST /delete_all_licenses'] as const)(
  'a license that is created between two batches of %s stays',
  async (call) => {
    const owner = await newOwnerWithApp(app)
    await newLicenses(owner, 3)
    const first = (await owner.visitor.call(call, { body: { maxRows: 2 } })).body
    await newLicenses(owner, 1)
    const body = { after: first.next ?? 0, newestId: first.newestId ?? 0 }
    expect((await owner.visitor.call(call, { body })).body).toMatchObject({ deleted: 1, next: null })
    expect((await owner.visitor.call('GET /licenses')).body.total).toBe(1)
  },
)

test('all users of an app are deleted in batches without those who were added since', async () => {
  const owner = await newOwnerWithApp(app)
  for (let each = 0; each < 3; each++) await newUser(owner)
  const call = (body: object) => owner.visitor.call('POST /delete_all_users', { body })
  const dry = (await call({ dryRun: true })).body
  expect(dry).toMatchObject({ deleted: 3, newestId: expect.any(Number) })
  await newUser(owner, 'came later')
  const batch = { expectedCount: 3, maxRows: 2, newestId: dry.newestId }
  const first = (await call(batch)).body
  expect((await call({ ...batch, after: first.next })).body).toMatchObject({ deleted: 1, next: null })
  expect((await owner.visitor.call('GET /users')).body.users.map(({ username }) => username)).toEqual(['came later'])
})
