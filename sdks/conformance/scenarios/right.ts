import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import type { Answer } from '../contract.ts'
import { type Scenario, scenariosOf } from '../scenario.ts'
import { generation, signingKeys } from '../server/identity.ts'
import { password } from '../server/model.ts'
import { headerOf, withHeader } from '../server/signed-reply.ts'
import { hwid, type Stage } from '../stage.ts'

const scenario = scenariosOf('right')

const told = (answer: Answer, ...names: string[]): string =>
  answer.ok ? JSON.stringify(names.map((name) => inOrder(answer.result[name] ?? null))) : answer.code
/** The order of an object's fields means nothing, and some languages sort them. */
const inOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, inOrder(each)]),
  )
}
const session = (answer: Answer): string => told(answer, 'username', 'subscriptions')
const basic = { level: 1, name: 'Basic', expiresAt: 4_000_000_000 }
const signedInAs = (username: string, ...more: object[]) => JSON.stringify(inOrder([username, [basic, ...more]]))

interface Call {
  name: string
  expected: string
  run: (stage: Stage) => Promise<string>
}

/** Every call of the contract, as a customer would make it. */
const calls: Call[] = [
  {
    name: 'init',
    expected: '["My App","1.0"]',
    run: async (stage) => told(await stage.ask('init'), 'name', 'version'),
  },
  {
    name: 'license',
    expected: signedInAs('KEY-1'),
    run: async (stage) => session(await stage.ask('license', { key: 'KEY-1' })),
  },
  {
    name: 'login',
    expected: signedInAs('Zoë'),
    run: async (stage) => session(await stage.ask('login', { username: 'Zoë', password })),
  },
  {
    name: 'login with a license key',
    expected: `${signedInAs('Zoë')}, key NEW-KEY`,
    run: async (stage) => {
      const got = session(await stage.ask('login', { username: 'Zoë', password, licenseKey: 'NEW-KEY' }))
      return `${got}, key ${String(stage.server.last('login')?.fields?.['licenseKey'])}`
    },
  },
  {
    name: 'login without a license key',
    expected: 'no key',
    run: async (stage) => {
      await stage.ask('login', { username: 'Zoë', password })
      return 'licenseKey' in (stage.server.last('login')?.fields ?? {}) ? 'a key' : 'no key'
    },
  },
  {
    name: 'register',
    expected: `${signedInAs('alice')}, email alice@example.com`,
    run: async (stage) => {
      const fields = { username: 'alice', password, licenseKey: 'NEW-KEY', email: 'alice@example.com' }
      const got = session(await stage.ask('register', fields))
      return `${got}, email ${String(stage.server.last('register')?.fields?.['email'])}`
    },
  },
  {
    name: 'register without an email address',
    expected: signedInAs('alice'),
    run: async (stage) => session(await stage.ask('register', { username: 'alice', password, licenseKey: 'NEW-KEY' })),
  },
  {
    name: 'heartbeat',
    expected: signedInAs('KEY-1'),
    run: async (stage) => {
      await stage.signIn()
      return session(await stage.ask('heartbeat'))
    },
  },
  {
    name: 'upgrade',
    expected: signedInAs('KEY-1', { level: 2, name: 'Pro', expiresAt: null }),
    run: async (stage) => {
      await stage.signIn()
      return session(await stage.ask('upgrade', { licenseKey: 'NEW-KEY' }))
    },
  },
  {
    name: 'variable before signing in',
    expected: '["Olá 🦭"]',
    run: async (stage) => told(await stage.ask('variable', { name: 'greeting' }), 'value'),
  },
  {
    name: 'variable after signing in',
    expected: '["for customers"]',
    run: async (stage) => {
      await stage.signIn()
      return told(await stage.ask('variable', { name: 'secret' }), 'value')
    },
  },
  {
    name: 'user variables',
    expected: 'ok, ["light 🌞"]',
    run: async (stage) => {
      await stage.signIn()
      const set = await stage.outcome('setUserVariable', { name: 'theme', value: 'light 🌞' })
      return `${set}, ${told(await stage.ask('userVariable', { name: 'theme' }), 'value')}`
    },
  },
  {
    name: 'log',
    expected: 'ok, ["it\\n\\"works\\" \\u0007 🦭"]',
    run: async (stage) => {
      const got = await stage.outcome('log', { message: 'it\n"works" \u0007 🦭' })
      return `${got}, ${JSON.stringify([stage.server.last('log')?.fields?.['message']])}`
    },
  },
  {
    name: 'download',
    expected: '["app.zip",300000], the same bytes',
    run: async (stage) => {
      const bytes = randomBytes(300_000)
      stage.server.model.files.set('file-1', { fileName: 'app.zip', bytes })
      const path = join(stage.folder(), 'app.zip')
      const got = told(await stage.ask('download', { fileId: 'file-1', path }), 'fileName', 'size')
      return `${got}, ${readFileSync(path).equals(bytes) ? 'the same bytes' : 'other bytes'}`
    },
  },
  {
    name: 'callWebhook',
    expected: '[202,"{\\"a\\":[1,\\"ü\\",null]}"]',
    run: async (stage) =>
      told(await stage.ask('callWebhook', { webhookId: 'hook-1', params: { a: [1, 'ü', null] } }), 'status', 'body'),
  },
  {
    name: 'changePassword',
    expected: 'ok, new battery staple',
    run: async (stage) => {
      await stage.ask('login', { username: 'Zoë', password })
      const got = await stage.outcome('changePassword', { password, newPassword: 'battery staple' })
      return `${got}, new ${String(stage.server.last('change-password')?.fields?.['newPassword'])}`
    },
  },
  {
    name: 'requestPasswordReset',
    expected: 'ok, for Zoë',
    run: async (stage) => {
      const got = await stage.outcome('requestPasswordReset', { username: 'Zoë' })
      return `${got}, for ${String(stage.server.last('request-password-reset')?.fields?.['username'])}`
    },
  },
  {
    name: 'logout',
    expected: 'ok, not valid, 1 logout',
    run: async (stage) => {
      await stage.signIn()
      const got = await stage.outcome('logout')
      return `${got}, ${await stage.valid()}, ${stage.server.count('logout')} logout`
    },
  },
]

