import { codes } from '../codes-file.ts'
import { type Scenario, scenariosOf } from '../scenario.ts'
import { failureOf, password } from '../server/model.ts'
import { pause } from '../pause.ts'
import type { Stage } from '../stage.ts'

const scenario = scenariosOf('customers')
const background = { heartbeatInterval: 0.2, grace: 30, timeout: 5 }

const state = async (stage: Stage): Promise<string> => `${await stage.valid()}, ${stage.events()}`
/** Waits until what would come twice has had the time to. */
const settle = (): Promise<void> => pause(800)

const noes = [
  'LICENSE_BANNED',
  'USER_BANNED',
  'USER_PAUSED',
  'SUBSCRIPTION_EXPIRED',
  'SUBSCRIPTION_PAUSED',
  'SESSION_ENDED',
  'SESSION_REPLACED',
  'APP_DISABLED',
  'OWNER_BANNED',
]

const bans: Scenario[] = [
  ...noes.map((code) =>
    scenario(
      `${code} in a heartbeat in the background`,
      {
        guards: 'a verified no ends the session, exactly once',
        expected: `lost ${code}, not valid, then ${code}`,
        create: background,
      },
      async (stage) => {
        await stage.signIn()
        stage.server.always('heartbeat', ({ sign }) => sign(failureOf(code)))
        await stage.event('lost')
        await settle()
        const events = stage.events()
        const valid = await stage.valid()
        const answer = await stage.ask('heartbeat')
        const then = answer.ok ? 'ok' : answer.code
        // A client may report the loss, or that nobody is signed in any more.
        return `${events}, ${valid}, then ${then === 'SESSION_REQUIRED' ? code : then}`
      },
    ),
  ),
  scenario(
    'an unknown no in a heartbeat in the background',
    {
      guards: 'a code of a later server ends the session, too',
      expected: 'lost BRAND_NEW_CODE, not valid',
      create: background,
    },
    async (stage) => {
      await stage.signIn()
      stage.server.always('heartbeat', ({ sign }) => sign(failureOf('BRAND_NEW_CODE', {}, 403)))
      await stage.event('lost')
      await settle()
      return `${stage.events()}, ${await stage.valid()}`
    },
  ),
  scenario(
    'LICENSE_BANNED in a heartbeat that the program asks for',
    { guards: 'a no is a no whoever asks', expected: 'LICENSE_BANNED, lost LICENSE_BANNED, not valid' },
    async (stage) => {
      await stage.signIn()
      stage.server.model.userRejection = 'LICENSE_BANNED'
      const got = await stage.outcome('heartbeat')
      await stage.event('lost')
      await settle()
      return `${got}, ${stage.events()}, ${await stage.valid()}`
    },
  ),
  scenario(
    'no heartbeat after a loss',
    { guards: 'a session that is lost is asked for no more', expected: '0 more', create: background },
    async (stage) => {
      await stage.signIn()
      stage.server.model.userRejection = 'LICENSE_BANNED'
      await stage.event('lost')
      await settle()
      const before = stage.server.count('heartbeat')
      await settle()
      return `${stage.server.count('heartbeat') - before} more`
    },
  ),
  scenario(
    'a new sign-in after a loss',
    {
      guards: 'a customer can sign in again without a restart',
      expected: 'lost USER_PAUSED, ok, valid',
      create: background,
    },
    async (stage) => {
      await stage.signIn()
      stage.server.model.userRejection = 'USER_PAUSED'
      const event = await stage.event('lost')
      stage.server.model.userRejection = undefined
      const got = await stage.outcome('license', { key: 'KEY-2' })
      await stage.moreRequests('heartbeat', 2)
      return `${event}, ${got}, ${await stage.valid()}`
    },
  ),
  scenario(
    'an upgrade after SUBSCRIPTION_EXPIRED',
    {
      guards: 'a customer whose time has ended can renew without a restart',
      expected: 'lost SUBSCRIPTION_EXPIRED, LICENSE_NOT_FOUND, not valid, ok, valid, 1 init',
      create: background,
    },
    async (stage) => {
      await stage.signIn()
      stage.server.model.userRejection = 'SUBSCRIPTION_EXPIRED'
      const event = await stage.event('lost')
      const typo = await stage.outcome('upgrade', { licenseKey: 'TYPO' })
      const before = await stage.valid()
      const got = await stage.outcome('upgrade', { licenseKey: 'NEW-KEY' })
      await stage.moreRequests('heartbeat', 2)
      return `${event}, ${typo}, ${before}, ${got}, ${await stage.valid()}, ${stage.server.count('init')} init`
    },
  ),
  ...['USER_BANNED', 'LICENSE_BANNED', 'SUBSCRIPTION_PAUSED'].map((code) =>
    scenario(
      `an upgrade after ${code}`,
      {
        guards: 'a new key buys off no ban and no pause',
        expected: `${code}, not valid, lost ${code}`,
        create: background,
      },
      async (stage) => {
        await stage.signIn()
        stage.server.model.userRejection = code
        await stage.event('lost')
        const got = await stage.outcome('upgrade', { licenseKey: 'NEW-KEY' })
        return `${got}, ${await state(stage)}`
      },
    ),
  ),
  scenario(
    'two losses of two sessions',
    { guards: 'each session is lost once', expected: 'lost LICENSE_BANNED, lost USER_BANNED', create: background },
    async (stage) => {
      await stage.signIn()
      stage.server.model.userRejection = 'LICENSE_BANNED'
      await stage.event('lost')
      stage.server.model.userRejection = undefined
      await stage.signIn()
      stage.server.model.userRejection = 'USER_BANNED'
      await stage.until(() => stage.program.events.length >= 2)
      await settle()
      return stage.events()
    },
  ),
]

