import { type Scenario, scenariosOf } from '../scenario.ts'
import { otherRootKey } from '../server/identity.ts'
import { failureOf } from '../server/model.ts'
import type { Script } from '../server/scripted-server.ts'
import { pause } from '../pause.ts'
import type { Stage } from '../stage.ts'

const scenario = scenariosOf('sleeping')
const background = { heartbeatInterval: 0.2, grace: 30, timeout: 5 }
const shortGrace = { heartbeatInterval: 0.2, grace: 1, timeout: 2 }

const unreachable: Script = ({ socket }) => {
  socket.destroy()
  return undefined
}

/** Waits a few heartbeats, so that what would come twice has the time to. */
const settle = (): Promise<void> => pause(800)

const offline: Scenario[] = [
  scenario(
    'offline for longer than the grace period',
    {
      guards: 'a program stops after the grace period, and goes on when the server is heard again',
      expected: 'interrupted NETWORK, not valid, then resumed, valid, lost never',
      create: shortGrace,
    },
    async (stage) => {
      await stage.signIn()
      await stage.server.stop()
      const event = await stage.event('interrupted')
      const during = await stage.untilValid(false)
      await stage.server.start()
      const then = await stage.event('resumed')
      const lost = stage.program.events.some((each) => each.event === 'lost') ? 'lost' : 'lost never'
      return `${event}, ${during}, then ${then}, ${await stage.untilValid(true)}, ${lost}`
    },
  ),
  scenario(
    'offline for shorter than the grace period',
    { guards: 'a short break goes unnoticed', expected: 'valid, no event, then valid, no event', create: background },
    async (stage) => {
      await stage.signIn()
      await stage.server.stop()
      await pause(1500)
      const during = `${await stage.valid()}, ${stage.events()}`
      await stage.server.start()
      await stage.moreRequests('heartbeat', 1)
      return `${during}, then ${await stage.valid()}, ${stage.events()}`
    },
  ),
  scenario(
    'a fake server for longer than the grace period',
    {
      guards: 'unverified answers are as good as none',
      expected: 'interrupted UNKNOWN_KEY, not valid, then resumed, valid',
      create: shortGrace,
    },
    async (stage) => {
      await stage.signIn()
      stage.server.always('heartbeat', ({ honest }) => honest({ root: otherRootKey }))
      const event = await stage.event('interrupted')
      const during = await stage.untilValid(false)
      stage.server.beHonest()
      return `${event}, ${during}, then ${await stage.event('resumed')}, ${await stage.untilValid(true)}`
    },
  ),
  scenario(
    'the server hangs for longer than the grace period',
    {
      guards: 'a hanging server does not prolong the grace period',
      expected: 'interrupted NETWORK, not valid, then resumed, valid',
      create: shortGrace,
    },
    async (stage) => {
      await stage.signIn()
      stage.server.always('heartbeat', () => new Promise(() => {}))
      const event = await stage.event('interrupted')
      const during = await stage.untilValid(false)
      stage.server.beHonest()
      return `${event}, ${during}, then ${await stage.event('resumed')}, ${await stage.untilValid(true)}`
    },
  ),
  scenario(
    'a heartbeat of the program is answered after the interruption',
    {
      guards: 'the session resumes at once, before the next heartbeat in the background',
      expected: 'interrupted, ok, valid',
      create: { heartbeatInterval: 1, grace: 1, timeout: 2 },
    },
    async (stage) => {
      await stage.signIn()
      stage.server.always('heartbeat', unreachable)
      const event = (await stage.event('interrupted')).split(' ')[0]
      stage.server.beHonest()
      const got = await stage.outcome('heartbeat')
      return `${event}, ${got}, ${await stage.valid()}`
    },
  ),
  scenario(
    'another call is answered after the interruption',
    {
      guards: 'an answer that is not about the time of the customer does not prolong it',
      expected: 'interrupted NETWORK, not valid, ok, not valid, then resumed, valid',
      create: { heartbeatInterval: 1, grace: 2, timeout: 2 },
    },
    async (stage) => {
      await stage.signIn()
      stage.server.always('heartbeat', unreachable)
      const event = await stage.event('interrupted')
      const before = await stage.valid()
      const got = await stage.outcome('variable', { name: 'greeting' })
      const after = await stage.valid()
      stage.server.beHonest()
      return `${event}, ${before}, ${got}, ${after}, then ${await stage.event('resumed')}, ${await stage.untilValid(true)}`
    },
  ),
  scenario(
    'the renewal can not be reached',
    {
      guards: 'an expired session whose renewal is not answered is interrupted, not lost',
      expected: 'interrupted, not valid, then resumed, valid, lost never',
      create: shortGrace,
    },
    async (stage) => {
      await stage.signIn()
      stage.server.always('renew', unreachable)
      stage.server.model.expireSessions()
      const event = (await stage.event('interrupted')).split(' ')[0]
      const during = await stage.untilValid(false)
      stage.server.beHonest()
      const then = await stage.event('resumed')
      const lost = stage.program.events.some((each) => each.event === 'lost') ? 'lost' : 'lost never'
      return `${event}, ${during}, then ${then}, ${await stage.untilValid(true)}, ${lost}`
    },
  ),
  scenario(
    'an unsigned 429 with a long Retry-After',
    { guards: 'nobody but the server can make a client wait', expected: 'heartbeats go on, valid', create: background },
    async (stage) => {
      await stage.signIn()
      stage.server.next('heartbeat', () => ({
        status: 429,
        headers: [['retry-after', '3600']],
        body: Buffer.from('{}'),
      }))
      const isGoingOn = await stage.moreRequests('heartbeat', 3)
      return `${isGoingOn ? 'heartbeats go on' : 'no further heartbeat'}, ${await stage.valid()}`
    },
  ),
  scenario(
    'a signed 503 during maintenance',
    {
      guards: 'the heartbeat goes on after the time that the server asks for',
      expected: 'heartbeats go on, valid, no event',
      create: background,
    },
    async (stage) => {
      await stage.signIn()
      stage.server.next('heartbeat', ({ sign }) => sign(failureOf('MAINTENANCE', { retryAfterSeconds: 1 })), 2)
      const isGoingOn = await stage.moreRequests('heartbeat', 4)
      return `${isGoingOn ? 'heartbeats go on' : 'no further heartbeat'}, ${await stage.valid()}, ${stage.events()}`
    },
  ),
  scenario(
    'without heartbeats, until the session ends',
    {
      guards: 'without a heartbeat in the background a session is valid until it expires, and no longer',
      expected: 'valid, then not valid',
    },
    async (stage) => {
      stage.server.model.sessionSeconds = 5
      await stage.signIn()
      const first = await stage.valid()
      return `${first}, then ${await stage.untilValid(false)}`
    },
  ),
]

