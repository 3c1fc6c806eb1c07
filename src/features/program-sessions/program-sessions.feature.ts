import type { Feature } from '#server/http/endpoint.ts'
import { bulkDeleteProgramSessions } from './api/bulk-delete-program-sessions.ts'
import { deleteProgramSession } from './api/delete-program-session.ts'
import { listProgramSessions } from './api/list-program-sessions.ts'
import { listUserSessions } from './api/list-user-sessions.ts'
import { readSessionFacets } from './api/read-session-facets.ts'
import { programSessionsContract } from './program-sessions.contract.ts'

/** Program sessions in the dashboard. */
export const programSessions: Feature = {
  name: 'program-sessions',
  contract: programSessionsContract,
  endpoints: [
    listProgramSessions,
    readSessionFacets,
    listUserSessions,
    deleteProgramSession,
    bulkDeleteProgramSessions,
  ],
}
