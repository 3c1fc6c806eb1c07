import type { Feature } from '#server/http/endpoint.ts'
import { perServer } from '#server/services.ts'
import { clientOpenApi } from './client-api.open-api.ts'
import { clientRoutes } from './client-routes.ts'
import { deleteNoncesBefore } from './client-api.writes.ts'
import { LiveSessions } from './live-sessions.ts'
import { replayMs } from './recent-nonces.ts'
import { rejectedRequests } from './rejected-requests.ts'

/** In-memory sessions of programs on this server. */
export const liveSessions = perServer(
  ({ db, log }) => new LiveSessions(db, (error) => log.error({ err: error }, 'could not store heartbeats')),
)

/** The protocol of protected programs (docs/protocol.md). */
export const clientApi: Feature = {
  name: 'client-api',
  contract: {},
  endpoints: [],
  openApi: clientOpenApi,
  rawRoutes: (services) => clientRoutes(services, liveSessions(services)),
  jobs: {
    'delete-used-nonces': {
      concurrency: 1,
      leaseSeconds: 600,
      maxAttempts: 5,
      everySeconds: 600,
      // Twice as long as a request can be replayed, in case the clock was set back.
      run: ({ db, clock }) => deleteNoncesBefore(db, clock() - 2 * replayMs),
    },
  },
  start: async (services) => async () => {
    rejectedRequests(services).flush()
    await liveSessions(services).flush()
  },
}
