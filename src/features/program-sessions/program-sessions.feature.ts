import type { Feature } from '#server/http/endpoint.ts'
import { bulkDeleteProgramSessions } from './api/bulk-delete-program-sessions.ts'
import { programSessionCalls } from './api/program-sessions.ts'
import { programSessionsContract } from './program-sessions.contract.ts'

/** Program sessions in the dashboard. */
export const programSessions: Feature = {
  name: 'program-sessions',
  contract: programSessionsContract,
  endpoints: [...programSessionCalls, bulkDeleteProgramSessions],
}
