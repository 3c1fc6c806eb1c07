import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRejected, seen } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { countRows, keepSignedIn } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { idempotencyKey, requestHashOf, retentionSeconds } from './idempotency.ts'
import { MasterKey } from '../secrets/master-key.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const body = (notes: string) => ({ amount: 2, subscription: 1, expiryUnit: 'days', duration: 30, notes })
const create = (key: string, sent: object, { visitor } = owner, headers: Record<string, string> = {}) =>
  visitor.send('POST', '/api/1.0/website/create_licenses', {
    body: sent,
    headers: { 'idempotency-key': key, ...headers },
  })

test('the same key and body return the same reply and act once, also 20 at a time (R-LED-07)', async () => {
  const before = await countRows(app, 'licenses')
  const key = randomUUID()
  const answers = await Promise.all(Array.from({ length: 20 }, () => create(key, body('once'))))
  expect(new Set(answers.map(seen)).size).toBe(1)
  expect(answers[0]?.status).toBe(200)
  expect(await countRows(app, 'licenses')).toBe(before + 2)
  app.advance(3000)
  expect(seen(await create(key, body('once')))).toBe(seen(answers[0] as (typeof answers)[0]))
})

test('the same key with another body, app, or call is rejected without effect', async () => {
  const key = randomUUID()
  await create(key, body('first'))
  const second = await owner.visitor.call('POST /create_app', { body: { appName: 'Second app' } })
  await owner.visitor.call('POST /select_app', { body: { appId: owner.appId } })
  const before = await countRows(app, 'licenses')
  const others = [
    await create(key, body('another')),
    await create(key, body('first'), owner, { 'x-app-id': second.body.appId }),
    await owner.visitor.send('POST', '/api/1.0/website/create_subscription', {
      body: { name: 'x' },
      headers: { 'idempotency-key': key },
    }),
  ]
  for (const answer of others) {
    expectRejected(answer, key, 422)
    expect(answer.body).toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
      message: 'This Idempotency-Key was used for another request',
    })
  }
  expect(await countRows(app, 'licenses')).toBe(before)
})

test("another account's key is separate: no reply is ever given to another account", async () => {
  const key = randomUUID()
  const mine = await create(key, body('mine'))
  const other = await newOwnerWithApp(app)
  const theirs = await create(key, body('mine'), other)
  expect(theirs.status).toBe(200)
  expect(theirs.body['licenses']).not.toEqual(mine.body['licenses'])
})

test("stored replies are sealed: the license keys in them can't be read in the database", async () => {
  const key = randomUUID()
  const { body: reply } = await create(key, body('sealed'))
  const [license = ''] = reply['licenses'] as string[]
  const rows = await app.db.read
    .selectFrom('idempotent_replies')
    .selectAll()
    .where('idempotency_key', '=', key)
    .execute()
  expect(rows[0]?.reply).toMatch(/^v1\./)
  expect(JSON.stringify(rows)).not.toContain(license)
})

test('a rejected call leaves its key free', async () => {
  const key = randomUUID()
  expect((await create(key, { ...body('x'), subscription: 99 })).status).toBe(404)
  expect((await create(key, body('x'))).status).toBe(200)
})

test.each(['', 'x'.repeat(201), 'tab\tinside', 'ünïcödé-key'])('rejects the key %j', async (key) => {
  const answer = await create(key, body('x'))
  expectRejected(answer, key)
  expect(answer.body).toMatchObject({
    code: 'IDEMPOTENCY_KEY_INVALID',
    message: 'Idempotency-Key must be 1 to 200 printable ASCII characters',
  })
})

test.each(['7', '1001', 'order 1001, line 2', 'x'.repeat(200)])('accepts the key %j', async (key) => {
  const first = await create(key, body('x'))
  expect(first.status).toBe(200)
  expect((await create(key, body('x'))).body).toEqual(first.body)
})

test('a call without a key works as usual, and a call with two is rejected', () => {
  expect(idempotencyKey(undefined)).toBeUndefined()
  expect(idempotencyKey('12345678')).toBe('12345678')
  expect(() => idempotencyKey(['12345678', '87654321'])).toThrow('Idempotency-Key must be')
})

test('another call, app, or body is another request', () => {
  const request = { call: 'POST /x', appId: 'app_1', body: { a: 1 } }
  const requests = [
    request,
    { ...request, call: 'POST /y' },
    { ...request, appId: 'app_2' },
    { ...request, appId: undefined },
    { ...request, body: { a: 2 } },
  ]
  const { masterKey } = app.services
  const of = (key: MasterKey) => requests.map((each) => requestHashOf(key, each))
  expect(new Set(of(masterKey)).size).toBe(requests.length)
  // A dump without the key file must not help to guess a password that a body held.
  expect(of(masterKey)).not.toEqual(of(new MasterKey(randomBytes(32))))
})

test('a reply can be repeated for at least 24 hours', async () => {
  const other = await newOwnerWithApp(app)
  const key = randomUUID()
  const first = await create(key, body('a day'), other)
  app.advance(retentionSeconds - 60)
  await keepSignedIn(app, other)
  expect(seen(await create(key, body('a day'), other))).toBe(seen(first))
  expect(retentionSeconds).toBe(24 * 3600)
})