/** The process stands still, as on a computer that sleeps. */
async function sleep(stage: Stage, ms: number): Promise<void> {
  stage.program.signal('SIGSTOP')
  await pause(ms)
  stage.program.signal('SIGCONT')
}

const stopped: Scenario[] =
  process.platform === 'win32'
    ? []
    : [
        scenario(
          'the computer sleeps for longer than the session',
          {
            guards: 'after waking up, the session is renewed by itself',
            expected: 'valid, lost never, renewed, 1 sign-in',
            create: shortGrace,
          },
          async (stage) => {
            stage.server.model.sessionSeconds = 2
            await stage.signIn()
            await stage.moreRequests('heartbeat', 1)
            await sleep(stage, 3500)
            const renewals = stage.server.count('renew')
            const isRenewed = await stage.until(() => stage.server.count('renew') > renewals)
            const state = await stage.untilValid(true)
            const lost = stage.program.events.some((each) => each.event === 'lost') ? 'lost' : 'lost never'
            return `${state}, ${lost}, ${isRenewed ? 'renewed' : 'not renewed'}, ${stage.server.count('license')} sign-in`
          },
        ),
        scenario(
          'the license is banned while the computer sleeps',
          {
            guards: 'after waking up, a no is heard, once',
            expected: 'lost LICENSE_BANNED, not valid',
            create: shortGrace,
          },
          async (stage) => {
            stage.server.model.sessionSeconds = 2
            await stage.signIn()
            await stage.moreRequests('heartbeat', 1)
            stage.program.signal('SIGSTOP')
            stage.server.model.userRejection = 'LICENSE_BANNED'
            await pause(3000)
            stage.program.signal('SIGCONT')
            const event = await stage.event('lost')
            await settle()
            const count = stage.program.events.filter((each) => each.event === 'lost').length
            return `${count === 1 ? event : `lost ${count} times`}, ${await stage.valid()}`
          },
        ),
        scenario(
          'a call hangs while the computer sleeps',
          {
            guards: 'an answer that waited for longer than its deadline is not used',
            expected: ['NETWORK, valid', 'STALE_RESPONSE, valid', 'ok, valid'],
            create: { timeout: 3 },
          },
          async (stage) => {
            await stage.signIn()
            const before = stage.server.count('variable')
            stage.server.next('variable', async ({ honest }) => {
              await pause(2000)
              return honest()
            })
            const call = stage.outcome('variable', { name: 'secret' })
            await stage.until(() => stage.server.count('variable') > before)
            await sleep(stage, 4000)
            return `${await call}, ${await stage.valid()}`
          },
        ),
      ]

export const sleepingScenarios: Scenario[] = [...offline, ...stopped]
