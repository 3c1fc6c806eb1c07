import type { Feature } from '#server/http/endpoint.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import { deleteOldSessions, sessionJobs } from './session-store.actions.ts'
import { countAllActiveSessions } from './session-store.reads.ts'

const cleanupMs = 600_000

/** Sessions of protected programs. */
export const sessionStore: Feature = {
  name: 'session-store',
  contract: {},
  endpoints: [],
  appTables: ['client_sessions'],
  gauges: [
    {
      name: 'signet_program_sessions',
      help: 'Program sessions with a heartbeat in the last 10 minutes, signed in or not',
      read: async (services) => [{ value: await countAllActiveSessions(services.db.reports, epochSeconds(services)) }],
    },
  ],
  jobs: sessionJobs,
  start: async (services) => {
    const cleanup = setInterval(() => void cleanUpOldSessions(services), cleanupMs).unref()
    return async () => clearInterval(cleanup)
  },
}

async function cleanUpOldSessions(services: Services): Promise<void> {
  await deleteOldSessions(services.db, Math.floor(services.clock() / 1000)).catch((error: unknown) =>
    services.log.error({ err: error }, 'could not delete old sessions'),
  )
}
