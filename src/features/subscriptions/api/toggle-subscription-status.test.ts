import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAllRejected, hostileBodies, notFlags, notIntegers } from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Plus' } })
})
afterAll(() => app.close())

const toggle = (level: number, active?: boolean) =>
  owner.visitor.call('POST /toggle_subscription_status', { body: { level, ...(active !== undefined && { active }) } })

test('toggles a level and returns its new state', async () => {
  expect((await toggle(2)).body).toMatchObject({ message: 'Subscription paused successfully', active: false })
  const { body } = await owner.visitor.call('GET /subscriptions')
  expect(body.subscriptions.map(({ active }) => active)).toEqual([true, false])
  expect((await toggle(2)).body).toMatchObject({ message: 'Subscription activated successfully', active: true })
})

test('sets an explicit state, however often it is sent', async () => {
  for (const active of [false, false, true, true]) expect((await toggle(2, active)).body.active).toBe(active)
})

test('a paused level rejects programs at once if their user has no other, and they continue afterwards', async () => {
  const [onlyKey = '', bothKey = ''] = await newLicenses(owner, 2)
  const [plusKey = ''] = await newLicenses(owner, 1, { subscription: 2 })
  const only = await Program.of(app, owner)
  await only.init()
  await only.license(onlyKey)
  const both = await Program.of(app, owner)
  await both.init()
  await both.license(bothKey)
  await addLevelOf(plusKey, bothKey)

  await toggle(1, false)
  expect((await only.heartbeat()).body).toMatchObject({ success: false, code: 'SUBSCRIPTION_PAUSED' })
  expect((await both.heartbeat()).body).toMatchObject({ success: true, user: { subscriptions: [{ level: 2 }] } })
  await toggle(1, true)
  expect((await only.heartbeat()).body.success).toBe(true)
})

/** Gives the level of a license to another user as well. */
async function addLevelOf(license: string, username: string): Promise<void> {
  const { level } = await app.db.read
    .selectFrom('licenses')
    .select('level')
    .where('license', '=', license)
    .executeTakeFirstOrThrow()
  const user = await app.db.read
    .selectFrom('users')
    .selectAll()
    .where('username', '=', username)
    .executeTakeFirstOrThrow()
  await app.db.write(async (tx) => {
    const row = {
      app_id: user.app_id,
      user_id: user.id,
      level,
      expires_at: null,
      license_id: null,
      created_at: app.now(),
    }
    await tx.db.insertInto('user_subscriptions').values(row).execute()
    tx.publish(`access:${user.app_id}`)
  })
}

test("a license of a paused level can't be redeemed and stays unused", async () => {
  const [key = ''] = await newLicenses(owner, 1, { subscription: 2 })
  await toggle(2, false)
  const program = await Program.of(app, owner)
  await program.init()
  expect((await program.license(key)).body).toMatchObject({ success: false, code: 'SUBSCRIPTION_PAUSED' })
  await toggle(2, true)
  expect((await program.license(key)).body.success).toBe(true)
})

test('all of 20 simultaneous toggles count', async () => {
  await toggle(2, true)
  const answers = await Promise.all(Array.from({ length: 20 }, () => toggle(2)))
  expect(answers.filter(({ body }) => body.active)).toHaveLength(10)
  const { body } = await owner.visitor.call('GET /subscriptions')
  expect(body.subscriptions.find(({ level }) => level === 2)?.active).toBe(true)
})

test('reports a missing level', async () => {
  for (const active of [undefined, true]) {
    const { status, body } = await toggle(99, active)
    expect([status, body.code]).toEqual([404, 'SUBSCRIPTION_NOT_FOUND'])
  }
})

test('rejects hostile input and changes nothing', async () => {
  const hostile = { level: [...notIntegers, 0, 1_000_001], active: notFlags }
  await expectAllRejected(
    app,
    owner.visitor,
    '/toggle_subscription_status',
    hostileBodies({ level: 1, active: true }, hostile),
  )
})
