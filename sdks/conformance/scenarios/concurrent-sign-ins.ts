import { pause } from '../pause.ts'
import { type Scenario, scenariosOf } from '../scenario.ts'
import { failureOf } from '../server/model.ts'
import type { Exchange } from '../server/scripted-server.ts'
import type { WireReply } from '../server/signed-reply.ts'

const scenario = scenariosOf('customers')
const background = { heartbeatInterval: 0.2, grace: 30, timeout: 10 }

/** Signs in, and ends the user's other sessions, as the real server does for an app with one session per user. */
function signInAlone({ honest, request, server }: Exchange): WireReply {
  const reply = honest()
  for (const [token, session] of server.model.sessions) {
    if (token !== request.session && session.username !== undefined) session.endedCode = 'SESSION_REPLACED'
  }
  return reply
}

export const concurrentSignInScenarios: Scenario[] = [
  scenario(
    'two sign-ins at once',
    {
      guards: 'the session that the server kept is the one that the client keeps',
      expected: 'ok, ok, then ok, valid, no event',
    },
    async (stage) => {
      stage.server.next('license', async (exchange) => {
        const reply = signInAlone(exchange)
        // The other answer would come first.
        await pause(500)
        return reply
      })
      stage.server.always('license', signInAlone)
      const both = await Promise.all(['KEY-1', 'KEY-1'].map((key) => stage.outcome('license', { key })))
      return `${both.join(', ')}, then ${await stage.outcome('heartbeat')}, ${await stage.valid()}, ${stage.events()}`
    },
  ),
  scenario(
    'heartbeats during another sign-in',
    {
      guards: 'a session that was replaced by the sign-in under way is not lost',
      expected: 'ok, valid, no event',
      create: background,
    },
    async (stage) => {
      await stage.signIn()
      stage.server.next('license', async (exchange) => {
        const reply = signInAlone(exchange)
        await pause(1000)
        return reply
      })
      const got = await stage.outcome('license', { key: 'KEY-1' })
      await stage.moreRequests('heartbeat', 2)
      return `${got}, ${await stage.valid()}, ${stage.events()}`
    },
  ),
  scenario(
    'the session ends during a sign-in that fails',
    {
      guards: 'a loss that was heard during a sign-in is reported after it',
      expected: 'LICENSE_NOT_FOUND, lost SESSION_ENDED, not valid',
      create: background,
    },
    async (stage) => {
      await stage.signIn()
      stage.server.next('license', async ({ sign, server }) => {
        server.model.endSessions('SESSION_ENDED')
        await pause(1000)
        return sign(failureOf('LICENSE_NOT_FOUND'))
      })
      const got = await stage.outcome('license', { key: 'TYPO' })
      return `${got}, ${await stage.event('lost')}, ${await stage.valid()}`
    },
  ),
  scenario(
    'a logout during an upgrade after SUBSCRIPTION_EXPIRED',
    {
      guards: 'an upgrade signs nobody in who has logged out meanwhile',
      expected: 'ok, ok, not valid, SESSION_REQUIRED',
    },
    async (stage) => {
      await stage.signIn()
      stage.server.model.userRejection = 'SUBSCRIPTION_EXPIRED'
      await stage.outcome('heartbeat')
      stage.server.next('upgrade', async ({ honest }) => {
        const reply = honest()
        await pause(1000)
        return reply
      })
      const upgraded = stage.outcome('upgrade', { licenseKey: 'NEW-KEY' })
      await stage.moreRequests('upgrade', 1)
      const loggedOut = stage.outcome('logout')
      return `${await upgraded}, ${await loggedOut}, ${await stage.valid()}, ${await stage.outcome('heartbeat')}`
    },
  ),
  ...['SESSION_ENDED', 'SESSION_REPLACED'].map((code) =>
    scenario(
      `logout after ${code}`,
      { guards: 'a session that is gone already is as good as logged out', expected: 'ok, not valid, no event' },
      async (stage) => {
        await stage.signIn()
        stage.server.model.endSessions(code)
        return `${await stage.outcome('logout')}, ${await stage.valid()}, ${stage.events()}`
      },
    ),
  ),
]