const plainAndSealed = calls.flatMap(({ name, expected, run }) => [
  scenario(name, { guards: `${name} works as docs/protocol.md says`, expected }, run),
  scenario(
    `${name}, sealed`,
    { guards: `${name} works with sealed bodies`, expected: `${expected}; all sealed`, create: { sealRequests: true } },
    async (stage) => {
      const got = await run(stage)
      const posts = stage.server.requests.filter(({ method }) => method === 'POST')
      const keys = new Set(posts.map(({ body }) => body.toString('base64', 0, 32)))
      return `${got}; ${posts.every(({ isSealed }) => isSealed) && keys.size === posts.length ? 'all sealed' : 'not all sealed with keys of their own'}`
    },
  ),
])

const signing: Scenario[] = [
  scenario(
    'the next signing key',
    { guards: 'a rotation of the signing key is accepted, in both directions of the overlap', expected: 'ok, ok, ok' },
    async (stage) => {
      await stage.signIn()
      const outcomes: string[] = []
      for (const n of [1, 0, 1]) {
        stage.server.identity = generation(n)
        outcomes.push(await stage.outcome('heartbeat'))
      }
      return outcomes.join(', ')
    },
  ),
  scenario(
    'another key with the same kid',
    { guards: 'a kid names a key only together with its certificate', expected: 'ok, ok' },
    async (stage) => {
      await stage.signIn()
      const before = stage.server.identity
      const renamed = { ...generation(1), kid: before.kid }
      stage.server.identity = renamed
      const first = await stage.outcome('heartbeat')
      stage.server.identity = { ...renamed, signing: signingKeys[2], serial: renamed.serial }
      return `${first}, ${await stage.outcome('heartbeat')}`
    },
  ),
  scenario(
    'a new certificate for the same key',
    { guards: 'certificates are cached by their text, not by their kid', expected: 'ok' },
    async (stage) => {
      await stage.signIn()
      stage.server.identity = { ...stage.server.identity, notAfter: stage.server.identity.notAfter + 1 }
      return stage.outcome('heartbeat')
    },
  ),
  scenario(
    'many certificates',
    { guards: 'the cache of certificates is bounded and still right', expected: '40 ok' },
    async (stage) => {
      await stage.signIn()
      let good = 0
      for (let n = 0; n < 40; n++) {
        stage.server.identity = { ...stage.server.identity, notAfter: stage.server.identity.notAfter + (n % 20) }
        if ((await stage.outcome('heartbeat')) === 'ok') good += 1
      }
      return `${good} ok`
    },
  ),
  ...(
    [
      [2, 0],
      [2, 1],
      [5, 4],
      [256, 100],
    ] as const
  ).map(([size, at]) =>
    scenario(
      `reply ${at + 1} of a group of ${size}`,
      { guards: 'replies that share a signature are verified by their path', expected: 'ok, valid' },
      async (stage) => {
        stage.server.always('license', ({ honest }) => honest({ group: [size, at] }))
        return `${await stage.outcome('license', { key: 'KEY-1' })}, ${await stage.valid()}`
      },
    ),
  ),
  scenario(
    'an empty path header',
    { guards: 'an empty X-Signet-Path means that the reply was signed alone', expected: 'ok' },
    async (stage) => {
      stage.server.always('license', ({ honest }) => withHeader(honest(), 'x-signet-path', ''))
      return stage.outcome('license', { key: 'KEY-1' })
    },
  ),
  scenario(
    'header names in capital letters',
    { guards: 'header names have no case', expected: 'ok' },
    async (stage) => {
      stage.server.always('license', ({ honest }) => {
        const reply = honest()
        return { ...reply, headers: reply.headers.map(([name, value]) => [name.toUpperCase(), value]) }
      })
      return stage.outcome('license', { key: 'KEY-1' })
    },
  ),
]

