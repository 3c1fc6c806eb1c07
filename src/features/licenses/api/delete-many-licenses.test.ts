import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectAllRejected, hostileBodies, notFlags } from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwner, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp
let unused: string[]
let used: string[]
let program: Program

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  stranger = await newOwnerWithApp(app)
  await newLicenses(stranger, 3)
})
afterAll(() => app.close())

/** An app with four unused licenses and three used ones; one of each is banned. */
beforeEach(async () => {
  const { body } = await owner.visitor.call('POST /create_app', {
    body: { appName: `Emptied ${++apps}`, version: '1.0.0' },
  })
  await owner.visitor.call('POST /create_subscription', { body: { level: 1, name: 'Basic' } })
  owner = { ...owner, appId: body.appId, appName: body.appName }
  unused = await newLicenses(owner, 4)
  used = await newLicenses(owner, 3)
  program = await Program.of(app, owner)
  await program.init()
  for (const key of used) await program.license(key)
  for (const licenseKey of [unused[0], used[0]] as string[])
    await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey } })
})
let apps = 0

type Path = 'delete_unused_licenses' | 'delete_used_licenses' | 'delete_all_licenses'
const remove = (path: Path, body: object = {}) =>
  owner.visitor.send<{ deleted: number; deletedUsers: number }>('POST', `/api/1.0/website/${path}`, { body })
const left = async () =>
  (await owner.visitor.call('GET /licenses', { query: { limit: 100 } })).body.licenses
    .map(({ license }) => license)
    .toSorted()
const users = async () =>
  (await app.db.read.selectFrom('users').select('username').where('app_id', '=', owner.appId).execute()).map(
    ({ username }) => username,
  )

describe('what is deleted', () => {
  test('unused licenses: the ones never redeemed, banned or not', async () => {
    expect((await remove('delete_unused_licenses', { deleteUsers: true })).body).toMatchObject({
      code: 'LICENSES_DELETE_OK',
      values: { count: 4 },
      message: 'Deleted 4 licenses successfully',
      deleted: 4,
      deletedUsers: 0,
    })
    expect(await left()).toEqual(used.toSorted())
    expect(await users()).toHaveLength(3)
    expect((await program.heartbeat()).body.success).toBe(true)
  })

  test('used licenses, whose users stay', async () => {
    expect((await remove('delete_used_licenses')).body).toMatchObject({ deleted: 3, deletedUsers: 0 })
    expect(await left()).toEqual(unused.toSorted())
    expect(await users()).toHaveLength(3)
    expect((await program.heartbeat()).body.success).toBe(false)
  })

  test('used licenses with their users', async () => {
    expect((await remove('delete_used_licenses', { deleteUsers: true })).body).toMatchObject({
      deleted: 3,
      deletedUsers: 3,
    })
    expect(await users()).toEqual([])
  })

  test('all licenses with their users', async () => {
    expect((await remove('delete_all_licenses', { deleteUsers: true })).body).toMatchObject({
      deleted: 7,
      deletedUsers: 3,
    })
    expect(await left()).toEqual([])
    expect(await users()).toEqual([])
    const { counts } = (await owner.visitor.call('GET /licenses')).body
    expect(counts).toEqual({ total: 0, unused: 0, used: 0, banned: 0, expiring: 0 })
  })

  test('more than one batch, all of it counted (R-LIC-07)', async () => {
    await newLicenses(owner, 1000)
    await newLicenses(owner, 500)
    expect((await remove('delete_unused_licenses')).body.deleted).toBe(1504)
    expect(await left()).toEqual(used.toSorted())
  })

  test('nothing in an empty app, and the reply says so', async () => {
    await remove('delete_all_licenses')
    expect((await remove('delete_all_licenses')).body).toMatchObject({ success: true, deleted: 0, deletedUsers: 0 })
  })

  test("nothing in other apps, neither the same owner's nor another's", async () => {
    const { body } = await owner.visitor.call('POST /create_app', { body: { appName: `Kept ${apps}` } })
    await owner.visitor.call('POST /create_subscription', { body: { level: 1, name: 'Basic' } })
    await newLicenses(owner, 2)
    await owner.visitor.call('POST /delete_all_licenses', { body: { appId: owner.appId } })
    const counts = async (visitor: OwnedApp['visitor'], appId: string) =>
      (await visitor.call('GET /licenses', { query: { appId } })).body.counts.total
    expect(await counts(owner.visitor, body.appId)).toBe(2)
    expect(await counts(stranger.visitor, stranger.appId)).toBe(3)
    expect(await counts(owner.visitor, owner.appId)).toBe(0)
  })

  test('a program that redeems meanwhile gets its license or a rejection, never a partial result', async () => {
    const keys = await newLicenses(owner, 20)
    const deleting = remove('delete_unused_licenses')
    const answers = await Promise.all(keys.map((key) => program.license(key)))
    await deleting
    const kept = new Set(await left())
    for (const [at, key] of keys.entries()) {
      const answer = answers[at]?.body
      const redeemed = answer?.success === true
      expect(kept.has(key), `${key}: ${answer?.code}`).toBe(redeemed)
      expect((await users()).includes(key)).toBe(redeemed)
    }
  })
})

describe.each(['/delete_unused_licenses', '/delete_used_licenses', '/delete_all_licenses'] as const)(
  '%s rejects',
  (path) => {
    test('hostile bodies, and changes nothing', async () => {
      const flags = {
        deleteUsers: notFlags,
        deleteUser: notFlags,
        refundCredits: notFlags,
        appId: ['', 5, null, [], {}],
        appName: ['', 5, null],
      }
      await expectAllRejected(app, owner.visitor, path, hostileBodies({}, flags))
    })

    test('a call without a selected app', async () => {
      const { visitor } = await newOwner(app)
      expect((await visitor.send('POST', `/api/1.0/website${path}`, { body: {} })).body).toMatchObject({
        code: 'NO_APP_SELECTED',
        message: 'No app selected',
      })
    })
  },
)
