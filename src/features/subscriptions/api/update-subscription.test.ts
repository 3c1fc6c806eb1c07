import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAllRejected, hostileBodies, notFlags, notIntegers, notTexts } from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const levels = async () => (await owner.visitor.call('GET /subscriptions')).body.subscriptions

test('renames a level and leaves everything else as it is', async () => {
  const { body } = await owner.visitor.call('POST /update_subscription', { body: { level: 1, name: '  Gold  ' } })
  expect(body).toMatchObject({ success: true, message: 'Subscription updated successfully' })
  expect(body.subscription).toEqual({ level: 1, name: 'Gold', active: true, userCount: 0 })
  expect(await levels()).toEqual([{ level: 1, name: 'Gold', active: true, userCount: 0 }])
})

test('pausing here bites on the next call of a running program, and so does the new name', async () => {
  const [key = ''] = await newLicenses(owner, 1)
  const program = await Program.of(app, owner)
  await program.init()
  await program.license(key)
  await owner.visitor.call('POST /update_subscription', { body: { level: 1, name: 'Silver', active: false } })
  expect((await program.heartbeat()).body).toMatchObject({ success: false, code: 'SUBSCRIPTION_PAUSED' })
  await owner.visitor.call('POST /update_subscription', { body: { level: 1, name: 'Silver', active: true } })
  expect((await program.heartbeat()).body).toMatchObject({ user: { subscriptions: [{ level: 1, name: 'Silver' }] } })
  expect(await levels()).toEqual([{ level: 1, name: 'Silver', active: true, userCount: 1 }])
})

test.each([[{ name: 'Mine' }, { name: 'Basic' }, { name: 'Theirs' }]] as const)(
  '%j over what somebody changed meanwhile is rejected, and theirs stays',
  async (mine, before, theirs) => {
    const { visitor } = await newOwnerWithApp(app)
    await visitor.call('POST /update_subscription', { body: { level: 1, ...theirs } })
    const { status, body } = await visitor.call('POST /update_subscription', {
      body: { level: 1, ...mine, before },
    })
    expect([status, body.code]).toEqual([409, 'FIELD_CHANGED'])
    expect((await visitor.call('GET /subscriptions')).body.subscriptions[0]).toMatchObject(theirs)
  },
)

test('a name is required, and spaces are none', async () => {
  for (const name of ['', '   ', '\t\n']) {
    const { status, body } = await owner.visitor.call('POST /update_subscription', { body: { level: 1, name } })
    expect([status, body.code, body.message]).toEqual([400, 'SUBSCRIPTION_NAME_REQUIRED', 'Name is required'])
  }
})

test('a level that the app does not have is missing, whoever else has it', async () => {
  const other = await newOwnerWithApp(app)
  await other.visitor.call('POST /create_subscription', { body: { level: 7, name: 'Seven' } })
  const { status, body } = await owner.visitor.call('POST /update_subscription', { body: { level: 7, name: 'Mine' } })
  expect([status, body.code]).toEqual([404, 'SUBSCRIPTION_NOT_FOUND'])
  const { body: theirs } = await other.visitor.call('GET /subscriptions')
  expect(theirs.subscriptions.map(({ name }) => name)).toEqual(['Basic', 'Seven'])
})

test('rejects hostile input and changes nothing', async () => {
  const valid = { level: 1, name: 'Fine', active: true }
  const hostile = { level: [...notIntegers, 0, 1_000_001], name: [...notTexts, 'x'.repeat(51)], active: notFlags }
  await expectAllRejected(app, owner.visitor, '/update_subscription', hostileBodies(valid, hostile))
})
