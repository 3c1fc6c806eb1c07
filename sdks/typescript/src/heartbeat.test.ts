import { afterAll, beforeAll, expect, test } from 'vitest'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '../../../testing/people/people.ts'
import { sdkClient } from '../../../testing/people/sdk-client.ts'
import { startTestApp, type TestApp } from '../../../testing/start-test-app.ts'
import type { ClientOptions, SignetError } from './client.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

/** Time passes when the test says so. */
class Waits {
  readonly #waiting: { seconds: number; end: () => void }[] = []
  #arrived: (() => void) | undefined

  readonly wait = (seconds: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      signal?.addEventListener('abort', () => resolve(), { once: true })
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
  const lost = Promise.withResolvers<SignetError>()
  const losses: SignetError[] = []
  const client = await sdkClient(app, owner, {
    heartbeatSeconds: 60,
    maxWaitSeconds: 0,
    wait: waits.wait,
    onLost: (error) => {
      losses.push(error)
      lost.resolve(error)
    },
    ...changes,
  })
  await client.license(key)
  const toggleBan = () => owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: key } })
  return { client, waits, lost: lost.promise, losses, toggleBan }
}

test('asks every 60 s, ±10 %, and reports a ban once', async () => {
  const { client, waits, lost, losses, toggleBan } = await running()
  for (let beat = 0; beat < 3; beat++) {
    const { seconds, end } = await waits.next()
    expect(seconds).toBeGreaterThanOrEqual(54)
    expect(seconds).toBeLessThanOrEqual(66)
    if (beat === 2) await toggleBan()
    expect(client.isValid()).toBe(true)
    end()
  }
  expect((await lost).code).toBe('LICENSE_BANNED')
  expect(client.isValid()).toBe(false)
  expect(client.lost?.code).toBe('LICENSE_BANNED')
  await client.close()
  expect(losses).toHaveLength(1)
})

test('continues without a connection, with growing pauses, and recovers afterwards', async () => {
  let isDown = false
  const { client, waits, losses } = await running({
    graceSeconds: 86_400,
    fetch: (url, init) => (isDown ? Promise.reject(new TypeError('fetch failed')) : fetch(url, init)),
  })
  isDown = true
  let pause = await waits.next()
  for (const expected of [2, 4, 8, 16]) {
    pause.end()
    pause = await waits.next()
    expect(Math.abs(pause.seconds - expected)).toBeLessThanOrEqual(expected * 0.1 + 1e-9)
    expect(client.isValid()).toBe(true)
  }
  isDown = false
  pause.end()
  expect((await waits.next()).seconds).toBeGreaterThanOrEqual(54)
  expect(losses).toEqual([])
  await client.close()
})

test('gives up when the grace period ends, with the reason', async () => {
  let isDown = false
  const { client, waits, lost } = await running({
    graceSeconds: 1e-6,
    fetch: (url, init) => (isDown ? Promise.reject(new TypeError('fetch failed')) : fetch(url, init)),
  })
  isDown = true
  ;(await waits.next()).end()
  ;(await waits.next()).end()
  expect((await lost).code).toBe('NETWORK')
  expect(client.isValid()).toBe(false)
})

test('waits as long as a signed 429 asks', async () => {
  const { client, waits, losses } = await running({ heartbeatSeconds: 1, graceSeconds: 600 })
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
  expect(losses).toEqual([])
  limits.heartbeatsPerMinute = heartbeatsPerMinute
  await client.close()
})

test('stops at logout', async () => {
  const { client, waits, losses } = await running()
  const { end } = await waits.next()
  await client.logout()
  end()
  expect(client.isValid()).toBe(false)
  expect(losses).toEqual([])
})
