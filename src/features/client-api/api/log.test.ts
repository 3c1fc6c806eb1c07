import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { strangeTexts } from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let program: Program

beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  program = await Program.of(app, owner)
  await program.init()
})
afterAll(() => app.close())

const write = (message: unknown, from = program) => from.send('log', { message })
const messages = async () =>
  (await owner.visitor.call('GET /logs', { query: { call: 'message', limit: 100 } })).body.logs
const stored = async () =>
  (await app.db.read.selectFrom('logs').select('message').where('app_id', '=', owner.appId).execute()).length

test('a message is stored before the reply, with its user, machine and session', async () => {
  const [key = ''] = await newLicenses(owner, 1)
  await program.license(key)
  expect((await write('license check passed')).body).toMatchObject({ success: true })
  await app.stop()
  await app.start()
  const [row] = await messages()
  expect(row).toMatchObject({
    message: 'license check passed',
    logData: 'license check passed',
    credential: key,
    call: 'message',
    code: '',
    ip: '127.0.0.1',
    timestamp: app.now(),
  })
  expect(row?.device).toMatch(/^[\w-]{12}$/)
  expect(row?.session).toMatch(/^[0-9a-f-]{36}$/)
})

test('a message before sign-in is stored without a user, and the call adds no other row', async () => {
  await write('starting')
  expect(await messages()).toMatchObject([{ message: 'starting', credential: '' }])
  const { body } = await owner.visitor.call('GET /logs', { query: {} })
  expect(body.logs.map(({ call }) => call)).toEqual(['message', 'init'])
})

test.each(strangeTexts)('%j is stored unchanged', async (text) => {
  await write(text)
  expect(await messages()).toMatchObject([{ message: text }])
})

test('a flood gets signed rejections after 30 messages a minute and stores no more', async () => {
  const answers = []
  for (let n = 0; n < 100; n++) answers.push(await write(`line ${n}`))
  expect(answers.slice(0, 30).every(({ body }) => body.success)).toBe(true)
  for (const { status, body } of answers.slice(30)) {
    expect({ status, code: body.code }).toEqual({ status: 429, code: 'RATE_LIMITED' })
    expect(body['retryAfterSeconds']).toBeGreaterThan(0)
  }
  expect(await messages()).toHaveLength(30)
  app.advance(61)
  expect((await write('next minute')).body.success).toBe(true)
})

test("opening many sessions doesn't help: an app has its own quota", async () => {
  const rateLimit = { purpose: 'messages of an app', subject: owner.appId, max: 3000, seconds: 60 }
  for (let n = 0; n < 2999; n++) app.services.rateLimits.take(rateLimit, app.services.clock())
  expect((await write('last')).body.success).toBe(true)
  const other = await Program.of(app, owner)
  await other.init()
  expect((await write('too many', other)).body.code).toBe('RATE_LIMITED')
  const neighbor = await Program.of(app, await newOwnerWithApp(app))
  await neighbor.init()
  expect((await write('of another app', neighbor)).body.success).toBe(true)
})

test('an invalid message is rejected and not stored', async () => {
  const before = await stored()
  for (const message of ['', ' \n ', null, 5, {}, [], undefined, 'x'.repeat(20_001)]) {
    const { status, body } = await write(message)
    expect({ message, status, success: body.success }).toEqual({ message, status: 400, success: false })
  }
  const { body } = await write('x'.repeat(1001))
  expect(body).toMatchObject({
    code: 'LOG_MESSAGE_TOO_LONG',
    message: 'A log message can have at most 1000 characters',
  })
  expect((await write('x'.repeat(1000))).body.success).toBe(true)
  expect(await stored()).toBeLessThanOrEqual(before + 12)
  expect(await messages()).toHaveLength(1)
})

test('nothing is stored without a session, or with one that ended', async () => {
  await program.logout()
  expect((await write('late')).body.code).toBe('SESSION_ENDED')
  program.session = undefined
  expect((await write('early')).body.code).toBe('SESSION_REQUIRED')
  expect(await messages()).toEqual([])
})
