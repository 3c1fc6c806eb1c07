import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type SilentServer, startSilentServer } from '#testing/servers/silent-server.ts'
import { type OutgoingAnswer, OutgoingRequests, type OutgoingSettings } from './outgoing.ts'

let silent: SilentServer
let receiver: Server
let port: number

beforeAll(async () => {
  silent = await startSilentServer()
  receiver = createServer((request, response) => request.resume().on('end', () => response.end('thanks')))
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  port = (receiver.address() as AddressInfo).port
})
afterEach(() => silent.hangUp())
afterAll(async () => {
  receiver.close()
  await silent.close()
})

const long = 3_600_000
const short = 20

/** Every name leads to this machine: to a server that says nothing, or by its port to one that answers. */
function outgoing(given: Partial<OutgoingSettings> = {}) {
  const settings: OutgoingSettings = {
    allowHttp: true,
    loopbackPorts: [silent.port, port],
    timeoutMs: long,
    briefTimeoutMs: long,
    ...given,
  }
  let now = 1_800_000_000
  const requests = new OutgoingRequests(
    settings,
    async () => ['127.0.0.1'],
    () => now * 1000,
  )
  const post = (use: 'call' | 'delivery', ownerId: string, host: string, to = silent.port) =>
    requests.post({ url: `http://${host}.example:${to}/`, use, ownerId, body: '{}', headers: {} })
  return {
    settings,
    call: post.bind(undefined, 'call'),
    deliver: post.bind(undefined, 'delivery'),
    advance: (seconds: number) => void (now += seconds),
  }
}

const outcome = ({ failure, status }: OutgoingAnswer) => failure ?? status

/** What has ended by now, of requests of which the others hang. */
async function rejectedOf(posts: Promise<OutgoingAnswer>[]): Promise<number> {
  const outcomes: (string | number | undefined)[] = []
  for (const post of posts) void post.then((answer) => outcomes.push(outcome(answer)))
  // What is rejected is rejected before anything is sent.
  await new Promise((resolve) => setImmediate(resolve))
  expect(new Set(outcomes)).toEqual(new Set(outcomes.length > 0 ? ['busy'] : []))
  return outcomes.length
}

const range = (count: number) => Array.from({ length: count }, (_, n) => n)

describe('calls', () => {
  test("of one owner to hanging hosts are at most 20 at once, and don't delay another owner (R-WHK-08)", async () => {
    const { call } = outgoing()
    expect(await rejectedOf(range(200).map((n) => call('greedy', `h${n}`)))).toBe(180)
    await silent.opened(20)
    expect(outcome(await call('neighbor', 'shop', port))).toBe(200)
  })

  test('of many owners leave a quarter of the capacity to owners whose receivers reply (R-WHK-08)', async () => {
    const { call } = outgoing()
    expect(outcome(await call('neighbor', 'shop', port))).toBe(200)
    const calls = range(30).flatMap((owner) => range(20).map((n) => call(`o${owner}`, `h${owner}-${n}`)))
    expect(600 - (await rejectedOf(calls))).toBe(150)
    expect(outcome(await call('neighbor', 'shop', port))).toBe(200)
  })

  test("of one owner to a shared host don't block other owners (R-WHK-08)", async () => {
    const { call } = outgoing()
    expect(await rejectedOf(range(20).map(() => call('greedy', 'chat')))).toBe(4)
    expect(outcome(await call('neighbor', 'chat', port))).toBe(200)
  })

  test('and deliveries have separate limits (R-WHK-08)', async () => {
    const { call, deliver } = outgoing()
    expect(await rejectedOf(range(50).map((n) => deliver(`o${n}`, `h${n}`)))).toBe(0)
    expect(outcome(await call('neighbor', 'shop', port))).toBe(200)
    silent.hangUp()
    await rejectedOf(range(200).map((n) => call(`o${n}`, `h${n}`)))
    expect(outcome(await deliver('neighbor', 'shop', port))).toBe(200)
  })
})

describe('a receiver of deliveries that timed out', () => {
  test('gets one brief probe at a time, after pauses that double, until it answers', async () => {
    const { settings, deliver, advance } = outgoing({ timeoutMs: short, briefTimeoutMs: short })
    expect(outcome(await deliver('owner', 'dead'))).toBe('timeout')
    settings.timeoutMs = long
    for (const pause of [5, 10, 20, 40, 80, 160]) {
      expect(await deliver('owner', 'dead')).toMatchObject({ failure: 'paused', retryAfterSeconds: pause })
      advance(pause - 1)
      expect(await deliver('owner', 'dead')).toMatchObject({ failure: 'paused', retryAfterSeconds: 1 })
      advance(1)
      const probe = deliver('owner', 'dead')
      expect(outcome(await deliver('owner', 'dead'))).toBe('paused')
      expect(outcome(await probe)).toBe('timeout')
    }
    advance(300)
    expect(outcome(await deliver('owner', 'dead', port))).toBe(200)
    const together = await Promise.all(range(3).map(() => deliver('owner', 'dead', port)))
    expect(together.map(outcome)).toEqual([200, 200, 200])
  })

  test('has the full time again once it is probed every five minutes, because it may only be slow', async () => {
    const { settings, deliver, advance } = outgoing({ timeoutMs: short, briefTimeoutMs: short })
    for (const pause of [5, 10, 20, 40, 80, 160, 300]) {
      await deliver('owner', 'slow')
      advance(pause)
    }
    Object.assign(settings, { timeoutMs: short, briefTimeoutMs: long })
    expect(outcome(await deliver('owner', 'slow'))).toBe('timeout')
    expect(await deliver('owner', 'slow')).toMatchObject({ failure: 'paused', retryAfterSeconds: 300 })
  })

  test("doesn't affect other owners at the same host, or other hosts of the owner", async () => {
    const { settings, deliver } = outgoing({ timeoutMs: short })
    expect(outcome(await deliver('owner', 'chat'))).toBe('timeout')
    settings.timeoutMs = long
    expect(outcome(await deliver('neighbor', 'chat', port))).toBe(200)
    expect(outcome(await deliver('owner', 'shop', port))).toBe(200)
  })

  test('still gets deliveries if only its calls time out', async () => {
    const { settings, call, deliver } = outgoing({ timeoutMs: short })
    expect(outcome(await call('owner', 'slow'))).toBe('timeout')
    settings.timeoutMs = long
    expect(outcome(await deliver('owner', 'slow', port))).toBe(200)
  })
})

test('when many deliveries wait, a receiver that has never replied gets little time, one that has gets all of it', async () => {
  const { deliver } = outgoing({ briefTimeoutMs: short })
  expect(outcome(await deliver('neighbor', 'known', port))).toBe(200)
  const waiting = range(13).map((n) => deliver(`o${n}`, `h${n}`))
  let ended = 0
  for (const each of [...waiting, deliver('neighbor', 'known')]) void each.then(() => (ended += 1))
  expect(outcome(await deliver('stranger', 'unknown'))).toBe('timeout')
  expect(ended).toBe(0)
})
