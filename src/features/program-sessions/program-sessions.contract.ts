import { Type } from 'typebox'
import { maxBulkNames, maxNamesKiB } from '#contract/bulk.ts'
import type { CodesOf } from '#contract/codes.ts'
import { type CallsOf, defineCall } from '#contract/define-call.ts'
import {
  appFields,
  EpochSeconds,
  pageQuery,
  reply,
  strict,
  Text,
  wholeListFields,
  wholeListQuery,
} from '#contract/fields.ts'
import { programSessionsErrors } from './program-sessions.errors.ts'

/**
 * The sessions of an app's programs on the screen. A feature after
 * `users`, because the list joins their names, while `sessions` stands before them.
 */

const SessionId = Text(100, 1)

const SessionReply = Type.Object({
  session_id: Type.String({ description: 'Names the session; it signs nobody in' }),
  verifiedUser: Type.Union([Type.String(), Type.Null()], { description: 'Null before the program has signed in' }),
  ip: Type.String(),
  created_at: EpochSeconds,
  expires_at: EpochSeconds,
  expiry_time: Type.Integer({ description: 'Seconds that the last heartbeat gave it: it was then that much earlier' }),
})

const SessionCounts = Type.Object(
  { active: Type.Integer(), inactive: Type.Integer(), expired: Type.Integer() },
  {
    description:
      'Of all sessions of the app, whatever the search: active ones had a heartbeat in the last 10 minutes, expired ones are not cleaned up yet',
  },
)

export const programSessionsContract = {
  listProgramSessions: defineCall({
    method: 'GET',
    path: '/sessions',
    access: 'account',
    app: true,
    summary:
      "The app's program sessions or a page of them, newest first. `search` looks inside ids, user names and addresses.",
    query: strict({ ...appFields, ...wholeListQuery }),
    reply: reply({ sessions: Type.Array(SessionReply), ...wholeListFields, counts: SessionCounts }),
  }),
  deleteProgramSession: defineCall({
    method: 'POST',
    path: '/delete_session',
    access: 'account',
    app: true,
    summary: "End a program's session; its next call is refused.",
    body: strict({ ...appFields, sessionId: SessionId }),
    reply: reply({}),
    successes: { SESSION_DELETE_OK: 'Session deleted successfully' },
    errors: programSessionsErrors,
  }),
  bulkDeleteProgramSessions: defineCall({
    method: 'POST',
    path: '/sessions/bulk-delete',
    access: 'account',
    app: true,
    maxBodyKiB: maxNamesKiB,
    // No expected count: programs start and stop all the time, and whoever starts later only signs in again.
    summary: 'End many sessions: those named, or all that match the filter. `{}` matches every session of the app.',
    body: strict({
      ...appFields,
      sessionIds: Type.Optional(Type.Array(SessionId, { maxItems: maxBulkNames })),
      filter: Type.Optional(strict({ search: pageQuery.search })),
    }),
    reply: reply({ deleted: Type.Integer({ description: 'Without those that had ended before' }) }),
    successes: {
      SESSIONS_DELETE_OK:
        '{deleted, plural, one {Deleted # session successfully} other {Deleted # sessions successfully}}',
      SESSIONS_DELETE_ALL_OK: 'All sessions deleted successfully',
    },
    errors: programSessionsErrors,
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof programSessionsContract> {}
}

declare module '#contract/codes.ts' {
  interface Codes extends CodesOf<typeof programSessionsContract> {}
}
