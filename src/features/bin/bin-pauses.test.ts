import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { day, newSubscriber, passTime, timeLeft } from '#testing/people/end-users.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** A pause stops the time of its user, also the time that lies in the bin. */

let app: TestApp
let owner: OwnedApp
beforeAll(async () => void (app = await startTestApp()))
afterAll(() => app.close())
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Plus' } })
})

const pause = async (username: string, paused = true) =>
  expect((await owner.visitor.call('POST /toggle_pause_user', { body: { username, paused } })).status).toBe(200)
const daysLeft = async (name: string, level = 2) => ((await timeLeft(owner, name, level)) ?? 0) / day
const restore = async (undoId: string | null) => {
  const { body } = await owner.visitor.call('POST /bin/restore', { body: { undoId: undoId as string } })
  expect(body).toMatchObject({ failed: 0 })
}

/** A user who redeemed a license, and the user's level without a license. */
async function redeemed(): Promise<string> {
  const [key = ''] = await newLicenses(owner, 1, { subscription: 2 })
  const program = await Program.of(app, owner)
  await program.init()
  expect((await program.license(key)).body.success).toBe(true)
  return key
}

const kinds = [
  ['a license', redeemed, (licenseKey: string) => owner.visitor.call('POST /delete_license', { body: { licenseKey } })],
  [
    'a level',
    () => newSubscriber(owner, { days: 30, level: 2 }),
    () => owner.visitor.call('POST /delete_subscription', { body: { level: 2, forceDelete: true } }),
  ],
] as const

test.each(kinds)(
  '%s deleted in a pause gives the time left at the pause, in the same one and after it',
  async (...kind) => {
    const [, newOne, remove] = kind
    const name = await newOne()
    await passTime(app, owner, 20 * day)
    await pause(name)
    await passTime(app, owner, 20 * day)
    expect(await daysLeft(name)).toBe(10)
    const { undoId } = (await remove(name)).body
    await passTime(app, owner, 5 * day)
    await restore(undoId)
    expect(await daysLeft(name)).toBe(10)
    const again = (await remove(name)).body
    await pause(name, false)
    await restore(again.undoId)
    expect(await daysLeft(name)).toBe(10)
    await passTime(app, owner, day)
    expect(await daysLeft(name)).toBe(9)
  },
)

test.each(kinds)('%s deleted in a pause and restored in another gives the time left, no more', async (...kind) => {
  const [, newOne, remove] = kind
  const name = await newOne()
  await passTime(app, owner, 20 * day)
  await pause(name)
  await passTime(app, owner, 20 * day)
  const { undoId } = (await remove(name)).body
  await pause(name, false)
  await pause(name)
  await passTime(app, owner, 3 * day)
  await restore(undoId)
  expect(await daysLeft(name)).toBe(10)
  await pause(name, false)
  expect(await daysLeft(name)).toBe(10)
})

test.each(kinds)('%s deleted while its user runs and restored in a pause gives no more time', async (...kind) => {
  const [, newOne, remove] = kind
  const name = await newOne()
  await passTime(app, owner, 20 * day)
  const { undoId } = (await remove(name)).body
  await passTime(app, owner, day)
  await pause(name)
  await passTime(app, owner, 8 * day)
  await restore(undoId)
  expect(await daysLeft(name)).toBe(9)
  await pause(name, false)
  expect(await daysLeft(name)).toBe(9)
})

test('a license whose time was over before the pause stays over, and a lifetime stays one', async () => {
  const name = await redeemed()
  await passTime(app, owner, 31 * day)
  await pause(name)
  await passTime(app, owner, day)
  const { undoId } = (await owner.visitor.call('POST /delete_license', { body: { licenseKey: name } })).body
  await pause(name, false)
  await restore(undoId)
  expect(await daysLeft(name)).toBe(0)
  const forever = await newSubscriber(owner, { days: null, level: 2 })
  await pause(forever)
  const deleted = await owner.visitor.call('POST /delete_subscription', { body: { level: 2, forceDelete: true } })
  await pause(forever, false)
  await restore(deleted.body.undoId)
  expect(await timeLeft(owner, forever, 2)).toBeNull()
})

test.each([
  ['the license first', false],
  ['the user first', true],
])(
  'a license and its user, deleted in and after a pause, have the time left at the pause: %s',
  async (_name, isLast) => {
    const name = await redeemed()
    await passTime(app, owner, 20 * day)
    await pause(name)
    await passTime(app, owner, 20 * day)
    const license = (await owner.visitor.call('POST /delete_license', { body: { licenseKey: name } })).body
    await pause(name, false)
    const user = (await owner.visitor.call('POST /delete_user', { body: { username: name } })).body
    const both = [license.undoId, user.undoId]
    for (const undoId of isLast ? both.toReversed() : both) await restore(undoId)
    expect(await daysLeft(name)).toBe(10)
  },
)

test('what a paused user had by a license waits for the license with the time left at the pause', async () => {
  const name = await redeemed()
  await passTime(app, owner, 20 * day)
  await pause(name)
  const user = (await owner.visitor.call('POST /delete_user', { body: { username: name } })).body
  const license = (await owner.visitor.call('POST /delete_license', { body: { licenseKey: name } })).body
  await passTime(app, owner, 20 * day)
  await restore(user.undoId)
  await pause(name, false)
  await restore(license.undoId)
  expect(await daysLeft(name)).toBe(10)
})

test('a record of an older version, which does not know the pause, is restored with its end', async () => {
  const [key, name] = [await redeemed(), await newSubscriber(owner, { days: 20, level: 2 })]
  await pause(key)
  const license = (await owner.visitor.call('POST /delete_license', { body: { licenseKey: key } })).body
  const level = (await owner.visitor.call('POST /delete_subscription', { body: { level: 2, forceDelete: true } })).body
  await app.db.write(async ({ db }) => {
    for (const { id, content } of await db
      .selectFrom('bin_items')
      .selectAll()
      .where('app_id', '=', owner.appId)
      .execute()) {
      const { pausedAt: _paused, ...older } = JSON.parse(content)
      await db
        .updateTable('bin_items')
        .set({ content: JSON.stringify(older) })
        .where('id', '=', id)
        .execute()
    }
  })
  await restore(level.undoId)
  await restore(license.undoId)
  expect(await daysLeft(name)).toBe(20)
  expect(await daysLeft(key)).toBe(30)
})
