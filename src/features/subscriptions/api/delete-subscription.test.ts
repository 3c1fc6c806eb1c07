import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectAllRejected, hostileBodies, notFlags, notIntegers } from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => void (app = await startTestApp()))
afterAll(() => app.close())
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Plus' } })
})

const remove = (level: number, forceDelete?: boolean) =>
  owner.visitor.call('POST /delete_subscription', {
    body: { level, ...(forceDelete !== undefined && { forceDelete }) },
  })
const levels = async () => (await owner.visitor.call('GET /subscriptions')).body.subscriptions.map(({ level }) => level)
const licenseCounts = async () => (await owner.visitor.call('GET /licenses')).body.counts

async function signedIn(key: string): Promise<Program> {
  const program = await Program.of(app, owner)
  await program.init()
  expect((await program.license(key)).body.success).toBe(true)
  return program
}

test('deletes an unused level', async () => {
  const { body } = await remove(2)
  expect(body).toMatchObject({ message: 'Subscription deleted successfully', deletedLicenses: 0, removedUsers: 0 })
  expect(await levels()).toEqual([1])
})

test('without force, rejects while licenses or users have the level, and says how many', async () => {
  const keys = await newLicenses(owner, 3, { subscription: 2 })
  await signedIn(keys[0] as string)
  for (const force of [undefined, false]) {
    const { status, body } = await remove(2, force)
    expect([status, body.code]).toEqual([409, 'SUBSCRIPTION_IN_USE'])
    expect(body).toMatchObject({
      message: 'This subscription is used by 3 licenses and 1 user',
      licenses: 3,
      users: 1,
    })
  }
  expect(await levels()).toEqual([1, 2])
  expect(await licenseCounts()).toMatchObject({ total: 3 })
})

test('with force, deletes its licenses and removes it from its users; other levels and apps keep theirs', async () => {
  const kept = await newLicenses(owner, 2)
  const gone = await newLicenses(owner, 5, { subscription: 2 })
  const other = await newOwnerWithApp(app)
  await other.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Theirs' } })
  await newLicenses(other, 4, { subscription: 2 })
  const keeper = await signedIn(kept[0] as string)
  const loser = await signedIn(gone[0] as string)

  const { body } = await remove(2, true)
  expect(body).toMatchObject({ success: true, deletedLicenses: 5, removedUsers: 1 })
  expect(await levels()).toEqual([1])
  expect(await licenseCounts()).toMatchObject({ total: 2 })
  expect((await keeper.heartbeat()).body.success).toBe(true)
  expect((await loser.heartbeat()).body).toMatchObject({ success: false, code: 'SUBSCRIPTION_EXPIRED' })
  const theirs = await other.visitor.call('GET /licenses')
  expect(theirs.body.counts.total).toBe(4)
})

test('a user with another level keeps running on it', async () => {
  const [basic = ''] = await newLicenses(owner, 1)
  const [plus = ''] = await newLicenses(owner, 1, { subscription: 2 })
  const program = await signedIn(plus)
  const user = await app.db.read.selectFrom('users').selectAll().where('username', '=', plus).executeTakeFirstOrThrow()
  await app.db.write(async (tx) => {
    const shared = { app_id: user.app_id, user_id: user.id, license_id: null, created_at: app.now() }
    await tx.db
      .insertInto('user_subscriptions')
      .values({ ...shared, level: 1, expires_at: null })
      .execute()
    tx.publish(`access:${user.app_id}`)
  })
  await remove(2, true)
  expect((await program.heartbeat()).body).toMatchObject({ success: true, user: { subscriptions: [{ level: 1 }] } })
  expect((await owner.visitor.call('GET /licenses')).body.licenses.map(({ license }) => license)).toEqual([basic])
})

test('deletes more licenses than fit in one transaction, with an audit event for each transaction', async () => {
  for (let made = 0; made < 3; made++) await newLicenses(owner, 500, { subscription: 2, mask: '################' })
  expect((await remove(2, true)).body.deletedLicenses).toBe(1500)
  expect((await licenseCounts()).total).toBe(0)
  const rows = await app.db.read
    .selectFrom('audit')
    .selectAll()
    .where('app_id', '=', owner.appId)
    .where('act', '=', 'subscription.delete')
    .execute()
  expect(rows.map(({ details }) => (JSON.parse(details) as { licenses: number }).licenses)).toEqual([500, 500, 500, 0])
})

test("licenses created during the deletion of their level don't outlive it", async () => {
  for (let round = 0; round < 10; round++) {
    const level = 10 + round
    await owner.visitor.call('POST /create_subscription', { body: { level, name: 'Racing' } })
    await newLicenses(owner, 20, { subscription: level })
    const create = () =>
      owner.visitor.call('POST /create_licenses', {
        body: { amount: 10, subscription: level, expiryUnit: 'days', duration: 1 },
      })
    const [first, deleted, second] = await Promise.all([create(), remove(level, true), create()])
    expect(deleted.status).toBe(200)
    for (const { status, body } of [first, second]) expect([200, 404], body.message).toContain(status)
    const left = await app.db.read
      .selectFrom('licenses')
      .select('id')
      .where('app_id', '=', owner.appId)
      .where('level', '=', level)
      .execute()
    expect(left).toEqual([])
  }
})

test('the second of two simultaneous deletions finds nothing left', async () => {
  await newLicenses(owner, 50, { subscription: 2 })
  const answers = await Promise.all([remove(2, true), remove(2, true)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404])
  expect(answers.reduce((sum, { body }) => sum + (body.deletedLicenses ?? 0), 0)).toBeLessThanOrEqual(50)
  expect((await licenseCounts()).total).toBe(0)
})

test('reports a missing level', async () => {
  for (const force of [false, true]) {
    const { status, body } = await remove(99, force)
    expect([status, body.code]).toEqual([404, 'SUBSCRIPTION_NOT_FOUND'])
  }
})

test('rejects hostile input and changes nothing', async () => {
  const hostile = { level: [...notIntegers, 0, 1_000_001], forceDelete: notFlags }
  const bodies = hostileBodies({ level: 2, forceDelete: true }, hostile)
  await expectAllRejected(app, owner.visitor, '/delete_subscription', bodies)
})
