import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BinKind } from '#contract/bin.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

/** As a server of a newer version beside this one. */
async function deleteOfNewerVersion(): Promise<number> {
  const item = {
    app_id: owner.appId,
    kind: 'poll' as BinKind,
    row_id: 1,
    name: 'of a newer version',
    operation_id: 'newer',
    deleted_at: app.now(),
    deleted_by_type: 'owner' as const,
    deleted_by: owner.username,
    content: '{}',
  }
  const inserted = await app.db.write(({ db }) => db.insertInto('bin_items').values(item).returning('id').execute())
  return Number(inserted[0]?.id)
}

test('an item of a newer version stays as it is', async () => {
  const [licenseKey = ''] = await newLicenses(owner, 1)
  await owner.visitor.call('POST /delete_license', { body: { licenseKey } })
  const id = await deleteOfNewerVersion()
  const list = async () => (await owner.visitor.call('GET /bin', { query: {} })).body
  const { items, total, counts } = await list()
  expect([items.map(({ name }) => name), total]).toEqual([[licenseKey], 1])
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(1)
  const rejections = [
    await owner.visitor.call('POST /bin/restore', { body: { ids: [id] } }),
    await owner.visitor.call('POST /bin/restore', { body: { ids: [id, items[0]?.id as number] } }),
    await owner.visitor.call('POST /bin/restore', { body: { undoId: 'newer' } }),
    await owner.visitor.call('POST /bin/delete', { body: { ids: [id] } }),
  ]
  for (const { status, body } of rejections) expect([status, body.code]).toEqual([409, 'BIN_ITEM_UNSUPPORTED'])
  expect((await list()).total).toBe(1)
  expect((await owner.visitor.call('POST /bin/delete', { body: { all: true } })).body).toMatchObject({ deleted: 1 })
  const left = await app.db.read.selectFrom('bin_items').select('id').where('app_id', '=', owner.appId).execute()
  expect(left.map((row) => Number(row.id))).toEqual([id])
})
