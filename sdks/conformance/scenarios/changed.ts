import { type Scenario, scenariosOf } from '../scenario.ts'
import { generation, otherRootKey } from '../server/identity.ts'
import type { Script } from '../server/scripted-server.ts'
import { bytesOf } from '../server/signed-reply.ts'
import type { Stage } from '../stage.ts'

const scenario = scenariosOf('changed')

/** Has the model do the call, and closes the connection without an answer. */
const dropped: Script = ({ honest, socket }) => {
  honest()
  socket.destroy()
  return undefined
}
/** The same, after a part of the answer. */
const cutAfter =
  (bytes: number): Script =>
  ({ honest, socket }) => {
    socket.write(bytesOf(honest()).subarray(0, bytes), () => socket.destroy())
    return undefined
  }

const hours = (count: number): number => count * 3_600_000
const kept = async (stage: Stage): Promise<string> => `${await stage.valid()}, ${stage.events()}`

const drops: Scenario[] = [
  scenario(
    'the connection was closed between two calls',
    { guards: 'a kept-alive connection that is gone is opened again', expected: 'ok, ok, done once' },
    async (stage) => {
      await stage.signIn()
      stage.server.dropConnections()
      const first = await stage.outcome('heartbeat')
      stage.server.dropConnections()
      const second = await stage.outcome('log', { message: 'x' })
      const { length } = stage.server.model.done.filter(({ call }) => call === 'log')
      return `${first}, ${second}, done ${length === 1 ? 'once' : `${length} times`}`
    },
  ),
  scenario(
    'the connection is closed instead of the answer to a heartbeat',
    {
      guards: 'a repeatable call is asked again, at most twice',
      expected: ['ok, valid, no event', 'NETWORK, valid, no event'],
    },
    async (stage) => {
      await stage.signIn()
      stage.server.next('heartbeat', dropped)
      const got = await stage.outcome('heartbeat')
      const count = stage.server.count('heartbeat')
      return count > 3 ? `${count} requests` : `${got}, ${await kept(stage)}`
    },
  ),
  ...(['log', 'setUserVariable', 'upgrade', 'callWebhook'] as const).map((name) =>
    scenario(
      `the connection is closed instead of the answer to ${name}`,
      {
        guards: 'a call that changes something is never done twice',
        expected: ['NETWORK, done once, valid', 'NONCE_REUSED, done once, valid'],
      },
      async (stage) => {
        await stage.signIn()
        const call = {
          log: 'log',
          setUserVariable: 'set-user-variable',
          upgrade: 'upgrade',
          callWebhook: 'call-webhook',
        }[name]
        stage.server.next(call, dropped)
        const fields = {
          log: { message: 'x' },
          setUserVariable: { name: 'n', value: 'v' },
          upgrade: { licenseKey: 'NEW-KEY' },
          callWebhook: { webhookId: 'hook-1', params: {} },
        }[name]
        const got = await stage.outcome(name, fields)
        const times = stage.server.model.doneCount(call)
        return `${got}, done ${times === 1 ? 'once' : `${times} times`}, ${await stage.valid()}`
      },
    ),
  ),
  ...[10, 300, -1].map((at) =>
    scenario(
      `the server stops in the middle of an answer, ${at < 0 ? 'one byte before its end' : `after ${at} bytes`}`,
      {
        guards: 'a part of an answer is no answer, and the session goes on',
        expected: ['NETWORK, valid, no event, then ok', 'ok, valid, no event, then ok'],
      },
      async (stage) => {
        await stage.signIn()
        stage.server.next(
          'heartbeat',
          at < 0 ? ({ honest, socket }) => (socket.end(bytesOf(honest()).subarray(0, at)), undefined) : cutAfter(at),
        )
        const got = await stage.outcome('heartbeat')
        return `${got}, ${await kept(stage)}, then ${await stage.outcome('heartbeat')}`
      },
    ),
  ),
  scenario(
    'the connection is closed instead of the answer to a sign-in',
    {
      guards: 'a sign-in is sent once',
      expected: ['NETWORK, done once, not valid', 'NONCE_REUSED, done once, not valid'],
    },
    async (stage) => {
      stage.server.next('license', dropped)
      const got = await stage.outcome('license', { key: 'KEY-1' })
      const times = stage.server.model.doneCount('license')
      return `${got}, done ${times === 1 ? 'once' : `${times} times`}, ${await stage.valid()}`
    },
  ),
  scenario(
    'the server restarts',
    { guards: 'a restart of the server ends no session', expected: 'NETWORK, valid, no event, then ok' },
    async (stage) => {
      await stage.signIn()
      await stage.server.stop()
      const got = await stage.outcome('heartbeat')
      const during = await kept(stage)
      await stage.server.start()
      return `${got}, ${during}, then ${await stage.outcome('heartbeat')}`
    },
  ),
  scenario(
    'the server has forgotten the session of init',
    {
      guards: 'an init of long ago is repeated once when the customer has typed the key',
      expected: 'ok, ok, valid, 2 inits',
    },
    async (stage) => {
      const first = await stage.outcome('init')
      stage.server.model.sessions.clear()
      const second = await stage.outcome('license', { key: 'KEY-1' })
      return `${first}, ${second}, ${await stage.valid()}, ${stage.server.count('init')} inits`
    },
  ),
  scenario(
    'the server forgets every session at once',
    { guards: 'init is repeated once, not for ever', expected: 'SESSION_ENDED, 2 inits' },
    async (stage) => {
      await stage.ask('init')
      stage.server.always('license', ({ honest, server }) => {
        server.model.sessions.clear()
        return honest()
      })
      return `${await stage.outcome('license', { key: 'KEY-1' })}, ${stage.server.count('init')} inits`
    },
  ),
]

