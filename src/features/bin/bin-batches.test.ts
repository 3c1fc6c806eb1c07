import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteLicensesByUse } from '#features/licenses/bulk-licenses.actions.ts'
import type { AppContext } from '#server/audit/audit.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { endingAfter } from '#testing/faults/ending-after.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { restoreDeletion } from './bin.actions.ts'

let app: TestApp
const rows = 2000

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const contextOf = (owner: OwnedApp): AppContext => ({
  actor: { type: 'system' },
  app: { id: owner.appId, ownerId: owner.id, name: owner.appName },
  now: app.now(),
  caller: { ip: '', requestId: 'ended' },
})

async function stateOf({ appId }: OwnedApp) {
  const { read } = app.db
  const licenses = await read.selectFrom('licenses').select(['id', 'license']).where('app_id', '=', appId).execute()
  const items = await read
    .selectFrom('bin_items')
    .select(['operation_id', 'name'])
    .where('app_id', '=', appId)
    .execute()
  return { keys: licenses.map(({ license, id }) => `${license} ${id}`).toSorted(), items }
}

test('a deletion and a restoration that end between two batches lose and double nothing', async () => {
  const owner = await newOwnerWithApp(app)
  for (let made = 0; made < rows; made += 1000) await newLicenses(owner, 1000)
  const before = (await stateOf(owner)).keys
  const context = contextOf(owner)
  const choice = { used: undefined, withUsers: true, refund: true }
  await expect(deleteLicensesByUse(endingAfter(app.db, 1), context, choice)).rejects.toThrow('the server has ended')
  const partly = await stateOf(owner)
  expect([partly.keys.length, partly.items.length]).toEqual([1000, 1000])

  const undoId = partly.items[0]?.operation_id as string
  await expect(restoreDeletion(endingAfter(app.db, 1).write, context, { undoId })).rejects.toThrow(
    'the server has ended',
  )
  const halfway = await stateOf(owner)
  expect([halfway.keys.length, halfway.items.length]).toEqual([1500, 500])
  const { body } = await owner.visitor.call('POST /bin/restore', { body: { undoId } })
  expect(body).toMatchObject({ restored: 500, failed: 0, next: null })
  expect(await stateOf(owner)).toEqual({ keys: before, items: [] })
})
