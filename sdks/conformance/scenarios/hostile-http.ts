import { type Scenario, scenariosOf } from '../scenario.ts'
import { bytesOf, type WireReply, withHeader } from '../server/signed-reply.ts'
import { misframed } from './hostile-framing.ts'
import { oversized } from './hostile-sizes.ts'

const scenario = scenariosOf('hostile')

/** Of a call while signed in: the session stays, and the next call works. */
const broken: Scenario[] = [...oversized, ...misframed].map(
  ({ name, guards, script, expected = 'NETWORK', endsAtDeadline = false }) =>
    scenario(
      name,
      {
        guards,
        expected: (Array.isArray(expected) ? expected : [expected]).map((code) => `${code}, valid, no event, then ok`),
        // Much longer than it takes to see that the answer is none.
        create: { timeout: endsAtDeadline ? 6 : 25 },
      },
      async (stage) => {
        await stage.signIn()
        // Not repeatable, so that a client does not ask again by itself.
        stage.server.always('log', script)
        const got = await stage.timed(12, 'log', { message: 'x' })
        const kept = `${await stage.valid()}, ${stage.events()}`
        stage.server.beHonest()
        return `${got}, ${kept}, then ${await stage.outcome('variable', { name: 'secret' })}`
      },
    ),
)

const redirectStatuses = [301, 302, 303, 307, 308]
const redirectsAway: Scenario[] = redirectStatuses.map((status) =>
  scenario(
    `a redirect ${status} to another server`,
    {
      guards: 'redirects are not followed: a request is for one server',
      expected: ['NETWORK, 0 followed, not valid', 'UNSIGNED_RESPONSE, 0 followed, not valid'],
    },
    async (stage) => {
      const other = await stage.otherServer()
      stage.server.always('license', ({ request }) => redirect(status, other.url + request.path))
      const got = await stage.outcome('license', { key: 'KEY-1' })
      return `${got}, ${other.requests.length} followed, ${await stage.valid()}`
    },
  ),
)
const redirectsBack: Scenario[] = [301, 307, 308].map((status) =>
  scenario(
    `a redirect ${status} to itself`,
    {
      guards: 'redirects are not followed, not even on the same server',
      expected: ['NETWORK, 1 request', 'UNSIGNED_RESPONSE, 1 request'],
    },
    async (stage) => {
      stage.server.next('license', ({ request }) => redirect(status, request.path))
      const got = await stage.outcome('license', { key: 'KEY-1' })
      return `${got}, ${stage.server.count('license')} request`
    },
  ),
)
const redirect = (status: number, location: string): WireReply => ({
  status,
  headers: [['location', location]],
  body: Buffer.alloc(0),
})

const signedRedirect = scenario(
  'a signed redirect',
  {
    guards: 'redirects are not followed, not even signed ones',
    expected: ['MALFORMED_REPLY, 0 followed', 'NETWORK, 0 followed', 'UNSIGNED_RESPONSE, 0 followed'],
  },
  async (stage) => {
    const other = await stage.otherServer()
    stage.server.always('license', ({ signBytes, request }) =>
      withHeader(signBytes(307, '{"success":true,"message":""}'), 'location', other.url + request.path),
    )
    return `${await stage.outcome('license', { key: 'KEY-1' })}, ${other.requests.length} followed`
  },
)

const smuggled: Scenario[] = [
  scenario(
    'a second answer behind the first',
    {
      guards: 'bytes behind an answer are not the answer to the next call',
      expected: ['ok, ok', 'ok, BAD_SIGNATURE', 'ok, NETWORK'],
    },
    async (stage) => {
      await stage.signIn()
      stage.server.next('variable', ({ honest, signBytes, socket }) => {
        const forged = signBytes(200, '{"success":true,"message":"","name":"secret","value":"forged"}')
        socket.write(Buffer.concat([bytesOf(honest()), bytesOf(forged)]))
        return undefined
      })
      const first = await stage.outcome('variable', { name: 'secret' })
      const answer = await stage.ask('variable', { name: 'secret' })
      if (answer.ok && answer.result['value'] !== 'for customers') return `${first}, ${String(answer.result['value'])}`
      return `${first}, ${answer.ok ? 'ok' : answer.code}`
    },
  ),
  scenario('cookies', { guards: 'cookies are neither kept nor sent', expected: 'ok, none' }, async (stage) => {
    stage.server.next('init', ({ honest }) => withHeader(honest(), 'set-cookie', 'track=1; Path=/'))
    stage.server.next('license', ({ honest }) => withHeader(honest(), 'set-cookie', 'track=2; Max-Age=999999'))
    await stage.signIn()
    const got = await stage.outcome('heartbeat')
    return `${got}, ${stage.server.requests.map(({ headers }) => headers.cookie).find(Boolean) ?? 'none'}`
  }),
  scenario(
    'another service named by Alt-Svc',
    { guards: 'a client stays with the server of its configuration', expected: 'ok, ok, 0 elsewhere' },
    async (stage) => {
      const other = await stage.otherServer()
      stage.server.always('license', ({ honest }) =>
        withHeader(honest(), 'alt-svc', `h2="127.0.0.1:${other.port}"; ma=86400`),
      )
      await stage.signIn()
      const outcomes = [await stage.outcome('heartbeat'), await stage.outcome('heartbeat')]
      return `${outcomes.join(', ')}, ${other.requests.length} elsewhere`
    },
  ),
]

export const hostileHttpScenarios: Scenario[] = [
  ...broken,
  ...redirectsAway,
  ...redirectsBack,
  signedRedirect,
  ...smuggled,
]
