import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '../../../testing/people/people.ts'
import { keepSignedIn } from '../../../testing/platform.ts'
import { sdkClient } from '../../../testing/people/sdk-client.ts'
import { startTestApp, type TestApp } from '../../../testing/start-test-app.ts'
import { type ClientOptions, RejectedError, type SignetError, UnverifiedError } from './client.ts'
import { Heartbeat } from './heartbeat.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  await keepSignedIn(app, owner)
})
afterAll(() => app.close())

/** Time passes when the test says so. */
class Waits {
  readonly #waiting: { seconds: number; end: () => void }[] = []
  #arrived: (() => void) | undefined

  readonly wait = (seconds: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true })
      this.#waiting.push({ seconds, end: resolve })
      this.#arrived?.()
    })

  /** The next wait that begins, or has begun: its length in seconds and how to let it pass. */
  async next(): Promise<{ seconds: number; end: () => void }> {
    while (this.#waiting.length === 0) await new Promise<void>((resolve) => (this.#arrived = resolve))
    return this.#waiting.shift() as { seconds: number; end: () => void }
  }
}

async function running(changes: Partial<ClientOptions> = {}) {
  const waits = new Waits()
  const [key = ''] = await newLicenses(owner, 1)
  const events: string[] = []
  let isDown = false
  const client = await sdkClient(app, owner, {
    heartbeatSeconds: 60,
    wait: waits.wait,
    fetch: (url, init) => (isDown ? Promise.reject(new TypeError('fetch failed')) : fetch(url, init)),
    onLost: ({ code }) => events.push(`lost ${code}`),
    onInterrupted: ({ code }) => events.push(`interrupted ${code}`),
    onResumed: () => events.push('resumed'),
    ...changes,
  })
  await client.license(key)
  const toggleBan = () => owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: key } })
  const goDown = (down = true) => void (isDown = down)
  const heard = (...expected: string[]) => expect.poll(() => events).toEqual(expected)
  return { client, waits, events, heard, toggleBan, goDown }
}

test('asks every 60 s, ±10 %, and reports a ban once', async () => {
  const { client, waits, events, heard, toggleBan } = await running()
  for (let beat = 0; beat < 3; beat++) {
    const { seconds, end } = await waits.next()
    expect(seconds).toBeGreaterThanOrEqual(54)
    expect(seconds).toBeLessThanOrEqual(66)
    if (beat === 2) await toggleBan()
    expect(client.isValid()).toBe(true)
    end()
  }
  await heard('lost LICENSE_BANNED')
  expect(client.isValid()).toBe(false)
  expect(client.lost?.code).toBe('LICENSE_BANNED')
  await client.close()
  expect(events).toEqual(['lost LICENSE_BANNED'])
})

test('continues without a connection, with growing pauses up to the interval, and recovers afterwards', async () => {
  const { client, waits, events, goDown } = await running({ graceSeconds: 86_400 })
  goDown()
  let pause = await waits.next()
  for (const expected of [2, 4, 8, 16, 32, 60, 60]) {
    pause.end()
    pause = await waits.next()
    expect(Math.abs(pause.seconds - expected)).toBeLessThanOrEqual(expected * 0.1 + 1e-9)
    expect(client.isValid()).toBe(true)
  }
  goDown(false)
  pause.end()
  expect((await waits.next()).seconds).toBeGreaterThanOrEqual(54)
  expect(events).toEqual([])
  await client.close()
})

test('a long outage interrupts once, never loses the session, and ends when the server is heard', async () => {
  const { client, waits, events, heard, goDown } = await running({ heartbeatSeconds: 1e-6, graceSeconds: 0.05 })
  ;(await waits.next()).end()
  goDown()
  const beatUntil = async (condition: () => boolean) => {
    while (!condition()) (await waits.next()).end()
  }
  await beatUntil(() => events.length > 0)
  expect(events).toEqual(['interrupted NETWORK'])
  expect(client.isValid()).toBe(false)
  expect(client.lost).toBeUndefined()
  for (let beat = 0; beat < 5; beat++) (await waits.next()).end()
  expect(events).toHaveLength(1)
  goDown(false)
  await beatUntil(() => events.length > 1)
  await heard('interrupted NETWORK', 'resumed')
  expect(client.isValid()).toBe(true)
  await client.close()
})

