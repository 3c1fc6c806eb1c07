import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { SqliteConnection } from '#database/sqlite/sqlite-connection.ts'
import type { WebhookEvent } from '#features/webhooks/webhooks.rules.ts'
import { newUser, subscribe, userPassword } from '#testing/people/end-users.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp, setPlan } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { hasTwoProcesses, startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { startReceiver, type WebhookReceiver } from '#testing/servers/webhook-receiver.ts'

/** The event of a sign-in, which is the most frequent write of the product. */

let app: TestApp
let owner: OwnedApp
let program: Program
let receiver: WebhookReceiver
const statements: string[] = []
const onStatement = (sql: string) => void statements.push(sql)
const onSqlite = vi.spyOn(SqliteConnection.prototype, 'run')

beforeAll(async () => {
  app = await startTestApp({ postgres: { onStatement } })
  receiver = await startReceiver(app)
})
beforeEach(async () => {
  receiver.received.length = 0
  owner = await newOwnerWithApp(app)
  program = await Program.of(app, owner)
  await program.init()
})
afterAll(async () => {
  onSqlite.mockRestore()
  await receiver.close()
  await app.close()
})

const listen = async (...events: WebhookEvent[]) =>
  (await owner.visitor.call('POST /create_webhook', { body: { url: receiver.url, events } })).body
const newKey = async () => (await newLicenses(owner, 1))[0] ?? ''

interface Told {
  type: string
  data: { appId: string; target: string; details: Record<string, unknown> }
}

async function told() {
  await app.jobsDone()
  return receiver.received
    .map(({ body }) => JSON.parse(body) as Told)
    .filter(({ data }) => data.appId === owner.appId)
    .map(({ type, data }) => ({ type, target: data.target, ...data.details }))
}
const rows = (table: 'webhook_deliveries') =>
  app.db.read.selectFrom(table).select('id').where('app_id', '=', owner.appId).execute()

describe('a rejected sign-in sends no sign_in.succeeded', () => {
  test('wrong keys and passwords, a ban, a pause, another machine, and time that has ended', async () => {
    const key = await newKey()
    expect((await program.license(key)).body.success).toBe(true)
    await newUser(owner, 'without-time')
    await listen('sign_in.succeeded')
    const rejected = async (answer: Promise<{ body: { code?: string } }>) => (await answer).body.code
    expect(await rejected(program.license('no-such-key'))).toBe('LICENSE_NOT_FOUND')
    expect(await rejected(program.login('nobody', 'wrong password'))).toBe('INVALID_CREDENTIALS')
    expect(await rejected(program.login('without-time', userPassword))).toBe('SUBSCRIPTION_EXPIRED')
    expect(await rejected(program.register('somebody', userPassword, key))).toBe('LICENSE_ALREADY_USED')
    await program.init()
    const hwid = 'another machine'
    expect(await rejected(program.send('license', { key, hwid }))).toBe('HWID_MISMATCH')
    await owner.visitor.call('POST /toggle_pause_user', { body: { username: key } })
    await program.init()
    expect(await rejected(program.license(key))).toBe('USER_PAUSED')
    await owner.visitor.call('POST /toggle_ban_user', { body: { username: key } })
    expect(await rejected(program.license(key))).toBe('USER_BANNED')
    expect(await told()).toEqual([])
    expect(await rows('webhook_deliveries')).toEqual([])
  })

  test('a request that is sent twice is announced once', async () => {
    const key = await newKey()
    await program.license(key)
    await listen('sign_in.succeeded')
    await program.init()
    const nonce = 'the-nonce-of-both-requests-000'
    const body = { key, hwid: program.hwid }
    const answers = [await program.send('license', body, { nonce }), await program.send('license', body, { nonce })]
    expect(answers.map((answer) => answer.body.code)).toEqual([undefined, 'NONCE_REUSED'])
    expect(await told()).toHaveLength(1)
  })
})

