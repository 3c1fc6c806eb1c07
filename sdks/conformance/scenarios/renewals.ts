import { type Scenario, scenariosOf } from '../scenario.ts'
import { failureOf } from '../server/model.ts'
import { pause } from '../pause.ts'
import type { Stage } from '../stage.ts'

const scenario = scenariosOf('sleeping')
const background = { heartbeatInterval: 0.2, grace: 30, timeout: 5 }

const renewals = (stage: Stage): string => {
  const count = stage.server.count('renew')
  return `${count} renewal${count === 1 ? '' : 's'}`
}
/** Waits a few heartbeats, so that what would come twice has the time to. */
const settle = (): Promise<void> => pause(800)

const renewed: Scenario[] = [
  scenario(
    'the session has expired, and a call is made',
    {
      guards: 'an expired session is renewed, and the call is sent again once',
      expected: 'ok, 1 renewal, done once, 1 init, 1 sign-in, valid, no event',
    },
    async (stage) => {
      await stage.signIn()
      stage.server.model.expireSessions()
      const got = await stage.outcome('setUserVariable', { name: 'n', value: 'v' })
      const { server } = stage
      const times = server.model.doneCount('set-user-variable')
      const counts = `${server.count('init')} init, ${server.count('license')} sign-in`
      return `${got}, ${renewals(stage)}, done ${times === 1 ? 'once' : `${times} times`}, ${counts}, ${await stage.valid()}, ${stage.events()}`
    },
  ),
  scenario(
    'what a renewal sends',
    {
      guards: 'a renewal sends the expired token, the version, and the machine, and neither password nor key',
      expected: 'the same token, version 1.0, hwid, nothing else',
    },
    async (stage) => {
      await stage.ask('login', { username: 'alice', password: 'correct horse' })
      const token = stage.server.last('login')?.session
      stage.server.model.expireSessions()
      await stage.ask('heartbeat')
      const renewal = stage.server.last('renew')
      if (!renewal) return 'no renewal'
      const { version, hwid, hash: _hash, sdk: _sdk, ...others } = renewal.fields ?? {}
      const more = Object.keys(others).length === 0 ? 'nothing else' : Object.keys(others).join(' ')
      return `${renewal.session === token ? 'the same token' : 'another token'}, version ${String(version)}, ${typeof hwid === 'string' ? 'hwid' : 'no hwid'}, ${more}`
    },
  ),
  scenario(
    'the session goes on after a renewal',
    { guards: 'the same token is used after a renewal', expected: 'ok, ok, 1 token, 1 renewal' },
    async (stage) => {
      await stage.signIn()
      stage.server.model.expireSessions()
      const outcomes = [await stage.outcome('heartbeat'), await stage.outcome('variable', { name: 'secret' })]
      const tokens = new Set(stage.server.requests.flatMap(({ session }) => session ?? []))
      return `${outcomes.join(', ')}, ${tokens.size} token, ${renewals(stage)}`
    },
  ),
  scenario(
    'the session has expired, and the background heartbeat hears it',
    {
      guards: 'a sleeping computer goes on without a word',
      expected: 'valid, no event, 1 renewal',
      create: background,
    },
    async (stage) => {
      await stage.signIn()
      await stage.moreRequests('heartbeat', 1)
      stage.server.model.expireSessions()
      await stage.moreRequests('renew', 1)
      await stage.moreRequests('heartbeat', 2)
      return `${await stage.valid()}, ${stage.events()}, ${renewals(stage)}`
    },
  ),
  scenario(
    'several calls hear at once that the session has expired',
    { guards: 'calls at the same time do not fight over the renewal', expected: '6 ok, valid, no event' },
    async (stage) => {
      await stage.signIn()
      stage.server.model.expireSessions()
      const calls = Array.from({ length: 6 }, () => stage.outcome('variable', { name: 'secret' }))
      const outcomes = await Promise.all(calls)
      return `${outcomes.filter((each) => each === 'ok').length} ok, ${await stage.valid()}, ${stage.events()}`
    },
  ),
  scenario(
    'a sealed renewal',
    { guards: 'a renewal is sealed like every call', expected: 'ok, sealed', create: { sealRequests: true } },
    async (stage) => {
      await stage.signIn()
      stage.server.model.expireSessions()
      const got = await stage.outcome('heartbeat')
      return `${got}, ${stage.server.last('renew')?.isSealed ? 'sealed' : 'not sealed'}`
    },
  ),
  scenario(
    'SESSION_EXPIRED for ever',
    {
      guards: 'a call is renewed and sent again once, not for ever',
      expected: 'at most 2 requests, at most 2 renewals',
    },
    async (stage) => {
      await stage.signIn()
      stage.server.always('variable', ({ sign }) => sign(failureOf('SESSION_EXPIRED')))
      const got = await stage.timed(10, 'variable', { name: 'secret' })
      if (got === 'ok' || got.includes(' ')) return got
      const [calls, renews] = [stage.server.count('variable'), stage.server.count('renew')]
      return `${calls <= 2 ? 'at most 2' : calls} requests, ${renews <= 2 ? 'at most 2' : renews} renewals`
    },
  ),
  scenario(
    'a heartbeat is answered SESSION_EXPIRED after its renewal, too',
    {
      guards: 'a session that no renewal revives is lost, and reported once',
      expected: 'SESSION_EXPIRED, lost SESSION_EXPIRED, not valid, 1 renewal',
    },
    async (stage) => {
      await stage.signIn()
      stage.server.always('heartbeat', ({ sign }) => sign(failureOf('SESSION_EXPIRED')))
      const got = await stage.outcome('heartbeat')
      const event = await stage.event('lost')
      return `${got}, ${event}, ${await stage.valid()}, ${renewals(stage)}`
    },
  ),
  scenario(
    'the answer to the renewal is lost',
    { guards: 'a renewal can be repeated', expected: ['ok, valid, no event', 'NETWORK, then ok, valid, no event'] },
    async (stage) => {
      await stage.signIn()
      stage.server.model.expireSessions()
      stage.server.next('renew', ({ honest, socket }) => {
        honest()
        socket.destroy()
        return undefined
      })
      const got = await stage.outcome('heartbeat')
      const next = got === 'ok' ? '' : `, then ${await stage.outcome('heartbeat')}`
      return `${got}${next}, ${await stage.valid()}, ${stage.events()}`
    },
  ),
  scenario(
    'the server is busy during the renewal',
    { guards: 'a temporary error of a renewal is no no', expected: 'SERVER_BUSY, no event, then ok, valid' },
    async (stage) => {
      await stage.signIn()
      stage.server.model.expireSessions()
      stage.server.next('renew', ({ sign }) => sign(failureOf('SERVER_BUSY', { retryAfterSeconds: 1 })))
      const got = await stage.outcome('variable', { name: 'secret' })
      const events = stage.events()
      return `${got}, ${events}, then ${await stage.outcome('heartbeat')}, ${await stage.valid()}`
    },
  ),
]