test('a pause that is longer than the silence may be has two parts, to report it', async () => {
  const waits = new Waits()
  const later = new RejectedError('RATE_LIMITED', '', 429, { retryAfterSeconds: 3600 })
  const heartbeat = new Heartbeat({
    beat: () => Promise.reject(later),
    interrupted: () => expect.unreachable(),
    resumed: () => expect.unreachable(),
    intervalSeconds: 100,
    graceSeconds: 50,
    wait: waits.wait,
  })
  heartbeat.start()
  ;(await waits.next()).end()
  const first = await waits.next()
  expect(first.seconds).toBeGreaterThan(100)
  expect(first.seconds).toBeLessThanOrEqual(160)
  first.end()
  expect((await waits.next()).seconds).toBeCloseTo(3600 - first.seconds)
  heartbeat.stop()
})

test('an interruption during a heartbeat that hangs is reported while it hangs', async () => {
  const waits = new Waits()
  const interrupted = Promise.withResolvers<SignetError>()
  const answer = Promise.withResolvers<void>()
  const heartbeat = new Heartbeat({
    beat: () => answer.promise,
    interrupted: interrupted.resolve,
    resumed: () => undefined,
    intervalSeconds: 1e-6,
    graceSeconds: 0.5,
    wait: waits.wait,
  })
  heartbeat.start()
  ;(await waits.next()).end()
  expect((await interrupted.promise).code).toBe('NETWORK')
  expect(heartbeat.isOverdue).toBe(true)
  heartbeat.stop()
  answer.resolve()
})

test.each([
  ['before the heartbeat was due', 0],
  ['in the first part of a longer pause', 3600],
])('after a standstill %s, the answer of the server decides', async (_, retryAfterSeconds) => {
  const waits = new Waits()
  const events: string[] = []
  const later = new RejectedError('RATE_LIMITED', '', 429, { retryAfterSeconds })
  let isDown = retryAfterSeconds > 0
  const heartbeat: Heartbeat = new Heartbeat({
    beat: async () => {
      if (isDown) throw later
      heartbeat.recordSuccess()
    },
    interrupted: () => events.push('interrupted'),
    resumed: () => events.push('resumed'),
    intervalSeconds: 100,
    graceSeconds: 50,
    wait: waits.wait,
  })
  heartbeat.start()
  if (isDown) (await waits.next()).end()
  const { end } = await waits.next()
  isDown = false
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 86_400_000)
  const wall = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 86_400_000)
  expect(heartbeat.isOverdue).toBe(true)
  end()
  await waits.next()
  now.mockRestore()
  wall.mockRestore()
  heartbeat.stop()
  expect(events).toEqual([])
})

test('a computer that wakes from sleep in the first part of a pause asks at once', async () => {
  const waits = new Waits()
  let beats = 0
  const heartbeat = new Heartbeat({
    beat: async () => {
      beats++
      throw new RejectedError('RATE_LIMITED', '', 429, { retryAfterSeconds: 3600 })
    },
    interrupted: () => expect.unreachable(),
    resumed: () => expect.unreachable(),
    intervalSeconds: 100,
    graceSeconds: 50,
    wait: waits.wait,
  })
  heartbeat.start()
  ;(await waits.next()).end()
  const first = await waits.next()
  const wall = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
  first.end()
  await waits.next()
  wall.mockRestore()
  heartbeat.stop()
  expect(beats).toBe(2)
})

test('a success that comes after it was stopped is reported to nobody', async () => {
  const waits = new Waits()
  const events: string[] = []
  const heartbeat = new Heartbeat({
    beat: () => Promise.reject(new UnverifiedError('NETWORK', '')),
    interrupted: () => events.push('interrupted'),
    resumed: () => events.push('resumed'),
    intervalSeconds: 1e-6,
    graceSeconds: 1e-6,
    wait: waits.wait,
  })
  heartbeat.start()
  while (events.length === 0) (await waits.next()).end()
  heartbeat.stop()
  heartbeat.recordSuccess()
  expect(events).toEqual(['interrupted'])
})

