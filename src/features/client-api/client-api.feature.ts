import type { Feature } from '#server/endpoint.ts'
import { onePerServer } from '#server/one-per-server.ts'
import { clientRoutes } from './client-routes.ts'
import { LiveSessions } from './live-sessions.ts'

/** The sessions of programs that this server has in memory. */
export const liveSessions = onePerServer(
  ({ db, log }) => new LiveSessions(db, (error) => log.error({ err: error }, 'could not store heartbeats')),
)

/** The protocol of protected programs (docs/protocol.md). */
export const clientApi: Feature = {
  name: 'client-api',
  contract: {},
  endpoints: [],
  rawRoutes: (services) => clientRoutes(services, liveSessions(services)),
  start: async (services) => () => liveSessions(services).flush(),
}
