import type { Feature } from '#server/endpoint.ts'
import type { Services } from '#server/services.ts'
import { clientRoutes } from './client-routes.ts'
import { LiveSessions } from './live-sessions.ts'

const liveSessions = new WeakMap<Services, LiveSessions>()

function sessionsOf(services: Services): LiveSessions {
  const existing = liveSessions.get(services)
  if (existing) return existing
  const onError = (error: unknown) => services.log.error({ err: error }, 'could not store heartbeats')
  const created = new LiveSessions(services.db, onError)
  liveSessions.set(services, created)
  return created
}

/** The protocol of protected programs (docs/protocol.md). */
export const clientApi: Feature = {
  name: 'client-api',
  contract: {},
  endpoints: [],
  rawRoutes: (services) => clientRoutes(services, sessionsOf(services)),
  start: async (services) => () => sessionsOf(services).flush(),
}