const clocks: Scenario[] = [
  ...[3, -3].flatMap((count) => [
    scenario(
      `a clock ${Math.abs(count)} hours ${count > 0 ? 'behind' : 'ahead'}`,
      { guards: 'the clock is corrected by the server, once', expected: 'ok, ok, ok, 2 inits, 1 sign-in, valid' },
      async (stage) => {
        stage.server.clockOffsetMs = hours(count)
        const outcomes = [
          await stage.outcome('license', { key: 'KEY-1' }),
          await stage.outcome('heartbeat'),
          await stage.outcome('log', { message: 'x' }),
        ]
        const { server } = stage
        return `${outcomes.join(', ')}, ${server.count('init')} inits, ${server.count('license')} sign-in, ${await stage.valid()}`
      },
    ),
    scenario(
      `a clock ${Math.abs(count)} hours ${count > 0 ? 'behind' : 'ahead'}, with heartbeats in the background`,
      {
        guards: 'validity is counted on a clock that nobody sets',
        expected: 'ok, valid, no event',
        create: { heartbeatInterval: 0.2, grace: 20 },
      },
      async (stage) => {
        stage.server.clockOffsetMs = hours(count)
        const got = await stage.outcome('license', { key: 'KEY-1' })
        await stage.moreRequests('heartbeat', 3)
        return `${got}, ${await kept(stage)}`
      },
    ),
  ]),
  ...[90_000, -90_000].map((offset) =>
    scenario(
      `a clock ${offset / 1000} s off`,
      {
        guards: 'between 60 and 120 s the server accepts and the client corrects itself',
        expected: 'ok, ok, 2 inits, 1 sign-in',
      },
      async (stage) => {
        stage.server.clockOffsetMs = offset
        const outcomes = [await stage.outcome('license', { key: 'KEY-1' }), await stage.outcome('heartbeat')]
        return `${outcomes.join(', ')}, ${stage.server.count('init')} inits, ${stage.server.count('license')} sign-in`
      },
    ),
  ),
  scenario(
    'a clock 55 s off',
    { guards: 'within 60 s nothing needs to be corrected', expected: 'ok, 1 inits' },
    async (stage) => {
      stage.server.clockOffsetMs = 55_000
      return `${await stage.outcome('license', { key: 'KEY-1' })}, ${stage.server.count('init')} inits`
    },
  ),
  ...[hours(3), -hours(3)].map((offset) =>
    scenario(
      `a clock that is set ${offset > 0 ? 'back' : 'ahead'} by 3 hours while signed in`,
      {
        guards: 'a call that was rejected for its time is sent again with the right one',
        expected: 'ok, done once, ok, valid, no event',
      },
      async (stage) => {
        await stage.signIn()
        stage.server.clockOffsetMs = offset
        for (const session of stage.server.model.sessions.values()) session.expiresAt += offset / 1000
        const first = await stage.outcome('log', { message: 'x' })
        const times = stage.server.model.doneCount('log')
        const second = await stage.outcome('heartbeat')
        return `${first}, done ${times === 1 ? 'once' : `${times} times`}, ${second}, ${await kept(stage)}`
      },
    ),
  ),
  scenario(
    'a clock that is set back by 90 s while signed in, and a heartbeat',
    { guards: 'a repeatable call is sent again after a correction', expected: 'ok, 2 requests, valid, no event' },
    async (stage) => {
      await stage.signIn()
      stage.server.clockOffsetMs = 90_000
      const got = await stage.outcome('heartbeat')
      return `${got}, ${stage.server.count('heartbeat')} requests, ${await kept(stage)}`
    },
  ),
  scenario(
    'a clock that is set back by 90 s while signed in, and a call that changes something',
    {
      guards: 'a call that was done is not sent again; the next one is right',
      expected: 'STALE_RESPONSE, done once, then ok',
    },
    async (stage) => {
      await stage.signIn()
      stage.server.clockOffsetMs = 90_000
      const got = await stage.outcome('log', { message: 'x' })
      const times = stage.server.model.doneCount('log')
      const next = await stage.outcome('log', { message: 'y' })
      return `${got}, done ${times === 1 ? 'once' : `${times} times`}, then ${next}`
    },
  ),
]