/** Calls whose errors are about what the customer typed. */
const aboutInput: [call: string, name: string, fields: Record<string, unknown>][] = [
  ['upgrade', 'upgrade', { licenseKey: 'X' }],
  ['request-password-reset', 'requestPasswordReset', { username: 'Zoë' }],
]

/** Calls made in the session, with a verified error of each kind. */
const inSession: [call: string, name: string, fields: Record<string, unknown>][] = [
  ['variable', 'variable', { name: 'secret' }],
  ['user-variable', 'userVariable', { name: 'theme' }],
  ['set-user-variable', 'setUserVariable', { name: 'n', value: 'v' }],
  ['log', 'log', { message: 'x' }],
  ['call-webhook', 'callWebhook', { webhookId: 'hook-1', params: {} }],
  ['download', 'download', { fileId: 'file-1', path: '/nonexistent/x' }],
  ['change-password', 'changePassword', { password, newPassword: 'battery staple' }],
]
const verdicts: Scenario[] = [
  ...inSession.map(([call, name, fields]) =>
    scenario(
      `USER_BANNED in ${name}`,
      {
        guards: 'a call made in the session ends it when the customer is banned',
        expected: 'USER_BANNED, not valid, lost USER_BANNED',
      },
      async (stage) => {
        await stage.signIn()
        stage.server.always(call, ({ sign }) => sign(failureOf('USER_BANNED')))
        const got = await stage.outcome(name, fields)
        await stage.event('lost')
        return `${got}, ${await state(stage)}`
      },
    ),
  ),
  ...Object.entries(codes)
    .filter(([code, { verdict }]) => verdict === 'lost' && code !== 'USER_BANNED')
    .map(([code]) =>
      scenario(
        `${code} in variable`,
        {
          guards: 'the codes with the verdict lost end the session in a call made in it',
          expected: `${code}, not valid, lost ${code}`,
        },
        async (stage) => {
          await stage.signIn()
          stage.server.always('variable', ({ sign }) => sign(failureOf(code)))
          const got = await stage.outcome('variable', { name: 'secret' })
          await stage.event('lost')
          return `${got}, ${await state(stage)}`
        },
      ),
    ),
  scenario(
    'every other verified error in variable',
    { guards: 'an error about what was asked leaves the session alone', expected: 'all as they are, valid, no event' },
    async (stage) => {
      await stage.signIn()
      const others = Object.entries(codes).filter(([code, { verdict }]) => {
        return (
          (verdict === 'request' || verdict === 'temporary') && code !== 'SESSION_EXPIRED' && code in repeatableCodes
        )
      })
      const wrong: string[] = []
      for (const [code] of others) {
        stage.server.beHonest()
        stage.server.always('variable', ({ sign }) => sign(failureOf(code)))
        const got = await stage.outcome('variable', { name: 'secret' })
        if (got !== code) wrong.push(`${code} became ${got}`)
      }
      return `${wrong.length === 0 ? 'all as they are' : wrong.join(', ')}, ${await state(stage)}`
    },
  ),
  scenario(
    'an unknown no in variable',
    { guards: 'an unknown code ends a session only in a heartbeat', expected: 'BRAND_NEW_CODE, valid, no event' },
    async (stage) => {
      await stage.signIn()
      stage.server.always('variable', ({ sign }) => sign(failureOf('BRAND_NEW_CODE', {}, 403)))
      return `${await stage.outcome('variable', { name: 'secret' })}, ${await state(stage)}`
    },
  ),
  ...['RATE_LIMITED', 'LOGIN_COOLDOWN', 'SERVER_BUSY', 'MAINTENANCE', 'DATABASE_UNAVAILABLE', 'INTERNAL_ERROR'].map(
    (code) =>
      scenario(
        `${code} in a heartbeat`,
        { guards: 'a temporary error says nothing about the license', expected: `${code}, valid, no event, then ok` },
        async (stage) => {
          await stage.signIn()
          stage.server.next('heartbeat', ({ sign }) => sign(failureOf(code, { retryAfterSeconds: 1 })))
          const got = await stage.outcome('heartbeat')
          return `${got}, ${await state(stage)}, then ${await stage.outcome('heartbeat')}`
        },
      ),
  ),
  scenario(
    'an unknown error with the status 503 in a heartbeat',
    { guards: 'an unknown code counts by its status', expected: 'BRAND_NEW_CODE, valid, no event' },
    async (stage) => {
      await stage.signIn()
      stage.server.always('heartbeat', ({ sign }) => sign(failureOf('BRAND_NEW_CODE', {}, 503)))
      return `${await stage.outcome('heartbeat')}, ${await state(stage)}`
    },
  ),
  ...aboutInput.flatMap(([call, name, fields]) => [
    ...['LICENSE_BANNED', 'USER_BANNED', 'SUBSCRIPTION_EXPIRED', 'LICENSE_NOT_FOUND'].map((code) =>
      scenario(
        `${code} in ${call}`,
        {
          guards: 'an error about the key or the name that was typed leaves the session alone',
          expected: `${code}, valid, no event`,
        },
        async (stage) => {
          await stage.signIn()
          stage.server.always(call, ({ sign }) => sign(failureOf(code)))
          return `${await stage.outcome(name, fields)}, ${await state(stage)}`
        },
      ),
    ),
    scenario(
      `SESSION_ENDED in ${call}`,
      {
        guards: 'the end of the session ends it, whatever was asked',
        expected: 'SESSION_ENDED, not valid, lost SESSION_ENDED',
      },
      async (stage) => {
        await stage.signIn()
        stage.server.always(call, ({ sign }) => sign(failureOf('SESSION_ENDED')))
        const got = await stage.outcome(name, fields)
        await stage.event('lost')
        return `${got}, ${await state(stage)}`
      },
    ),
  ]),
]
/** Codes of the server that are raised as they are: the others start something, or are the client's own. */
const repeatableCodes: Record<string, true> = Object.fromEntries(
  Object.keys(codes)
    .filter((code) => failureOf(code).fields['message'] !== 'Something new happened')
    .filter((code) => code !== 'CLOCK_SKEW' && code !== 'NONCE_REUSED')
    .map((code) => [code, true]),
)

export const lossScenarios: Scenario[] = [...bans, ...verdicts]
