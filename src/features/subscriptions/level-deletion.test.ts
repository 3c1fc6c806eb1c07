import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Calls } from '#contract/calls.ts'
import type { AppContext } from '#server/audit/audit.ts'
import { beforeWrite } from '#testing/faults/before-write.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { deleteSubscription } from './subscriptions.actions.ts'

/** Licenses that get or lose a level between two transactions of its deletion. */

let app: TestApp

beforeAll(async () => void (app = await startTestApp()))
afterAll(() => app.close())

async function newOwner(): Promise<OwnedApp> {
  const owner = await newOwnerWithApp(app)
  await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Plus' } })
  return owner
}

const contextOf = (owner: OwnedApp): AppContext => ({
  actor: { type: 'system' },
  app: { id: owner.appId, ownerId: owner.id, name: owner.appName },
  now: app.now(),
  caller: { ip: '', requestId: 'deletion' },
})

/** Deletes level 2, and right before the transaction with this number lets somebody else act. */
const deleteLevel = (owner: OwnedApp, force: boolean, number: number, act: () => Promise<unknown>) =>
  deleteSubscription(beforeWrite(app.db, number, act), contextOf(owner), { level: 2, force })

async function move(owner: OwnedApp, licenseKey: string, subscription: number) {
  const answer = await owner.visitor.call('POST /update_license', { body: { licenseKey, subscription } })
  expect(answer.status).toBe(200)
  return answer.body
}

async function removed(owner: OwnedApp, licenseKey: string) {
  const { body } = await owner.visitor.call('POST /delete_license', { body: { licenseKey } })
  return body.undoId as string
}

async function imported(owner: OwnedApp, licenses: NonNullable<Calls['POST /imports/rows']['body']['licenses']>) {
  const { body } = await owner.visitor.call('POST /imports/start', {
    body: {
      kind: 'licenses',
      source: 'csv',
      fileName: 'keys.csv',
      fingerprint: 'ab',
      rows: 1,
      levels: [1, 2].map((level) => ({ label: String(level), level })),
      onConflict: 'overwrite',
    },
  })
  const { importId } = body.import
  const { body: reply } = await owner.visitor.call('POST /imports/rows', { body: { importId, batch: 1, licenses } })
  expect(reply).toMatchObject({ overwritten: 1 })
  return importId
}

const levelsOf = async (owner: OwnedApp) =>
  (await owner.visitor.call('GET /licenses')).body.licenses.map(({ license, level }) => [license, level])

type Prepared = (owner: OwnedApp, key: string) => Promise<() => Promise<unknown>>

/** How an existing license gets level 2. */
const ways: [string, Prepared][] = [
  ['moved to it', async (owner, key) => () => move(owner, key, 2)],
  [
    'moved back to it',
    async (owner, key) => {
      await move(owner, key, 2)
      const { undoId } = await move(owner, key, 1)
      return () => owner.visitor.call('POST /licenses/undo', { body: { undoId: undoId as string } })
    },
  ],
  [
    'restored from the bin',
    async (owner, key) => {
      await move(owner, key, 2)
      const undoId = await removed(owner, key)
      return () => owner.visitor.call('POST /bin/restore', { body: { undoId } })
    },
  ],
  [
    'overwritten by an import',
    async (owner, key) => () => imported(owner, [{ row: 1, key, level: '2', duration: '30' }]),
  ],
  [
    'restored by the undo of an import',
    async (owner, key) => {
      await move(owner, key, 2)
      const undoId = await imported(owner, [{ row: 1, key, level: '1', duration: '30' }])
      return () => owner.visitor.call('POST /imports/undo', { body: { undoId } })
    },
  ],
]

test.each(ways)('without force, a license %s in between keeps its level', async (_way, prepare) => {
  const owner = await newOwner()
  const [key = ''] = await newLicenses(owner, 1)
  const act = await prepare(owner, key)
  await newLicenses(owner, 1)
  await expect(deleteLevel(owner, false, 1, act)).rejects.toMatchObject({ code: 'SUBSCRIPTION_IN_USE' })
  expect(await levelsOf(owner)).toContainEqual([key, 2])
})

test.each(ways)('with force, a license %s in between is deleted, too', async (_way, prepare) => {
  const owner = await newOwner()
  const [key = ''] = await newLicenses(owner, 1)
  const act = await prepare(owner, key)
  const [newer] = await newLicenses(owner, 1)
  // The first transaction takes the level from its users, the second deletes it.
  const { licenses, undoId } = await deleteLevel(owner, true, 2, act)
  expect([licenses, await levelsOf(owner)]).toEqual([1, [[newer, 1]]])
  await owner.visitor.call('POST /bin/restore', { body: { undoId } })
  expect(await levelsOf(owner)).toContainEqual([key, 2])
})

test('with force, a license that got another level in between stays', async () => {
  const owner = await newOwner()
  const [moved = ''] = await newLicenses(owner, 2, { subscription: 2 })
  const { licenses } = await deleteLevel(owner, true, 2, () => move(owner, moved, 1))
  expect([licenses, await levelsOf(owner)]).toEqual([1, [[moved, 1]]])
})

test('the undo of an import gives no license a level that has been deleted since', async () => {
  const owner = await newOwner()
  const [key = ''] = await newLicenses(owner, 1, { subscription: 2 })
  const undoId = await imported(owner, [{ row: 1, key, level: '1', duration: '30' }])
  expect((await owner.visitor.call('POST /delete_subscription', { body: { level: 2 } })).status).toBe(200)
  const { body } = await owner.visitor.call('POST /imports/undo', { body: { undoId } })
  expect(body).toMatchObject({ restored: 0, failed: 1 })
  expect(await levelsOf(owner)).toEqual([[key, 1]])
})
