import { type Scenario, scenariosOf } from '../scenario.ts'
import { failureOf } from '../server/model.ts'
import type { Stage } from '../stage.ts'

const scenario = scenariosOf('hostile')

const requests = (stage: Stage, call: string): string => {
  const count = stage.server.count(call)
  return `${count} request${count === 1 ? '' : 's'}`
}

export const hostileTimeScenarios: Scenario[] = [
  ...[61_500, -61_500, 3_600_000, -3_600_000].map((offset) =>
    scenario(
      `a sign-in answered ${offset / 1000} s off`,
      {
        guards: 'an answer of another time signs nobody in, and the sign-in is not sent again',
        expected: 'STALE_RESPONSE, not valid, 1 request',
      },
      async (stage) => {
        stage.server.always('license', ({ honest, server }) => honest({ serverTime: server.now() + offset }))
        const got = await stage.outcome('license', { key: 'KEY-1' })
        return `${got}, ${await stage.valid()}, ${requests(stage, 'license')}`
      },
    ),
  ),
  scenario(
    'a heartbeat whose time is always off',
    {
      guards: 'the clock is corrected once in a call, not for ever',
      expected: 'STALE_RESPONSE, 2 requests, valid, no event',
    },
    async (stage) => {
      await stage.signIn()
      let offset = 0
      stage.server.always('heartbeat', ({ sign, server }) => {
        offset += 300_000
        return sign({ status: 200, fields: { success: true, message: '' } }, { serverTime: server.now() + offset })
      })
      return `${await stage.outcome('heartbeat')}, ${requests(stage, 'heartbeat')}, ${await stage.valid()}, ${stage.events()}`
    },
  ),
  scenario(
    'CLOCK_SKEW for ever',
    {
      guards: 'CLOCK_SKEW is answered once in a call, and is no no',
      expected: 'CLOCK_SKEW, 2 requests, valid, no event',
    },
    async (stage) => {
      await stage.signIn()
      stage.server.always('heartbeat', ({ sign }) => sign(failureOf('CLOCK_SKEW')))
      return `${await stage.outcome('heartbeat')}, ${requests(stage, 'heartbeat')}, ${await stage.valid()}, ${stage.events()}`
    },
  ),
  scenario(
    'NONCE_REUSED for ever',
    {
      guards: 'NONCE_REUSED is answered once in a call, and is no no',
      expected: 'NONCE_REUSED, 2 requests, valid, no event',
    },
    async (stage) => {
      await stage.signIn()
      stage.server.always('heartbeat', ({ sign }) => sign(failureOf('NONCE_REUSED')))
      return `${await stage.outcome('heartbeat')}, ${requests(stage, 'heartbeat')}, ${await stage.valid()}, ${stage.events()}`
    },
  ),
  scenario(
    'CLOCK_SKEW and NONCE_REUSED in turn',
    { guards: 'at most three requests in one call', expected: 'at most 3 requests, valid, no event' },
    async (stage) => {
      await stage.signIn()
      stage.server.always('heartbeat', ({ sign, request }) =>
        sign(failureOf(request.number % 2 === 1 ? 'CLOCK_SKEW' : 'NONCE_REUSED')),
      )
      await stage.outcome('heartbeat')
      const count = stage.server.count('heartbeat')
      return `${count <= 3 ? 'at most 3' : count} requests, ${await stage.valid()}, ${stage.events()}`
    },
  ),
  scenario(
    'NONCE_REUSED for a call that changes something',
    { guards: 'a call that may have been done is not sent again', expected: 'NONCE_REUSED, 1 request' },
    async (stage) => {
      await stage.signIn()
      stage.server.always('log', ({ sign }) => sign(failureOf('NONCE_REUSED')))
      return `${await stage.outcome('log', { message: 'x' })}, ${requests(stage, 'log')}`
    },
  ),
  scenario(
    'another 400 of another time',
    { guards: 'only CLOCK_SKEW may be of any time', expected: 'STALE_RESPONSE, valid, no event' },
    async (stage) => {
      await stage.signIn()
      stage.server.always('log', ({ sign, server }) =>
        sign(failureOf('MALFORMED_REQUEST'), { serverTime: server.now() + 3_600_000 }),
      )
      return `${await stage.outcome('log', { message: 'x' })}, ${await stage.valid()}, ${stage.events()}`
    },
  ),
  scenario(
    'CLOCK_SKEW with another status',
    { guards: 'only the status 400 exempts CLOCK_SKEW from the check of the time', expected: 'STALE_RESPONSE' },
    async (stage) => {
      await stage.signIn()
      stage.server.always('log', ({ sign, server }) =>
        sign(failureOf('CLOCK_SKEW', {}, 403), { serverTime: server.now() + 3_600_000 }),
      )
      return stage.outcome('log', { message: 'x' })
    },
  ),
  scenario(
    'CLOCK_SKEW with an ended certificate',
    { guards: 'the exemption covers the time only, not the certificate', expected: 'UNKNOWN_KEY' },
    async (stage) => {
      await stage.signIn()
      const notAfter = Math.floor(Date.now() / 1000) + 100
      stage.server.always('log', ({ sign, server }) =>
        sign(failureOf('CLOCK_SKEW'), { serverTime: server.now() + 3_600_000, notAfter }),
      )
      return stage.outcome('log', { message: 'x' })
    },
  ),
  ...['1e12', '17500000000400000', '+1750000000040', '-1', '0x10', ' '].map((serverTime) =>
    scenario(
      `a signed time of ${JSON.stringify(serverTime)}`,
      {
        guards: 'a time is 1 to 15 digits',
        expected: serverTime === ' ' ? ['UNSIGNED_RESPONSE', 'BAD_SIGNATURE'] : 'BAD_SIGNATURE',
      },
      async (stage) => {
        await stage.signIn()
        stage.server.always('heartbeat', ({ honest }) => honest({ serverTime }))
        return stage.outcome('heartbeat')
      },
    ),
  ),
]
