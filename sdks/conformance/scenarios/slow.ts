import { type Scenario, scenariosOf } from '../scenario.ts'
import { failureOf } from '../server/model.ts'
import type { Script } from '../server/scripted-server.ts'
import { bytesOf } from '../server/signed-reply.ts'
import { pause } from '../pause.ts'
import type { Stage } from '../stage.ts'

const scenario = scenariosOf('slow')

/** Never answers; the connection stays open. */
export const hang: Script = () => new Promise(() => {})
const late =
  (ms: number): Script =>
  async ({ honest }) => {
    await pause(ms)
    return honest()
  }

/** Whether this takes no longer than so many seconds. */
async function within(limitSeconds: number, run: Promise<string>): Promise<string> {
  const startedAt = performance.now()
  const got = await run
  const seconds = (performance.now() - startedAt) / 1000
  return seconds <= limitSeconds ? got : `${got} after ${seconds.toFixed(1)} s`
}

const keepsGoing = async (stage: Stage): Promise<string> => {
  stage.server.beHonest()
  return `then ${await stage.outcome('variable', { name: 'secret' })}`
}

export const slowScenarios: Scenario[] = [
  scenario(
    'a call that is never answered',
    { guards: 'the timeout ends a call', expected: 'NETWORK, valid, no event, then ok', create: { timeout: 2 } },
    async (stage) => {
      await stage.signIn()
      stage.server.always('variable', hang)
      const got = await stage.timed(5, 'variable', { name: 'secret' })
      return `${got}, ${await stage.valid()}, ${stage.events()}, ${await keepsGoing(stage)}`
    },
  ),
  scenario(
    'init and sign-in, each slower than half of the timeout',
    {
      guards: 'one deadline bounds the whole call, init included',
      expected: 'NETWORK, not valid',
      create: { timeout: 2 },
    },
    async (stage) => {
      stage.server.always('init', late(1400))
      stage.server.always('license', late(1400))
      return `${await stage.timed(6, 'license', { key: 'KEY-1' })}, ${await stage.valid()}`
    },
  ),
  scenario(
    'a corrected clock, with answers slower than half of the timeout',
    { guards: 'the repetition after CLOCK_SKEW has no time of its own', expected: 'NETWORK', create: { timeout: 2 } },
    async (stage) => {
      await stage.signIn()
      stage.server.next('heartbeat', async ({ sign }) => {
        await pause(1400)
        return sign(failureOf('CLOCK_SKEW'))
      })
      stage.server.always('heartbeat', late(1400))
      return stage.timed(6, 'heartbeat')
    },
  ),
  scenario(
    'a renewal slower than the rest of the timeout',
    { guards: 'the renewal has no time of its own', expected: 'NETWORK, no event', create: { timeout: 2 } },
    async (stage) => {
      await stage.signIn()
      stage.server.model.expireSessions()
      stage.server.always('renew', late(1400))
      stage.server.always('variable', late(900))
      return `${await stage.timed(6, 'variable', { name: 'secret' })}, ${stage.events()}`
    },
  ),
  scenario(
    'an answer that drips',
    {
      guards: 'an answer that comes byte by byte ends with the timeout',
      expected: 'NETWORK, then ok',
      create: { timeout: 2 },
    },
    async (stage) => {
      await stage.signIn()
      stage.server.always('variable', async ({ honest, socket }) => {
        for (const byte of bytesOf(honest())) {
          if (socket.destroyed) return undefined
          socket.write(Buffer.from([byte]))
          await pause(200)
        }
        return undefined
      })
      return `${await stage.timed(6, 'variable', { name: 'secret' })}, ${await keepsGoing(stage)}`
    },
  ),
  scenario(
    'headers that drip',
    {
      guards: 'headers that come one by one end with the timeout',
      expected: 'NETWORK, then ok',
      create: { timeout: 2 },
    },
    async (stage) => {
      await stage.signIn()
      stage.server.always('variable', async ({ socket }) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        for (let n = 0; !socket.destroyed && n < 200; n++) {
          socket.write(`x-filler-${n}: x\r\n`)
          await pause(200)
        }
        return undefined
      })
      return `${await stage.timed(6, 'variable', { name: 'secret' })}, ${await keepsGoing(stage)}`
    },
  ),
  scenario(
    'a hanging heartbeat in the background, and an answered call',
    {
      guards: 'a heartbeat in the background does not delay a call beyond its deadline',
      expected: ['ok', 'NETWORK'],
      create: { timeout: 3, heartbeatInterval: 0.2 },
    },
    async (stage) => {
      await stage.signIn()
      stage.server.always('heartbeat', hang)
      await stage.moreRequests('heartbeat', 1)
      return stage.timed(5, 'variable', { name: 'secret' })
    },
  ),
  scenario(
    'a hanging heartbeat in the background, and a hanging call',
    {
      guards: 'waiting for a heartbeat counts towards the deadline of a call',
      expected: 'NETWORK',
      create: { timeout: 3, heartbeatInterval: 0.2 },
    },
    async (stage) => {
      await stage.signIn()
      stage.server.always('heartbeat', hang)
      stage.server.always('variable', hang)
      await stage.moreRequests('heartbeat', 1)
      return stage.timed(5, 'variable', { name: 'secret' })
    },
  ),
  scenario(
    'a hanging call, and another one',
    { guards: 'a call that waits for another has one deadline', expected: 'NETWORK, NETWORK', create: { timeout: 2 } },
    async (stage) => {
      await stage.signIn()
      stage.server.always('variable', hang)
      const both = ['secret', 'greeting'].map((name) => stage.timed(4, 'variable', { name }))
      return (await Promise.all(both)).join(', ')
    },
  ),
  scenario(
    'isValid beside a hanging call',
    { guards: 'isValid answers at once, whatever hangs', expected: 'valid', create: { timeout: 8 } },
    async (stage) => {
      await stage.signIn()
      stage.server.always('variable', hang)
      void stage.ask('variable', { name: 'secret' }).catch(() => undefined)
      await stage.moreRequests('variable', 1)
      return within(3, stage.valid())
    },
  ),
  scenario(
    'close beside a hanging call',
    {
      guards: 'close returns within 2 s, and the call ends',
      expected: ['closed, NETWORK', 'closed, CANCELLED'],
      create: { timeout: 25 },
    },
    async (stage) => {
      await stage.signIn()
      stage.server.always('variable', hang)
      const before = stage.server.count('variable')
      const hanging = stage.outcome('variable', { name: 'secret' })
      await stage.until(() => stage.server.count('variable') > before)
      const closed = await within(5, stage.outcome('close'))
      const ended = await within(10, hanging)
      return `${closed === 'ok' ? 'closed' : closed}, ${ended}`
    },
  ),
  scenario(
    'close beside a hanging heartbeat in the background',
    { guards: 'close returns within 2 s', expected: 'ok', create: { timeout: 25, heartbeatInterval: 0.2 } },
    async (stage) => {
      await stage.signIn()
      stage.server.always('heartbeat', hang)
      await stage.moreRequests('heartbeat', 1)
      return within(5, stage.outcome('close'))
    },
  ),
  scenario(
    'close with a hanging logout',
    {
      guards: 'close tells the server only if that is possible in time',
      expected: 'ok, 1 logout',
      create: { timeout: 25 },
    },
    async (stage) => {
      await stage.signIn()
      stage.server.always('logout', hang)
      const got = await within(5, stage.outcome('close'))
      return `${got}, ${stage.server.count('logout')} logout`
    },
  ),
  scenario(
    'close tells the server',
    { guards: 'a closed program does not stay signed in', expected: 'ok, 1 logout' },
    async (stage) => {
      await stage.signIn()
      const got = await stage.outcome('close')
      await stage.until(() => stage.server.count('logout') > 0)
      return `${got}, ${stage.server.count('logout')} logout`
    },
  ),
  scenario(
    'nothing after close',
    {
      guards: 'a closed client neither asks nor reports anything',
      expected: 'ok, no event, 0 more',
      create: { heartbeatInterval: 0.2, grace: 1, timeout: 2 },
    },
    async (stage) => {
      await stage.signIn()
      await stage.moreRequests('heartbeat', 1)
      const got = await stage.outcome('close')
      // One may be on its way.
      await pause(300)
      const before = stage.server.count('heartbeat')
      await pause(2000)
      return `${got}, ${stage.events()}, ${stage.server.count('heartbeat') - before} more`
    },
  ),
  scenario(
    'a closed client is not valid',
    { guards: 'close ends the session on this side, too', expected: 'ok, not valid' },
    async (stage) => {
      await stage.signIn()
      return `${await stage.outcome('close')}, ${await stage.valid()}`
    },
  ),
  scenario(
    'close of a client that never signed in',
    { guards: 'close without a session asks nothing', expected: 'ok, 0 requests' },
    async (stage) => `${await stage.outcome('close')}, ${stage.server.requests.length} requests`,
  ),
  scenario(
    'a cancelled call',
    {
      guards: 'a program can cancel a call that hangs',
      expected: 'CANCELLED, valid, then ok',
      create: { timeout: 25 },
    },
    async (stage) => {
      await stage.signIn()
      stage.server.next('variable', hang)
      const call = { do: 'variable', name: 'secret' }
      const got = await within(10, stage.outcome('cancel', { after: 0.3, call }))
      return `${got}, ${await stage.valid()}, ${await keepsGoing(stage)}`
    },
  ),
  scenario(
    'a cancelled sign-in',
    {
      guards: 'a cancelled sign-in signs nobody in',
      expected: 'CANCELLED, not valid, then ok',
      create: { timeout: 25 },
    },
    async (stage) => {
      stage.server.next('init', hang)
      const call = { do: 'license', key: 'KEY-1' }
      const got = await within(10, stage.outcome('cancel', { after: 0.3, call }))
      return `${got}, ${await stage.valid()}, then ${await stage.outcome('license', { key: 'KEY-1' })}`
    },
  ),
  scenario(
    'a cancelled download',
    { guards: 'a download can be cancelled while bytes come', expected: 'CANCELLED, no file', create: { timeout: 25 } },
    async (stage) => {
      stage.server.model.files.set('file-1', { fileName: 'x', bytes: Buffer.alloc(100_000) })
      stage.server.always('GET file', async ({ response }) => {
        response.writeHead(200, { 'content-length': '100000' })
        for (let n = 0; !response.destroyed && n < 300; n++) {
          response.write(Buffer.alloc(100))
          await pause(100)
        }
        return undefined
      })
      const call = { do: 'download', fileId: 'file-1', path: `${stage.folder()}/x` }
      const got = await within(10, stage.outcome('cancel', { after: 0.8, call }))
      return `${got}, ${stage.filesIn(stage.folder()).includes('x') ? 'a file' : 'no file'}`
    },
  ),
  scenario(
    'a cancel that comes too late',
    { guards: 'a call that has ended is not cancelled', expected: 'ok' },
    async (stage) => stage.outcome('cancel', { after: 20, call: { do: 'license', key: 'KEY-1' } }),
  ),
  scenario(
    'a server that accepts nothing',
    { guards: 'a port where nobody listens is an error at once', expected: 'NETWORK, not valid' },
    async (stage) => {
      await stage.server.stop()
      return `${await stage.timed(10, 'license', { key: 'KEY-1' })}, ${await stage.valid()}`
    },
  ),
]