const names: [name: string, appName: string][] = [
  ['accents and an emoji', 'Ünïcödé 🦭'],
  ['characters with a meaning in addresses', `100% "a/b" & c?d#e+f;g=h@i:j,k$l`],
  ['marks that stay as they are', "-_.!~*'()"],
  ['right to left, joined, and invisible', 'تطبيق 👩‍💻 a\u200Bb'],
]

const tolerance: Scenario[] = [
  ...names.map(([name, appName]) =>
    scenario(
      `an app name with ${name}`,
      { guards: 'the app name is encoded as encodeURIComponent does', expected: 'ok', create: null },
      async (stage) => {
        stage.server.app = `Ab3dE6gH1j/${encodeURIComponent(appName)}`
        await stage.create({ appName })
        return stage.outcome('license', { key: 'KEY-1' })
      },
    ),
  ),
  scenario(
    'unknown fields and headers',
    { guards: 'a later version of the server may send more', expected: `${signedInAs('KEY-1')}, valid` },
    async (stage) => {
      stage.server.always('license', ({ honest, sign }) => {
        const fields = JSON.parse(honest().body.toString()) as { user: object }
        const more = {
          ...fields,
          user: { ...fields.user, team: { name: 'x', seats: [1] } },
          next: null,
          code: 'NEW_NAME',
        }
        return withHeader(sign({ status: 200, fields: more }), 'x-signet-later', 'yes')
      })
      return `${session(await stage.ask('license', { key: 'KEY-1' }))}, ${await stage.valid()}`
    },
  ),
  scenario(
    'an unknown code',
    { guards: 'a code of a later server reaches the program as it is', expected: 'BRAND_NEW_CODE 403' },
    async (stage) => {
      stage.server.always('license', ({ sign }) =>
        sign({ status: 403, fields: { success: false, message: 'New', code: 'BRAND_NEW_CODE', requestId: 'r' } }),
      )
      const answer = await stage.ask('license', { key: 'KEY-1' })
      return answer.ok ? 'ok' : `${answer.code} ${answer.status}`
    },
  ),
  scenario('a reply of exactly 1 MiB', { guards: 'the limit of 1 MiB is inclusive', expected: 'ok' }, async (stage) => {
    stage.server.always('variable', ({ signBytes }) => {
      const [start, end] = ['{"success":true,"message":"","name":"n","value":"', '"}']
      const filler = 'x'.repeat(1024 * 1024 - start.length - end.length)
      return signBytes(200, start + filler + end)
    })
    return stage.outcome('variable', { name: 'n' })
  }),
  scenario(
    'no user agent of its own is hidden',
    { guards: 'the user agent is signet-<language>/<version>, and init names the same', expected: 'the same' },
    async (stage) => {
      await stage.signIn()
      const agent = stage.server.last('init')?.headers['user-agent'] ?? 'none'
      const sdk = String(stage.server.last('init')?.fields?.['sdk'])
      const isRight = /^signet-[a-z+#]+\/\d+\.\d+\.\d+\S*$/.test(agent) && agent === `signet-${sdk}`
      return isRight ? 'the same' : `user agent ${agent}, sdk ${sdk}`
    },
  ),
  scenario(
    'no compression is asked for',
    { guards: 'a compressed reply could grow without limit', expected: 'none' },
    async (stage) => {
      await stage.signIn()
      const asked = stage.server.requests.map(({ headers }) => String(headers['accept-encoding'] ?? 'identity'))
      const others = asked.filter((each) => each !== 'identity' && each !== '')
      return others[0] ?? 'none'
    },
  ),
  scenario(
    'the hardware ID of the options',
    { guards: "the vendor's own hardware ID is sent as it is", expected: hwid },
    async (stage) => {
      await stage.signIn()
      return String(stage.server.last('license')?.fields?.['hwid'])
    },
  ),
  scenario(
    'a program hash',
    {
      guards: 'the program hash is sent with init',
      expected: 'ab'.repeat(32),
      create: { programHash: 'ab'.repeat(32) },
    },
    async (stage) => {
      await stage.signIn()
      return String(stage.server.last('init')?.fields?.['hash'])
    },
  ),
  scenario(
    'a nonce of its own for each request',
    { guards: 'no two requests share a nonce, and each has at least 16 bytes', expected: '30 of 30' },
    async (stage) => {
      await stage.signIn()
      await Promise.all(Array.from({ length: 28 }, () => stage.ask('variable', { name: 'greeting' })))
      const nonces = stage.server.requests.map(({ nonce }) => nonce)
      return `${new Set(nonces).size} of ${nonces.length}`
    },
  ),
  scenario(
    'the certificate changes with each reply of a burst',
    { guards: 'calls at the same time do not disturb each other', expected: '20 ok' },
    async (stage) => {
      await stage.signIn()
      stage.server.always('variable', (exchange) => {
        const { request, honest } = exchange
        const reply = honest({ group: [3, request.number % 3], notAfter: 4_000_000_000 + (request.number % 5) })
        return headerOf(reply, 'x-signet-key') === '' ? undefined : reply
      })
      const burst = Array.from({ length: 20 }, () => stage.outcome('variable', { name: 'greeting' }))
      const outcomes = await Promise.all(burst)
      return `${outcomes.filter((each) => each === 'ok').length} ok`
    },
  ),
]

export const rightScenarios: Scenario[] = [...plainAndSealed, ...signing, ...tolerance]