test('what another call hears ends an interruption too', async () => {
  const { client, waits, events, goDown, heard } = await running({ heartbeatSeconds: 1e-6, graceSeconds: 0.05 })
  goDown()
  while (events.length === 0) (await waits.next()).end()
  goDown(false)
  await client.heartbeat()
  await heard('interrupted NETWORK', 'resumed')
  await client.close()
})

test('waits as long as a signed 429 asks', async () => {
  const { client, waits, events } = await running({ heartbeatSeconds: 1, graceSeconds: 600 })
  const { limits } = app.services.config
  const { heartbeatsPerMinute } = limits
  limits.heartbeatsPerMinute = 1
  const asked: number[] = []
  for (let beat = 0; beat < 3; beat++) {
    const { seconds, end } = await waits.next()
    asked.push(seconds)
    end()
  }
  expect(Math.max(...asked)).toBeGreaterThan(30)
  expect(events).toEqual([])
  limits.heartbeatsPerMinute = heartbeatsPerMinute
  await client.close()
})

test('a session that expired in sleep is renewed without a word', async () => {
  const { client, waits, events } = await running()
  const session = client.session
  app.advance(2 * 86_400)
  ;(await waits.next()).end()
  expect((await waits.next()).seconds).toBeGreaterThanOrEqual(54)
  expect(client.session).not.toBe(session)
  expect(client.isValid()).toBe(true)
  expect(events).toEqual([])
  await client.close()
})

test('a renewal that is rejected is reported as lost', async () => {
  const { waits, heard, toggleBan } = await running()
  app.advance(2 * 86_400)
  await toggleBan()
  ;(await waits.next()).end()
  await heard('lost LICENSE_BANNED')
})

test('a loss that another call finds is reported once, and stops the heartbeat', async () => {
  const { client, events, heard, toggleBan } = await running()
  await toggleBan()
  await expect(client.log('x')).rejects.toMatchObject({ code: 'LICENSE_BANNED' })
  await expect(client.heartbeat()).rejects.toMatchObject({ code: 'LICENSE_BANNED' })
  await heard('lost LICENSE_BANNED')
  expect(client.isValid()).toBe(false)
  expect(events).toHaveLength(1)
})

test('stops at logout and when another sign-in takes over', async () => {
  const { client, waits, events } = await running()
  const first = await waits.next()
  const [key = ''] = await newLicenses(owner, 1)
  await client.license(key)
  const second = await waits.next()
  first.end()
  await client.logout()
  second.end()
  expect(client.isValid()).toBe(false)
  expect(events).toEqual([])
})

test('what a callback throws or rejects with is logged, and ends nothing', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const unhandled: unknown[] = []
  const record = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', record).on('uncaughtException', record)
  const failing: ClientOptions['onLost'][] = [
    () => {
      throw new Error('thrown')
    },
    async () => Promise.reject(new Error('rejected')),
  ]
  try {
    for (const onLost of failing) {
      const { client, waits, toggleBan } = await running({ onLost })
      await toggleBan()
      ;(await waits.next()).end()
      await expect.poll(() => client.isValid()).toBe(false)
    }
    await expect
      .poll(() => logged.mock.calls.map(([, error]) => String(error)))
      .toEqual(['Error: thrown', 'Error: rejected'])
    expect(unhandled).toEqual([])
  } finally {
    process.off('unhandledRejection', record).off('uncaughtException', record)
    logged.mockRestore()
  }
})

test('the callback can use the client', async () => {
  const done = Promise.withResolvers<void>()
  const made = await running({ onLost: () => void made.client.close().then(done.resolve) })
  await made.toggleBan()
  ;(await made.waits.next()).end()
  await done.promise
  expect(made.client.session).toBeUndefined()
})
