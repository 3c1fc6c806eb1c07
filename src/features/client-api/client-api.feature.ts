import type { Feature } from '#server/endpoint.ts'
import type { Services } from '#server/services.ts'
import { clientRoutes } from './client-routes.ts'
import { LiveSessions } from './live-sessions.ts'

const sessionsOfServers = new WeakMap<Services, LiveSessions>()

/** The sessions of programs that this server has in memory. */
export function liveSessions(services: Services): LiveSessions {
  const existing = sessionsOfServers.get(services)
  if (existing) return existing
  const onError = (error: unknown) => services.log.error({ err: error }, 'could not store heartbeats')
  const created = new LiveSessions(services.db, onError)
  sessionsOfServers.set(services, created)
  return created
}

/** The protocol of protected programs (docs/protocol.md). */
export const clientApi: Feature = {
  name: 'client-api',
  contract: {},
  endpoints: [],
  rawRoutes: (services) => clientRoutes(services, liveSessions(services)),
  start: async (services) => () => liveSessions(services).flush(),
}