const keys: Scenario[] = [
  scenario(
    'the signing key is replaced, with heartbeats in the background',
    { guards: 'a rotation goes unnoticed', expected: 'valid, no event', create: { heartbeatInterval: 0.2, grace: 20 } },
    async (stage) => {
      await stage.signIn()
      for (const n of [1, 2, 3]) {
        await stage.moreRequests('heartbeat', 2)
        stage.server.identity = generation(n)
      }
      await stage.moreRequests('heartbeat', 2)
      return kept(stage)
    },
  ),
  scenario(
    'the root key is replaced',
    {
      guards: 'an answer under another root is no answer, and no no',
      expected: 'UNKNOWN_KEY, valid, no event, then ok',
    },
    async (stage) => {
      await stage.signIn()
      stage.server.identity = { ...generation(1), root: otherRootKey }
      const got = await stage.outcome('heartbeat')
      const during = await kept(stage)
      stage.server.identity = generation(1)
      return `${got}, ${during}, then ${await stage.outcome('heartbeat')}`
    },
  ),
  scenario(
    'the root key is replaced before the sign-in',
    { guards: 'a program with an old root key signs nobody in', expected: 'UNKNOWN_KEY, not valid, 0 sign-ins' },
    async (stage) => {
      stage.server.identity = { ...generation(0), root: otherRootKey }
      const got = await stage.outcome('license', { key: 'KEY-1' })
      return `${got}, ${await stage.valid()}, ${stage.server.count('license')} sign-ins`
    },
  ),
  scenario(
    'the version is outdated',
    { guards: 'a rejected init is a no to the sign-in', expected: 'VERSION_OUTDATED 403, not valid, 0 sign-ins' },
    async (stage) => {
      stage.server.model.appVersion = '2.0'
      const answer = await stage.ask('license', { key: 'KEY-1' })
      const got = answer.ok ? 'ok' : `${answer.code} ${answer.status}`
      return `${got}, ${await stage.valid()}, ${stage.server.count('license')} sign-ins`
    },
  ),
]

export const changedScenarios: Scenario[] = [...drops, ...clocks, ...keys]