const rejected: Scenario[] = [
  ...(
    [
      'LICENSE_BANNED',
      'SUBSCRIPTION_EXPIRED',
      'HWID_MISMATCH',
      'VERSION_OUTDATED',
      'SESSION_EXPIRED',
      'BRAND_NEW_CODE',
    ] as const
  ).map((code) =>
    scenario(
      `a heartbeat in the background, and the renewal is rejected with ${code}`,
      {
        guards: 'a verified no to a renewal ends the session, once',
        expected: `lost ${code}, not valid`,
        create: background,
      },
      async (stage) => {
        await stage.signIn()
        stage.server.model.renewRejection = code
        stage.server.model.expireSessions()
        await stage.event('lost')
        await settle()
        return `${stage.events()}, ${await stage.valid()}`
      },
    ),
  ),
  scenario(
    'a call, and the renewal is rejected with LICENSE_BANNED',
    {
      guards: 'a verified no to the renewal of a foreground call ends the session, too',
      expected: 'LICENSE_BANNED, lost LICENSE_BANNED, not valid',
    },
    async (stage) => {
      await stage.signIn()
      stage.server.model.renewRejection = 'LICENSE_BANNED'
      stage.server.model.expireSessions()
      const got = await stage.outcome('variable', { name: 'secret' })
      await stage.event('lost')
      return `${got}, ${stage.events()}, ${await stage.valid()}`
    },
  ),
  scenario(
    'an unsigned SESSION_EXPIRED',
    { guards: 'nobody but the server can start a renewal', expected: 'UNSIGNED_RESPONSE, 0 renewals, valid' },
    async (stage) => {
      await stage.signIn()
      const { status, fields } = failureOf('SESSION_EXPIRED')
      stage.server.always('heartbeat', () => ({ status, headers: [], body: Buffer.from(JSON.stringify(fields)) }))
      const got = await stage.outcome('heartbeat')
      return `${got}, ${renewals(stage)}, ${await stage.valid()}`
    },
  ),
]

export const renewalScenarios: Scenario[] = [...renewed, ...rejected]
