import { Type } from 'typebox'
import { pageQuery, reply, strict, Text } from '#contract/fields.ts'
import { programSessionsContract } from '#features/program-sessions/program-sessions.contract.ts'
import { programSessionsErrors } from '#features/program-sessions/program-sessions.errors.ts'
import { Username } from '#features/users/users.contract.ts'
import { namedUserErrors } from '#features/users/users.errors.ts'
import { insteadOf, sellerCall } from './seller-call.contract.ts'

/** Calls on program sessions with a seller key. */

const { listProgramSessions, deleteProgramSession, bulkDeleteProgramSessions } = programSessionsContract
const { SESSION_NOT_FOUND } = programSessionsErrors
const { SESSIONS_DELETE_OK } = bulkDeleteProgramSessions.successes
const { sessions } = listProgramSessions.reply.properties

export const sellerSessionsContract = {
  listSessions: sellerCall('GET /sessions', {
    scope: 'sessions:read',
    summary:
      'List the program sessions of the app, or of the user in `username`, one page at a time, newest first. Sessions that expired in the last 24 hours are included.',
    query: strict({ page: pageQuery.page, limit: pageQuery.limit, username: Type.Optional(Username) }),
    reply: reply({ sessions, totalPages: Type.Integer(), total: Type.Integer() }),
    errors: namedUserErrors,
  }),
  deleteSession: sellerCall('DELETE /sessions/{sessionId}', {
    scope: 'sessions:delete',
    summary: 'End a program session. Its next call is rejected.',
    params: Type.Object({ sessionId: Text(100, 1) }),
    reply: reply({}),
    successes: deleteProgramSession.successes,
    errors: { SESSION_NOT_FOUND },
    replaces: [insteadOf(deleteProgramSession), insteadOf(bulkDeleteProgramSessions, { sessionId: 'sessionIds' })],
  }),
  deleteUserSessions: sellerCall('DELETE /users/{username}/sessions', {
    scope: 'sessions:delete',
    summary: 'End all program sessions of a user. Their next calls are rejected; the user can sign in again.',
    params: Type.Object({ username: Username }),
    reply: reply({ deleted: Type.Integer({ description: 'Sessions that had already ended are not counted' }) }),
    successes: { SESSIONS_DELETE_OK },
    errors: namedUserErrors,
  }),
}
