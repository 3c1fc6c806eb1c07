import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tableIds } from '#contract/table-ids.ts'
import { removeErasedAccounts } from '#features/profile/profile.actions.ts'
import { databaseDigest } from '#testing/database-digest.ts'
import { expectAllRejected, expectRejected, hostileBodies, notTexts } from '#testing/faults/hostile-input.ts'
import { newAdmin, newOwner, newOwnerWithApp, type Owner } from '#testing/people/people.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'
import { noColumns } from '#testing/people/saved-views.ts'
import type { Visitor } from '#testing/people/visitor.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: Owner

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwner(app)
})
afterAll(() => app.close())

const columns = { shown: ['notes'], hidden: ['level', 'created'], order: ['status', 'level', 'notes'] }
const read = async (visitor: Visitor = owner.visitor) => (await visitor.call('GET /preferences')).body
const saveColumns = (body: object, visitor: Visitor = owner.visitor) =>
  visitor.send('POST', '/api/1.0/website/preferences/columns', { body })

const notColumnIds = [...notTexts, '', ' ', '__proto__', 'a b', 'x'.repeat(41), '<b>', 'ä']
const badLists = [
  null,
  'x',
  5,
  {},
  { length: 1 },
  Array.from({ length: 51 }, (_, at) => `c${at}`),
  ['same', 'same'],
  ...notColumnIds.map((id) => [id]),
]
const notColumns = [
  ...notTexts.filter((value) => value !== null),
  { shown: [], hidden: [] },
  { ...noColumns, widths: [] },
  ...badLists.flatMap((list) => ['shown', 'hidden', 'order'].map((name) => ({ ...noColumns, [name]: list }))),
]
const notTables = [...notTexts, '', 'Licenses', 'no-such-table', 'licenses ', '__proto__', 'columns.licenses']

test('rejects tables, columns and row heights that do not exist, and changes nothing', async () => {
  const hostile = { table: notTables, columns: notColumns }
  await expectAllRejected(
    app,
    owner.visitor,
    '/preferences/columns',
    hostileBodies({ table: 'licenses', columns }, hostile),
  )
  const densities = [...notTexts, '', 'COMPACT', 'tiny', 'regular ', '__proto__']
  const bodies = hostileBodies({ density: 'compact' }, { density: densities })
  await expectAllRejected(app, owner.visitor, '/preferences/density', bodies)
  expect(await read()).toMatchObject({ density: null, columns: [] })
})

test('stores the row height and the columns of each table; the last save counts', async () => {
  const { visitor } = await newOwner(app)
  expect(await read(visitor)).toEqual({ success: true, density: null, columns: [], followLogs: null })
  await visitor.call('POST /preferences/density', { body: { density: 'compact' } })
  await visitor.call('POST /preferences/density', { body: { density: 'relaxed' } })
  await saveColumns({ table: 'licenses', columns: noColumns }, visitor)
  await saveColumns({ table: 'users', columns: noColumns }, visitor)
  await saveColumns({ table: 'licenses', columns }, visitor)
  expect(await read(visitor)).toMatchObject({
    density: 'relaxed',
    columns: [
      { table: 'licenses', columns },
      { table: 'users', columns: noColumns },
    ],
  })
  await saveColumns({ table: 'licenses', columns: null }, visitor)
  await saveColumns({ table: 'licenses', columns: null }, visitor)
  expect((await read(visitor)).columns).toEqual([{ table: 'users', columns: noColumns }])
})

test('rejects what does not say whether to follow the log, and changes nothing', async () => {
  const hostile = [...notTexts.filter((value) => typeof value !== 'boolean'), '', 'on', 'True', '1', undefined]
  const bodies = hostileBodies({ followLogs: true }, { followLogs: hostile })
  await expectAllRejected(app, owner.visitor, '/preferences/follow_logs', bodies)
  expect(await read()).toMatchObject({ followLogs: null })
})

