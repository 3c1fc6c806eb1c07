import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newLog } from '#server/log/log.ts'
import { databaseSkew } from '../server/clock/stored-time.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { newShop, sold } from '#testing/people/sellers.ts'
import { EventListener } from '#testing/event-listener.ts'
import { eventStreams } from '#server/http/event-stream.ts'
import { setPlatform } from '#testing/platform.ts'
import { Program } from '#testing/people/program.ts'
import { startSecondServer } from '#testing/servers/second-server.ts'
import { hasTwoProcesses, startTestApp, type TestApp, testEngine } from '#testing/start-test-app.ts'

/** The machine's clock is wrong: nobody is locked out, nothing is taken twice and no time is lost. */

const minute = 60
const hour = 3600
const day = 86_400

const lines: string[] = []
let app: TestApp
let owner: OwnedApp
let program: Program

beforeAll(async () => {
  app = await startTestApp({ log: newLog('info', { write: (line) => void lines.push(line) }) })
})
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  program = await Program.of(app, owner)
})
afterAll(() => app.close())

/** The clock jumps and is believed, because it stays so; `Program` follows the server's time and checks every key. */
function setClock(seconds: number): void {
  app.jumpClock(seconds)
  app.now()
  app.advance(11 * minute)
  app.now()
}
const serials = async () => {
  const rows = await app.db.read
    .selectFrom('app_signing_keys')
    .select('serial')
    .where('app_id', '=', owner.appId)
    .orderBy('serial')
    .execute()
  return rows.map(({ serial }) => serial)
}
const readiness = async () => {
  const response = await fetch(`${app.url}/readyz`)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
async function signedIn(): Promise<string> {
  const [key = ''] = await newLicenses(owner, 1)
  await program.init()
  expect((await program.license(key)).status).toBe(200)
  return key
}

test.each([1, -1, hour, -hour, 31 * day, -31 * day])(
  'a passing error of %i s locks nobody out, ends no session, and creates no key',
  async (error) => {
    await signedIn()
    app.jumpClock(error)
    // Another app of the owner, so that nothing comes from the cache.
    app.db.events.publish(`app:${owner.appId}`)
    expect((await program.heartbeat()).status).toBe(200)
    expect((await (await Program.of(app, owner)).init()).status).toBe(200)
    app.jumpClock(-error)
    app.db.events.publish(`app:${owner.appId}`)
    expect((await program.heartbeat()).status).toBe(200)
    expect(await serials()).toEqual([1])
  },
)

// Of two, each says it by itself.
test.skipIf(hasTwoProcesses)('/readyz and the log report a jump until the clock is right again', async () => {
  lines.length = 0
  app.jumpClock(31 * day)
  expect(await readiness()).toEqual({
    status: 200,
    body: { status: 'ready', clock: 'not believed: it has jumped by 2678400 s' },
  })
  app.jumpClock(-31 * day)
  expect(await readiness()).toEqual({ status: 200, body: { status: 'ready' } })
  expect(lines.map((line) => JSON.parse(line) as { aheadSeconds: number }).map((line) => line.aheadSeconds)).toEqual([
    2_678_400, 0,
  ])
})

test('a key created while the clock was 31 days ahead stays until it is valid, restarts included', async () => {
  await program.init()
  setClock(31 * day)
  app.db.events.publish(`app:${owner.appId}`)
  expect((await program.init()).status).toBe(200)
  expect(await serials()).toEqual([1, 2])
  setClock(-31 * day)
  // Without an event: what was cached in the future is out of date by itself.
  expect((await program.init()).status).toBe(200)
  const restarted = await startSecondServer(app)
  expect((await (await Program.of(restarted, owner)).init()).status).toBe(200)
  expect(await serials()).toEqual([1, 2])
  await restarted.close()
})

test('no job waits longer than a day after the clock was 31 days ahead, restarts included', async () => {
  setClock(31 * day)
  await app.jobsDone()
  setClock(-31 * day)
  const late = async () => {
    const lanes = app.db.read.selectFrom('job_lanes').select('kind')
    return lanes.where('next_at', '>', app.now() + day).execute()
  }
  expect(await late()).not.toEqual([])
  await app.stop()
  await app.start()
  await app.jobsDone()
  expect(await late()).toEqual([])
})

test('an app whose only key is in the future gets a current one', async () => {
  setClock(hour)
  const late = await newOwnerWithApp(app)
  setClock(-hour)
  expect((await (await Program.of(app, late)).init()).status).toBe(200)
})

test('a server that starts with a clock a month ahead or behind continues from the recorded time', async () => {
  await program.init()
  for (const error of [31 * day, -31 * day]) {
    await app.stop()
    const before = app.now()
    app.jumpClock(error)
    await app.start()
    expect(app.now()).toBe(before)
    expect((await readiness()).body['clock']).toContain('not believed')
    expect((await program.init()).status).toBe(200)
    app.jumpClock(-error)
    expect((await readiness()).body['clock']).toBeUndefined()
  }
  expect(await serials()).toEqual([1])
})

test('a server that was off for a week accepts the clock as it is', async () => {
  await app.stop()
  const before = app.now()
  app.advance(7 * day)
  await app.start()
  expect(app.now()).toBe(before + 7 * day)
})

// Of two processes each has the nonces of what it has answered.
test.skipIf(hasTwoProcesses)(
  'no request is accepted twice when the clock is set back, even to before its nonce expired (R-CLI-04)',
  async () => {
    await signedIn()
    for (const back of [10, 2000]) {
      const replayed = { nonce: `replayed-${back}-AAAAAAAAAAAA`, time: String(app.services.clock()) }
      expect((await program.send('heartbeat', {}, replayed)).status).toBe(200)
      app.advance(back)
      expect((await program.heartbeat()).status).toBe(200)
      if (back > minute) setClock(-back - 11 * minute)
      else app.jumpClock(-back)
      expect(Math.abs(app.services.clock() - Number(replayed.time))).toBeLessThan(1000)
      const answer = await program.send('heartbeat', {}, replayed)
      expect(answer.body.code).toBe(back > minute ? 'SESSION_EXPIRED' : 'NONCE_REUSED')
    }
  },
)

test.each([
  ['set back meanwhile', -day],
  ['ahead when it began', day],
])('a pause loses no time when the clock was %s', async (_, error) => {
  const key = await signedIn()
  const expiry = async () => {
    const query = app.db.read.selectFrom('user_subscriptions').select('expires_at').where('app_id', '=', owner.appId)
    return (await query.executeTakeFirstOrThrow()).expires_at
  }
  const { visitor, username, password } = owner
  visitor.appId = owner.appId
  const togglePause = async () => {
    await visitor.call('POST /login', { body: { username, password } })
    expect((await visitor.call('POST /toggle_pause_user', { body: { username: key } })).status).toBe(200)
  }
  const before = await expiry()
  if (error > 0) setClock(error)
  await togglePause()
  setClock(-day)
  await togglePause()
  if (error < 0) setClock(-error)
  expect(await expiry()).toBe(before)
})

test('a cooldown never gets longer, whatever the clock does', async () => {
  await setPlatform(app, 'platform', { maxFailedLoginAttempts: 3, loginCooldownMinutes: 15 })
  const attempt = () =>
    owner.visitor.call('POST /login', { body: { username: owner.username, password: 'Wrong4711horse' } })
  let answer = await attempt()
  for (let tries = 0; tries < 5 && answer.status !== 429; tries++) answer = await attempt()
  expect(answer.status).toBe(429)
  setClock(-day)
  const after = await attempt()
  expect(after.status).toBe(429)
  expect(Number(after.headers.get('retry-after'))).toBeLessThanOrEqual(15 * minute)
  expect(Number(after.headers.get('retry-after'))).toBeGreaterThan(0)
})

test("setting the clock back doesn't extend a verification (R-SES-08)", async () => {
  setClock(hour)
  const late = await newOwnerWithApp(app)
  setClock(-hour)
  const { body } = await late.visitor.call('POST /create_seller_key', { body: { keyName: 'Shop', permissions: [] } })
  expect(body).toMatchObject({ code: 'REAUTH_REQUIRED' })
})

test.runIf(testEngine === 'postgres')("reports a clock that differs from the database's", async () => {
  const skew = await databaseSkew(app.services)
  expect(Math.abs(skew - (app.services.clock() - Date.now()))).toBeLessThan(60_000)
  setClock(hour)
  expect((await databaseSkew(app.services)) - skew).toBeGreaterThan(3_500_000)
  setClock(-hour)
})

test.skipIf(hasTwoProcesses)(
  'a listener that was followed while the clock was ahead ends two minutes later',
  async () => {
    const { seller } = await newShop(app)
    setClock(day)
    const { listenerId } = await sold<{ listenerId: string }>(seller, 'POST', '/webhooks/listeners')
    const stream = await EventListener.openAsSeller(app, seller, `/webhooks/listeners/${listenerId}/events`)
    await stream.next()
    setClock(-day)
    await eventStreams(app.services).beat()
    stream.leave()
    for (const seconds of [2 * minute, minute]) {
      app.advance(seconds)
      await app.jobsDone()
    }
    expect(await app.db.read.selectFrom('webhook_listeners').select('id').execute()).toEqual([])
  },
)
