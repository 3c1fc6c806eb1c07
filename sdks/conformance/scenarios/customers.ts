import { type Scenario, scenariosOf } from '../scenario.ts'
import { failureOf, password } from '../server/model.ts'
import { pause } from '../pause.ts'
import type { Stage } from '../stage.ts'

const scenario = scenariosOf('customers')
const background = { heartbeatInterval: 0.2, grace: 30, timeout: 5 }

const state = async (stage: Stage): Promise<string> => `${await stage.valid()}, ${stage.events()}`
/** Waits until what would come twice has had the time to. */
const settle = (): Promise<void> => pause(800)

/** What customers type and press. */
export const customerScenarios: Scenario[] = [
  ...(
    [
      ['a wrong key', 'license', { key: 'WRONG' }, 'LICENSE_NOT_FOUND'],
      ['a banned key', 'license', { key: 'BANNED-KEY' }, 'LICENSE_BANNED'],
      ['a wrong password', 'login', { username: 'alice', password: 'wrong' }, 'INVALID_CREDENTIALS'],
      [
        'a key to register that does not exist',
        'register',
        { username: 'bob', password, licenseKey: 'WRONG' },
        'LICENSE_NOT_FOUND',
      ],
    ] as const
  ).map(([what, name, fields, code]) =>
    scenario(
      `${what} while signed in`,
      {
        guards: 'a new sign-in replaces the session only when it succeeds',
        expected: `${code}, valid, no event, heartbeats go on, ok`,
        create: background,
      },
      async (stage) => {
        await stage.signIn()
        const token = stage.server.last('license')?.session
        const got = await stage.outcome(name, fields)
        const after = await state(stage)
        const isGoingOn = await stage.moreRequests('heartbeat', 2)
        const isSame = stage.server.last('heartbeat')?.session === token
        const heartbeats = isGoingOn && isSame ? 'heartbeats go on' : 'no heartbeats of the old session'
        return `${got}, ${after}, ${heartbeats}, ${await stage.outcome('variable', { name: 'secret' })}`
      },
    ),
  ),
  scenario(
    'an unreachable server while a key is typed',
    { guards: 'a sign-in that was not answered leaves the session alone', expected: 'NETWORK, valid, then ok' },
    async (stage) => {
      await stage.signIn()
      stage.server.always('license', ({ socket }) => (socket.destroy(), undefined))
      const got = await stage.outcome('license', { key: 'KEY-2' })
      return `${got}, ${await stage.valid()}, then ${await stage.outcome('heartbeat')}`
    },
  ),
  scenario(
    'another key while signed in',
    {
      guards: 'a new sign-in logs the old session out, quietly',
      expected: 'KEY-2, valid, no event, the old one is logged out',
    },
    async (stage) => {
      await stage.signIn()
      const token = stage.server.last('license')?.session
      const answer = await stage.ask('license', { key: 'KEY-2' })
      const isOut = await stage.until(() => stage.server.count('logout') > 0)
      const isOld = stage.server.last('logout')?.session === token
      const name = answer.ok ? String(answer.result['username']) : answer.code
      return `${name}, ${await state(stage)}, ${isOut && isOld ? 'the old one is logged out' : 'no logout of the old one'}`
    },
  ),
  scenario(
    'another key while signed in, and the logout of the old session hangs',
    { guards: 'the logout of the old session delays nothing', expected: 'ok, ok', create: { timeout: 20 } },
    async (stage) => {
      await stage.signIn()
      stage.server.always('logout', () => new Promise(() => {}))
      const first = await stage.timed(8, 'license', { key: 'KEY-2' })
      return `${first}, ${await stage.timed(8, 'heartbeat')}`
    },
  ),
  scenario(
    'init before the sign-in',
    { guards: 'an init of the program is used by the sign-in', expected: 'ok, ok, 1 init' },
    async (stage) => {
      const outcomes = [await stage.outcome('init'), await stage.outcome('license', { key: 'KEY-1' })]
      return `${outcomes.join(', ')}, ${stage.server.count('init')} init`
    },
  ),
  ...(
    [
      ['license', 'license', (key: string) => ({ key }), 'key'],
      ['register', 'register', (licenseKey: string) => ({ username: 'alice', password, licenseKey }), 'licenseKey'],
      ['login', 'login', (licenseKey: string) => ({ username: 'alice', password, licenseKey }), 'licenseKey'],
      ['upgrade', 'upgrade', (licenseKey: string) => ({ licenseKey }), 'licenseKey'],
    ] as const
  ).map(([call, name, fieldsOf, field]) =>
    scenario(
      `a pasted key in ${name}`,
      { guards: 'white space and invisible characters around a key are left out', expected: '"AB\\u200bCD 12"' },
      async (stage) => {
        if (name === 'upgrade') await stage.signIn()
        await stage.ask(name, fieldsOf('\uFEFF \u200B\u00A0\tAB\u200BCD 12\u2028\u2060\u202C\r\n'))
        const sent = stage.server.last(call)?.fields?.[field]
        return JSON.stringify(sent).replaceAll('\u200B', String.raw`\u200b`)
      },
    ),
  ),
  scenario(
    'a password with white space',
    { guards: 'passwords and names are sent as they were typed', expected: '" correct horse " " alice "' },
    async (stage) => {
      await stage.ask('login', { username: ' alice ', password: ' correct horse ' })
      const { username, password: sent } = stage.server.last('login')?.fields ?? {}
      return `${JSON.stringify(sent)} ${JSON.stringify(username)}`
    },
  ),
  ...(['RATE_LIMITED', 'LOGIN_COOLDOWN', 'SERVER_BUSY'] as const).map((code) =>
    scenario(
      `${code} with a time to wait`,
      { guards: 'a call never sleeps by itself: the program decides', expected: `${code}, 2 s, 1 request` },
      async (stage) => {
        stage.server.always('license', ({ sign }) => sign(failureOf(code, { retryAfterSeconds: 2 })))
        const answer = await stage.ask('license', { key: 'KEY-1' })
        const got = answer.ok ? 'ok' : `${answer.code}, ${answer.retryAfter ?? 'no'} s`
        return `${got}, ${stage.server.count('license')} request`
      },
    ),
  ),
  ...['heartbeat', 'userVariable', 'setUserVariable', 'upgrade', 'changePassword'].map((name) =>
    scenario(
      `${name} before signing in`,
      { guards: 'a call that needs a session asks nothing without one', expected: 'SESSION_REQUIRED, 0 requests' },
      async (stage) => {
        const fields = { name: 'n', value: 'v', licenseKey: 'X', password, newPassword: 'battery staple' }
        return `${await stage.outcome(name, fields)}, ${stage.server.requests.length} requests`
      },
    ),
  ),
  scenario(
    'logout without a session',
    { guards: 'logout twice is no error', expected: 'ok, ok, ok, 1 logout' },
    async (stage) => {
      const first = await stage.outcome('logout')
      await stage.signIn()
      const others = [await stage.outcome('logout'), await stage.outcome('logout')]
      return `${first}, ${others.join(', ')}, ${stage.server.count('logout')} logout`
    },
  ),
  scenario(
    'heartbeats after logout',
    {
      guards: 'logout ends the heartbeats, without an event',
      expected: 'ok, not valid, no event, 0 more',
      create: background,
    },
    async (stage) => {
      await stage.signIn()
      await stage.moreRequests('heartbeat', 1)
      const got = await stage.outcome('logout')
      const before = stage.server.count('heartbeat')
      await settle()
      const more = stage.server.count('heartbeat') - before
      return `${got}, ${await state(stage)}, ${more <= 1 ? 0 : more} more`
    },
  ),
]
