import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program, type ProgramAnswer } from '#testing/people/program.ts'
import { hasTwoProcesses, startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Rate limits of programs: by network until a user is signed in, then by session (R-RATE-02). */

const { programStartsPerMinute, heartbeatsPerMinute } = readConfig({}).limits

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp({
    config: { limits: { ...readConfig({}).limits, registrationsPerHour: 100, rejectedRequestsPerMinute: 1e6 } },
  })
})
beforeEach(async () => {
  app.advance(3600)
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

async function running(): Promise<Program> {
  const program = await Program.of(app, owner)
  const [key = ''] = await newLicenses(owner, 1)
  await program.init()
  expect((await program.license(key)).status).toBe(200)
  return program
}

/** Makes `count` calls through eight parallel workers. */
async function all(count: number, send: () => Promise<ProgramAnswer>): Promise<ProgramAnswer[]> {
  const answers: ProgramAnswer[] = []
  const hand = async () => {
    while (count-- > 0) answers.push(await send())
  }
  // Sequential with two processes: a process learns a moment later what the other one admitted, and might admit one
  // call too many.
  await Promise.all(Array.from({ length: hasTwoProcesses ? 1 : 8 }, hand))
  return answers
}

const codesOf = (answers: ProgramAnswer[]) => [...new Set(answers.map(({ body }) => body.code))]

test('one address can start 600 programs a minute; more are rejected with the time to wait', async () => {
  const program = await running()
  const starting = await Program.of(app, owner)
  const start = () => starting.send('init', { version: '1.0.0' })
  // The running program has already used one start.
  expect(codesOf(await all(programStartsPerMinute - 1, start))).toEqual([undefined])
  app.advance(20)
  const rejected = await start()
  expect(rejected).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED', retryAfterSeconds: 40 } })
  expect(rejected.headers.get('retry-after')).toBe('40')
  // Running programs and customers of other apps are not affected.
  expect((await program.heartbeat()).status).toBe(200)
  const other = await newOwnerWithApp(app)
  expect((await (await Program.of(app, other)).init()).status).toBe(200)
  app.advance(40)
  expect((await start()).status).toBe(200)
})

test('each session has its own limit of 60 heartbeats a minute', async () => {
  const [busy, calm] = [await running(), await running()]
  const answers = await all(heartbeatsPerMinute, busy.heartbeat)
  expect(codesOf(answers)).toEqual([undefined])
  const rejected = await busy.heartbeat()
  expect(rejected).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED', retryAfterSeconds: 60 } })
  expect(rejected.headers.get('retry-after')).toBe('60')
  expect((await calm.heartbeat()).status).toBe(200)
  app.advance(60)
  expect((await busy.heartbeat()).status).toBe(200)
})

test('forged heartbeats count against their network and no genuine session', async () => {
  const honest = await running()
  const forger = await Program.of(app, owner)
  const forge = () => {
    forger.session = randomBytes(32).toString('base64url')
    return forger.send('heartbeat', {}, { unsigned: true })
  }
  const answers = await all(programStartsPerMinute + 50, forge)
  const rejected = answers.filter(({ status }) => status === 429)
  // The second process sees the genuine session for the first time, so it counts as a possibly forged one.
  const ofHonest = hasTwoProcesses ? 1 : 0
  expect([answers.length, rejected.length]).toEqual([programStartsPerMinute + 50, 50 + ofHonest])
  for (let n = 0; n < heartbeatsPerMinute; n++) expect((await honest.heartbeat()).status).toBe(200)
  expect((await honest.heartbeat()).body.code).toBe('RATE_LIMITED')
})

test('heartbeats without sign-in count against their network', async () => {
  const program = await Program.of(app, owner)
  await program.init()
  expect(codesOf(await all(programStartsPerMinute, program.heartbeat))).toEqual(['NOT_SIGNED_IN'])
  expect((await program.heartbeat()).body.code).toBe('RATE_LIMITED')
})