test('following the log is remembered for each person, and the last save counts', async () => {
  const [{ visitor }, other] = [await newOwner(app), await newOwnerWithApp(app)]
  const follow = (followLogs: boolean) => visitor.call('POST /preferences/follow_logs', { body: { followLogs } })
  for (const followLogs of [true, false, true, true]) {
    expect((await follow(followLogs)).status).toBe(200)
    expect(await read(visitor)).toMatchObject({ density: null, columns: [], followLogs })
  }
  expect(await read(other.visitor)).toMatchObject({ followLogs: null })
  const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => follow(at % 2 === 0)))
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect((await read(visitor)).followLogs).toEqual(expect.any(Boolean))
  // Resellers have no log.
  const reseller = await newSellingReseller(app, {}, other)
  expectRejected(
    await reseller.visitor.call('POST /preferences/follow_logs', { body: { followLogs: true } }),
    'reseller',
    403,
  )
  expect((await reseller.visitor.call('GET /reseller/preferences')).body).toMatchObject({ followLogs: null })
})

test('of many simultaneous saves, one is stored', async () => {
  const { visitor } = await newOwner(app)
  const orders = Array.from({ length: 10 }, (_, at) => [`c${at}`])
  const answers = await Promise.all(
    orders.map((order) => saveColumns({ table: 'logs', columns: { ...noColumns, order } }, visitor)),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
  const stored = (await read(visitor)).columns
  expect(stored).toHaveLength(1)
  expect(orders).toContainEqual(stored[0]?.columns.order)
})

test('every table can be arranged, and the reply stays small', async () => {
  const { visitor } = await newOwner(app)
  for (const table of tableIds) expect((await saveColumns({ table, columns }, visitor)).status).toBe(200)
  const body = await read(visitor)
  expect(body.columns.map(({ table }) => table)).toEqual([...tableIds].toSorted())
  expect(JSON.stringify(body).length).toBeLessThan(4000)
})

describe('belong to one person', () => {
  test('an administrator, another owner and a reseller have their own', async () => {
    const [admin, other] = [await newAdmin(app), await newOwnerWithApp(app)]
    const reseller = await newSellingReseller(app, {}, other)
    await owner.visitor.call('POST /preferences/density', { body: { density: 'compact' } })
    await saveColumns({ table: 'users', columns })
    await admin.visitor.call('POST /preferences/density', { body: { density: 'relaxed' } })
    await reseller.visitor.call('POST /reseller/preferences/columns', { body: { table: 'reseller-users', columns } })
    expect(await read(other.visitor)).toMatchObject({ density: null, columns: [] })
    expect(await read(admin.visitor)).toMatchObject({ density: 'relaxed', columns: [] })
    expect((await reseller.visitor.call('GET /reseller/preferences')).body).toMatchObject({
      density: null,
      columns: [{ table: 'reseller-users', columns }],
    })
    expect(await read()).toMatchObject({ density: 'compact', columns: [{ table: 'users', columns }] })
  })

  test('and are deleted with the account', async () => {
    const seller = await newOwnerWithApp(app)
    const reseller = await newSellingReseller(app, {}, seller)
    const body = { table: 'users' as const, name: 'Mine', query: '', columns }
    await saveColumns({ table: 'users', columns }, seller.visitor)
    await seller.visitor.call('POST /views', { body })
    await reseller.visitor.call('POST /reseller/preferences/density', { body: { density: 'compact' } })
    await reseller.visitor.call('POST /reseller/views', { body })
    const left = async (column: 'account_id' | 'reseller_id', id: string) => [
      ...(await app.db.read.selectFrom('preferences').select('id').where(column, '=', id).execute()),
      ...(await app.db.read.selectFrom('saved_views').select('id').where(column, '=', id).execute()),
    ]
    expect(await left('reseller_id', reseller.id)).toHaveLength(2)
    const deleted = await seller.visitor.call('DELETE /resellers/{id}', { params: { id: reseller.id } })
    expect(deleted.status).toBe(200)
    expect(await left('reseller_id', reseller.id)).toEqual([])
    expect(await left('account_id', seller.id)).toHaveLength(2)
    await seller.visitor.call('POST /profile/delete-account')
    await removeErasedAccounts(app.services)
    expect(await left('account_id', seller.id)).toEqual([])
  })
})

test('rejects a caller without a session and one of the other kind, and changes nothing', async () => {
  const reseller = await newSellingReseller(app, {}, await newOwnerWithApp(app))
  const before = await databaseDigest(app.db)
  expectRejected(await app.visitor().call('GET /preferences'), 'read', 401)
  expectRejected(await reseller.visitor.call('GET /preferences'), 'read', 403)
  const body = { density: 'compact' as const }
  expectRejected(await owner.visitor.call('POST /reseller/preferences/density', { body }), 'save', 403)
  expect(await databaseDigest(app.db)).toBe(before)
})
