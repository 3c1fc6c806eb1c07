import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { RawConnection } from '#testing/servers/raw-connection.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { loggedAddress } from './access-log.ts'
import { newLog } from '../log/log.ts'

interface Line {
  msg: string
  requestId: string
  method?: string
  path?: string
  app?: string
  address?: string
  status?: number
  ms?: number
  err?: { message: string; stack: string }
  error?: string
  repeats?: number
}

let app: TestApp
let owner: OwnedApp
const lines: string[] = []
/** Counts of repeated failures that are due a second later. */
const due: (() => void)[] = []

beforeAll(async () => {
  const log = newLog('info', { write: (line: string) => void lines.push(line) }, (work) => void due.push(work))
  app = await startTestApp({ log, config: { logRequests: true, trustedProxies: ['loopback'] } })
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())
beforeEach(() => {
  lines.length = 0
})

const parsed = (msg: string) => lines.map((line) => JSON.parse(line) as Line).filter((line) => line.msg === msg)
/** Once so many requests are written: the line follows the answer. */
const requests = async (count: number): Promise<Line[]> => {
  await vi.waitUntil(() => parsed('request').length >= count, { timeout: 30_000, interval: 5 })
  return parsed('request')
}
const from = (address: string) => ({ 'x-forwarded-for': address })

describe('each request is one line, with the route and never the full URL', () => {
  test('of the dashboard, with its app', async () => {
    await owner.visitor.call('GET /licenses')
    const [line] = await requests(1)
    expect(line).toMatchObject({
      method: 'GET',
      path: '/api/1.0/website/licenses',
      app: owner.appId,
      address: '127.0.0.0/24',
      status: 200,
      ms: expect.any(Number) as number,
      requestId: expect.stringMatching(/-/) as string,
    })
  })

  test("of a program, which the framework doesn't handle", async () => {
    const program = await Program.of(app, owner)
    lines.length = 0
    await program.init()
    const [line] = await requests(1)
    expect(line).toMatchObject({ method: 'POST', path: '/api/1.0/client/init', app: owner.appId, status: 200 })
    expect(lines.join()).not.toContain(program.session)
  })

  test('with anything in the URL or after it', async () => {
    const secret = 'Canary7-of-an-address'
    for (const path of [
      `/api/1.0/website/resellers/by-username/${secret}`,
      `/api/1.0/website/licenses?search=${secret}`,
      `/no/such/page/${secret}?${secret}`,
      `/api/1.0/website/%E0%A4%A${secret}`,
      `/api/1.0/client/${secret}`,
    ])
      await owner.visitor.send('GET', path)
    const written = await requests(5)
    expect(written.map(({ path }) => path)).toEqual([
      '/api/1.0/website/resellers/by-username/:username',
      '/api/1.0/website/licenses',
      undefined,
      undefined,
      undefined,
    ])
    expect(lines.join()).not.toContain(secret)
  })

  test('of a client that disconnects before the reply', async () => {
    const connection = new RawConnection(app.url)
    const head =
      'POST /api/1.0/client/login HTTP/1.1\r\nhost: signet\r\nexpect: 100-continue\r\ncontent-length: 9\r\n\r\n'
    await connection.send(head).until('100 Continue')
    connection.close()
    expect(await requests(1)).toMatchObject([{ path: '/api/1.0/client/login', status: 499 }])
  })
})

test('writes only the network of an address, unless addresses are kept forever (R-PII-01)', async () => {
  await owner.visitor.send('GET', '/healthz', { headers: from('203.0.113.77') })
  await owner.visitor.send('GET', '/healthz', { headers: from('2001:db8:1:2:3::4') })
  expect((await requests(2)).map(({ address }) => address)).toEqual(['203.0.113.0/24', '2001:db8:1::/48'])
  expect(['203.0.113.77', '::ffff:203.0.113.77', 'unix', ''].map((ip) => loggedAddress(ip, 1))).toEqual([
    '203.0.113.0/24',
    '203.0.113.0/24',
    'unix',
    '',
  ])
  expect(loggedAddress('203.0.113.77', 0)).toBe('203.0.113.77')
})

describe('failures', () => {
  const rename = (from: string, to: string) =>
    app.db.write(async ({ db: trx }) => void (await trx.schema.alterTable(from).renameTo(to).execute()))
  const secondLater = () => {
    for (const work of due.splice(0)) work()
  }

  test('of one kind are one line with the stack, then one a second with their count', async () => {
    const program = await Program.of(app, owner)
    program.hwid = 'a machine of this test'
    await program.init()
    secondLater()
    secondLater()
    await rename('subscriptions', 'subscriptions_away')
    await rename('users', 'users_away')
    lines.length = 0
    try {
      for (let n = 0; n < 40; n++) {
        expect((await owner.visitor.call('GET /subscriptions')).status).toBe(500)
        await program.send(
          'login',
          { username: `user ${n}`, password: 'Wrong7Horse', hwid: program.hwid },
          { unsigned: true },
        )
      }
    } finally {
      await rename('users_away', 'users')
      await rename('subscriptions_away', 'subscriptions')
    }
    const failures = () => [...parsed('request failed'), ...parsed('could not answer a program')]
    expect(failures()).toMatchObject([
      {
        method: 'GET',
        path: '/api/1.0/website/subscriptions',
        app: owner.appId,
        address: '127.0.0.0/24',
        status: 500,
        err: { stack: expect.stringContaining('at ') as string },
      },
      { method: 'POST', path: '/api/1.0/client/login', app: owner.appId, status: 500 },
    ])
    secondLater()
    expect(failures().map(({ repeats, err }) => [repeats, err === undefined])).toEqual([
      [undefined, false],
      [39, true],
      [undefined, false],
      [39, true],
    ])
    // No more of it: the next one is a new failure, with its stack.
    secondLater()
    expect(failures()).toHaveLength(4)
    const log = app.services.log
    for (const id of [1, 2, 3])
      log.error({ err: new Error(`connection ${id} lost`) }, 'the database reported a problem')
    log.error({ job: 1 }, 'a job was set aside')
    log.error({ job: 2 }, 'a job was set aside')
    expect(parsed('the database reported a problem')).toHaveLength(1)
    expect(parsed('a job was set aside')).toHaveLength(2)
  })
})