describe('nothing is recorded', () => {
  const signInAgain = async (key: string) => {
    await program.init()
    expect((await program.license(key)).body.success).toBe(true)
  }

  test('for a webhook that is stopped, and for one of a plan without webhooks', async () => {
    const key = await newKey()
    const { webhookId } = await listen('sign_in.succeeded')
    receiver.answer = (response) => void response.writeHead(410).end()
    await signInAgain(key)
    await app.jobsDone()
    receiver.answer = (response) => void response.writeHead(204).end()
    await signInAgain(key)
    expect(await rows('webhook_deliveries')).toHaveLength(1)
    await owner.visitor.call('POST /update_webhook', { body: { webhookId, start: true } })
    await setPlan(app, owner.id, 'Free')
    await signInAgain(key)
    expect(await rows('webhook_deliveries')).toHaveLength(1)
  })

  // The other process has a cache of its own.
  test.skipIf(hasTwoProcesses)('and no statement is run once it is known that no webhook subscribes', async () => {
    const key = await newKey()
    await listen('user.banned', 'sign_in.refused')
    await signInAgain(key)
    const ofEvents = /webhook|chat_notifications|(insert into|update) "jobs?|insert into "job_lanes"/
    const count = async (callOf: () => Promise<unknown>) => {
      await program.init()
      statements.length = 0
      onSqlite.mockClear()
      await callOf()
      return [...statements, ...onSqlite.mock.calls.map(([sql]) => sql)].filter((sql) => ofEvents.test(sql))
    }
    expect(await count(() => program.license(key))).toEqual([])
    await newUser(owner, 'anna')
    await subscribe(owner, 'anna')
    expect(await count(() => program.login('anna', userPassword))).toEqual([])
    const other = await newKey()
    expect(await count(() => program.register('berta', userPassword, other))).toEqual([])
    await listen('sign_in.succeeded')
    expect((await count(() => program.license(key))).length).toBeGreaterThan(0)
  })
})

test('each way to sign in sends one event that says how; renewing a session sends none', async () => {
  const [key, other] = [await newKey(), await newKey()]
  await listen('sign_in.succeeded')
  await program.license(key)
  await program.init()
  await program.license(key)
  await program.init()
  await program.register('berta', userPassword, other)
  await program.init()
  await program.login('berta', userPassword)
  await app.jobsDone()
  app.advance(100_000)
  expect((await program.send('renew', { version: '1.0.0', hwid: program.hwid })).body.success).toBe(true)
  const event = { type: 'sign_in.succeeded', ip: '127.0.0.1' }
  expect(await told()).toEqual([
    { ...event, target: key, call: 'license', first: true },
    { ...event, target: key, call: 'license', first: false },
    { ...event, target: 'berta', call: 'register', first: true },
    { ...event, target: 'berta', call: 'login', first: false },
  ])
  expect(JSON.stringify(receiver.received)).not.toContain(userPassword)
})

test('the delivery is stored when the program gets its answer, in the transaction of the sign-in', async () => {
  const key = await newKey()
  await listen('sign_in.succeeded')
  receiver.answer = (response) => void response.writeHead(500).end()
  expect((await program.license(key)).body.success).toBe(true)
  expect(await rows('webhook_deliveries')).toHaveLength(1)
  receiver.answer = (response) => void response.writeHead(204).end()
  const stop = app.db.onEvent(async (_tx, { type }) => {
    if (type === 'sign-in.succeed') throw new Error('rolled back')
  })
  try {
    await program.init()
    if (!hasTwoProcesses) expect((await program.license(key)).body.success).toBe(false)
  } finally {
    stop()
  }
  expect(await rows('webhook_deliveries')).toHaveLength(1)
})

test('many sign-ins at once, first and later ones, over two webhooks, send every event once', async () => {
  const url = receiver.url
  const events: WebhookEvent[][] = [['sign_in.succeeded'], ['license.redeemed', 'user.created', 'sign_in.succeeded']]
  for (const selected of [...events, ...events])
    await owner.visitor.call('POST /create_webhook', { body: { url, events: selected } })
  const keys = await newLicenses(owner, 8)
  const programs = await Promise.all(
    keys.map(async (_key, n) => {
      const each = await Program.of(app, owner)
      each.hwid = `machine ${n}`
      await each.init()
      return each
    }),
  )
  const signIns = async () => {
    const answers = await Promise.all(programs.map((each, n) => each.license(keys[n] ?? '')))
    expect(answers.map(({ body }) => body.success)).toEqual(keys.map(() => true))
  }
  await signIns()
  await Promise.all(programs.map((each) => each.init()))
  await signIns()
  const heard = await told()
  const of = (type: string) => heard.filter((event) => event.type === type).map(({ target }) => target)
  const times = (count: number) => keys.flatMap((key) => Array<string>(count).fill(key)).toSorted()
  expect(of('license.redeemed').toSorted()).toEqual(times(2))
  expect(of('user.created').toSorted()).toEqual(times(2))
  expect(of('sign_in.succeeded').toSorted()).toEqual(times(8))
})
