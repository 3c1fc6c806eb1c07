import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { expectAllRejected, hostileBodies } from '#testing/faults/hostile-input.ts'
import { newUser } from '#testing/people/end-users.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  await newLicenses(owner, 3)
  await owner.visitor.call('POST /delete_all_licenses', { body: {} })
  await owner.visitor.call('POST /delete_user', { body: { username: await newUser(owner) } })
})

const idsOf = async (of = owner) => (await of.visitor.call('GET /bin')).body.items.map(({ id }) => id)
const remove = (body: { ids?: number[]; all?: true }, of = owner) => of.visitor.call('POST /bin/delete', { body })

test('rejects an invalid selection and changes nothing', async () => {
  const ids = await idsOf()
  await expectAllRejected(app, owner.visitor, '/bin/delete', [
    ...hostileBodies(
      { ids },
      { ids: [null, 'x', {}, [0], [1.5], ['1x'], Array(1001).fill(1)], all: [false, 1, 'true'] },
    ),
    { ids, all: true },
    { ids: [] },
    {},
  ])
})

test("leaves another owner's items alone, which look like missing ones", async () => {
  const stranger = await newOwnerWithApp(app)
  const before = await databaseDigest(app.db, [])
  for (const ids of [await idsOf(), [1e12]]) {
    const { status, body } = await remove({ ids }, stranger)
    expect([status, body]).toEqual([404, expect.objectContaining({ code: 'BIN_ITEM_NOT_FOUND' })])
  }
  expect((await remove({ all: true }, stranger)).body).toMatchObject({ deleted: 0 })
  expect(await databaseDigest(app.db, [])).toBe(before)
})

test('deletes items for good, which cannot be restored afterwards', async () => {
  const [first = 0, ...rest] = await idsOf()
  const { body } = await remove({ ids: [first, first, 1e12] })
  expect(body).toMatchObject({ code: 'BIN_DELETE_OK', message: 'Deleted 1 item for good', deleted: 1 })
  expect(await idsOf()).toEqual(rest)
  const restored = await owner.visitor.call('POST /bin/restore', { body: { ids: [first] } })
  expect(restored.body).toMatchObject({ success: false, code: 'BIN_ITEM_NOT_FOUND' })
  const stored = await app.db.read.selectFrom('bin_items').select('id').where('id', '=', first).execute()
  expect(stored).toEqual([])
})

test('empties the whole bin, with an audit event', async () => {
  expect((await remove({ all: true })).body).toMatchObject({ deleted: 4 })
  expect(await idsOf()).toEqual([])
  const audit = await app.db.read
    .selectFrom('audit')
    .select('target')
    .where('app_id', '=', owner.appId)
    .where('act', '=', 'bin.delete')
    .execute()
  expect(audit).toEqual([{ target: '4 items' }])
})
