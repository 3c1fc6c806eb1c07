import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  expectAllRejected,
  hostileBodies,
  notFlags,
  notIntegers,
  notTexts,
  strangeNames,
} from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const create = (body: { level?: number; name: string; active?: boolean }, headers?: Record<string, string>) =>
  owner.visitor.call('POST /create_subscription', { body, ...(headers && { headers }) })
const levels = async () => (await owner.visitor.call('GET /subscriptions')).body.subscriptions

test('without a level, uses the highest one plus one, with or without gaps', async () => {
  expect((await create({ name: 'Second' })).body).toMatchObject({
    success: true,
    message: 'Subscription created successfully',
    subscription: { level: 2, name: 'Second', active: true, userCount: 0 },
  })
  await create({ level: 40, name: 'Forty' })
  expect((await create({ name: 'Next' })).body.subscription.level).toBe(41)
})

test('accepts a level and a state', async () => {
  expect((await create({ level: 5, name: ' Paused ', active: false })).body.subscription).toEqual({
    level: 5,
    name: 'Paused',
    active: false,
    userCount: 0,
  })
})

test('rejects an existing level and leaves it unchanged', async () => {
  const before = await levels()
  const { status, body } = await create({ level: 1, name: 'Again' })
  expect([status, body.code]).toEqual([409, 'SUBSCRIPTION_LEVEL_TAKEN'])
  expect(await levels()).toEqual(before)
})

test('of 20 simultaneous calls for one level, one succeeds', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => create({ level: 77, name: `Racer ${n}` })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect((await levels()).filter(({ level }) => level === 77)).toHaveLength(1)
})

test('the same Idempotency-Key creates one level, however often it is sent', async () => {
  const key = { 'idempotency-key': 'create-once-0001' }
  const answers = await Promise.all(Array.from({ length: 10 }, () => create({ name: 'Once' }, key)))
  expect(new Set(answers.map(({ body }) => body.subscription.level)).size).toBe(1)
  expect((await levels()).filter(({ name }) => name === 'Once')).toHaveLength(1)
})

test('requires a name, and treats special characters literally', async () => {
  for (const name of ['', '   ']) {
    const { status, body } = await create({ name })
    expect([status, body.code, body.message]).toEqual([400, 'SUBSCRIPTION_NAME_REQUIRED', 'Name is required'])
  }
  for (const name of strangeNames.filter(({ length }) => length <= 50)) {
    expect((await create({ name })).body.subscription.name).toBe(name)
  }
})

test('rejects hostile input and changes nothing', async () => {
  const hostile = {
    level: [...notIntegers, 0, 1_000_001],
    name: [...notTexts, 'x'.repeat(51)],
    active: notFlags,
    appId: [...notTexts, ''],
  }
  await expectAllRejected(app, owner.visitor, '/create_subscription', [...hostileBodies({ name: 'Fine' }, hostile), {}])
})
