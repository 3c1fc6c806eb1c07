import { type Scenario, scenariosOf } from '../scenario.ts'
import { failureOf } from '../server/model.ts'

const scenario = scenariosOf('hostile')

const user = { username: 'KEY-1', email: null, subscriptions: [], createdAt: 1, lastLoginAt: 1 }
const good = { success: true, message: '', user, expiresAt: 4_000_000_000 }
const json = (fields: object): string => JSON.stringify(fields)
/** The good answer with a raw text in the place of `expiresAt`. */
const withExpiry = (text: string): string =>
  json({ ...good, expiresAt: 0 }).replace('"expiresAt":0', `"expiresAt":${text}`)
const withMore = (text: string): string => `${json(good).slice(0, -1)},"more":${text}}`

const malformed = 'MALFORMED_REPLY, not valid'
const either = [malformed, 'ok, valid']

/** All of them are signed: a server with a fault must not bring a program down. */
const bodies: [name: string, status: number, body: string | Buffer, expected: string | string[]][] = [
  ...[201, 202, 203, 206, 226, 299, 400, 403, 409, 429, 500, 503].map((status): [string, number, string, string] => [
    `a success with the status ${status}`,
    status,
    json(good),
    malformed,
  ]),
  ['success as text', 200, json({ ...good, success: 'true' }), malformed],
  ['success as a number', 200, json({ ...good, success: 1 }), malformed],
  ['no success', 200, json({ message: '', user, expiresAt: 4_000_000_000 }), malformed],
  ['Success with a capital letter', 200, json(good).replace('"success"', '"Success"'), malformed],
  ['a list', 200, `[${json(good)}]`, malformed],
  ['a text', 200, JSON.stringify(json(good)), malformed],
  ['null', 200, 'null', malformed],
  ['an empty body', 200, '', malformed],
  ['two objects', 200, json(good) + json(good), malformed],
  ['NaN', 200, withMore('NaN'), malformed],
  ['a byte order mark', 200, `\u{feff}${json(good)}`, malformed],
  ['invalid UTF-8', 200, Buffer.from(withMore('"\u00FF"'), 'latin1'), malformed],
  ['UTF-16', 200, Buffer.from(json(good), 'utf16le'), malformed],
  ['brackets 100,000 deep', 200, withMore('['.repeat(100_000) + ']'.repeat(100_000)), malformed],
  ['objects 100,000 deep', 200, withMore('{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)), malformed],
  ['500,000 opening brackets', 200, '['.repeat(500_000), malformed],
  ['a number of 900,000 digits', 200, withMore('9'.repeat(900_000)), either],
  ['a number with an exponent of 900,000 digits', 200, withMore(`1e${'9'.repeat(900_000)}`), either],
  ['100,000 fields', 200, withMore(`{${Array.from({ length: 100_000 }, (_, n) => `"${n}":0`).join(',')}}`), either],
  ['400,000 entries', 200, withMore(`[${'0,'.repeat(400_000)}0]`), either],
  ['no user', 200, json({ ...good, user: undefined }), malformed],
  ['a user that is null', 200, json({ ...good, user: null }), malformed],
  ['a user that is a list', 200, json({ ...good, user: [user] }), malformed],
  ['a user without a name', 200, json({ ...good, user: { ...user, username: undefined } }), malformed],
  ['a name that is a number', 200, json({ ...good, user: { ...user, username: 7 } }), malformed],
  ['subscriptions that are an object', 200, json({ ...good, user: { ...user, subscriptions: {} } }), malformed],
  ['a subscription that is null', 200, json({ ...good, user: { ...user, subscriptions: [null] } }), malformed],
  [
    'a level that is text',
    200,
    json({ ...good, user: { ...user, subscriptions: [{ level: '1', name: 'x', expiresAt: null }] } }),
    malformed,
  ],
  ['no expiresAt', 200, json({ ...good, expiresAt: undefined }), malformed],
  ['expiresAt as text', 200, withExpiry('"4000000000"'), malformed],
  ['expiresAt of null', 200, withExpiry('null'), malformed],
  ['expiresAt of 1e400', 200, withExpiry('1e400'), malformed],
  ['expiresAt of a fraction', 200, withExpiry('4000000000.5'), malformed],
  ['expiresAt of 40 digits', 200, withExpiry('9'.repeat(40)), malformed],
  ['a failure without a code', 403, json({ success: false, message: 'x' }), malformed],
  ['a code that is a number', 403, json({ success: false, message: 'x', code: 7 }), malformed],
  ['a code that is a list', 403, json({ success: false, message: 'x', code: ['LICENSE_BANNED'] }), malformed],
]

const signIns: Scenario[] = bodies.map(([name, status, body, expected]) =>
  scenario(
    `${name}, signed`,
    { guards: 'only a success of the protocol, with status 200, is a yes', expected },
    async (stage) => {
      stage.server.always('license', ({ signBytes }) => signBytes(status, body))
      return `${await stage.timed(20, 'license', { key: 'KEY-1' })}, ${await stage.valid()}`
    },
  ),
)

const heartbeats: Scenario[] = (
  [
    ['a success with the status 202', 202, json(good)],
    ['a success with the status 500', 500, json(good)],
    ['a body that is not JSON', 200, 'Alive'],
    ['a failure without a code', 403, json({ success: false, message: 'x' })],
    ['brackets 100,000 deep', 200, '['.repeat(100_000) + ']'.repeat(100_000)],
  ] as const
).map(([name, status, body]) =>
  scenario(
    `a heartbeat with ${name}, signed`,
    { guards: 'an unreadable answer is neither a yes nor a no', expected: 'MALFORMED_REPLY, valid, no event, then ok' },
    async (stage) => {
      await stage.signIn()
      stage.server.next('heartbeat', ({ signBytes }) => signBytes(status, body))
      const got = await stage.outcome('heartbeat')
      return `${got}, ${await stage.valid()}, ${stage.events()}, then ${await stage.outcome('heartbeat')}`
    },
  ),
)

const tokens: [name: string, session: unknown][] = [
  ['that is missing', undefined],
  ['that is null', null],
  ['that is a number', 7],
  ['that is empty', ''],
  ['with a line end and a header', `${'A'.repeat(43)}\r\nX-Evil: 1`],
  ['outside ASCII', 'é'.repeat(43)],
  ['of 100,000 characters', 'A'.repeat(100_000)],
  ['that is a list', ['A'.repeat(43)]],
]
const sessions: Scenario[] = tokens.map(([name, session]) =>
  scenario(
    `a session token ${name}, signed`,
    { guards: 'what init returns is put into no header unless it is a token', expected: 'MALFORMED_REPLY, 0 sign-ins' },
    async (stage) => {
      const app = { name: 'My App', version: '1.0', webloaderUrl: null }
      stage.server.always('init', ({ sign }) =>
        sign({ status: 200, fields: { success: true, message: '', session, expiresAt: 4_000_000_000, app } }),
      )
      return `${await stage.outcome('license', { key: 'KEY-1' })}, ${stage.server.count('license')} sign-ins`
    },
  ),
)

const waits: Scenario[] = (
  [
    ['"5"', 'none'],
    ['-5', 'none'],
    ['1e400', 'none'],
    ['true', 'none'],
    ['0.5', '0.5'],
    ['30', '30'],
  ] as const
).map(([text, expected]) =>
  scenario(
    `retryAfterSeconds of ${text}`,
    { guards: 'the time to wait is a positive number or absent', expected: `RATE_LIMITED, ${expected}` },
    async (stage) => {
      stage.server.always('license', ({ signBytes }) => {
        const { fields } = failureOf('RATE_LIMITED', { retryAfterSeconds: 0 })
        return signBytes(429, json(fields).replace('"retryAfterSeconds":0', `"retryAfterSeconds":${text}`))
      })
      const answer = await stage.ask('license', { key: 'KEY-1' })
      return answer.ok ? 'ok' : `${answer.code}, ${answer.retryAfter ?? 'none'}`
    },
  ),
)

export const hostileBodyScenarios: Scenario[] = [...signIns, ...heartbeats, ...sessions, ...waits]
