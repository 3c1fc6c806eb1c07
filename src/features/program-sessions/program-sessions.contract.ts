import { Type } from 'typebox'
import { highestExpectedCount, maxBulkNames, maxNamesKiB } from '#contract/bulk.ts'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { CountryListField } from '#contract/country-field.ts'
import { appCall } from '#contract/define-call.ts'
import {
  appFields,
  CountryCode,
  EpochSeconds,
  pageQuery,
  reply,
  strict,
  Text,
  wholeListFields,
  wholeListQuery,
} from '#contract/fields.ts'
import { listField } from '#contract/list-field.ts'
import { sortField } from '#contract/sort-field.ts'
import { sessionSorts, sessionStatuses } from '#features/session-store/session-store.rules.ts'
import { Username } from '#features/users/users.contract.ts'
import { namedUserErrors } from '#features/users/users.errors.ts'
import { programSessionsErrors } from './program-sessions.errors.ts'

/**
 * Sessions of programs, for the dashboard. The feature comes after `users` because its list joins their names;
 * `sessions` comes before them.
 */

const SessionId = Text(100, 1)

const SessionReply = Type.Object({
  session_id: Type.String({ description: 'Identifier of the session; it cannot be used to sign in' }),
  verifiedUser: Type.Union([Type.String(), Type.Null()], { description: 'Null until the program has signed in' }),
  ip: Type.String(),
  country: CountryCode,
  hwid: Type.String({
    description: 'Fingerprint of the hardware ID; empty until the program has signed in with one',
  }),
  created_at: EpochSeconds,
  expires_at: EpochSeconds,
  expiry_time: Type.Integer({
    description:
      'Lifetime granted by the last heartbeat, in seconds; that heartbeat was at `expires_at` minus `expiry_time`',
  }),
})

const SessionCounts = Type.Object(
  { active: Type.Integer(), inactive: Type.Integer(), expired: Type.Integer() },
  {
    description:
      'Sessions of the app, independent of the filter. Active: heartbeat in the last 10 minutes. Expired: not cleaned up yet',
  },
)

const filterFields = {
  search: pageQuery.search,
  status: Type.Optional(listField(sessionStatuses)),
  country: Type.Optional(CountryListField),
  createdFrom: Type.Optional({ ...EpochSeconds, description: 'Started in this second or later' }),
  createdUntil: Type.Optional({ ...EpochSeconds, description: 'Started in this second or earlier' }),
  seenFrom: Type.Optional({ ...EpochSeconds, description: 'Last heartbeat in this second or later' }),
  seenUntil: Type.Optional({ ...EpochSeconds, description: 'Last heartbeat in this second or earlier' }),
  hwid: Type.Optional(Type.String({ maxLength: 64, description: 'Fingerprint of a hardware ID, as in `hwid`' })),
  ip: Type.Optional(Type.String({ maxLength: 64, description: 'Exactly this IP address' })),
}

export const programSessionsContract = {
  listProgramSessions: appCall('GET /sessions', {
    summary:
      'List the program sessions of an app, newest first unless `sort` names another order, all at once or one page at a time. `search` matches session IDs, usernames, IP addresses, and whole fingerprints of hardware IDs.',
    query: strict({ ...appFields, ...wholeListQuery, ...filterFields, sort: sortField(sessionSorts) }),
    reply: reply({
      sessions: Type.Array(SessionReply),
      ...wholeListFields,
      counts: SessionCounts,
      readAt: {
        ...EpochSeconds,
        description: 'Time of the list. As `createdUntil`, it leaves out the sessions that start later',
      },
    }),
  }),
  readSessionFacets: appCall('GET /session_facets', {
    summary: 'Count the listed program sessions by country, the largest count first.',
    query: strict(appFields),
    reply: reply({ countries: Type.Array(Type.Object({ country: CountryCode, count: Type.Integer() })) }),
  }),
  listUserSessions: appCall('GET /user/{username}/sessions', {
    summary: 'List the program sessions of a user, one page at a time, newest first.',
    params: strict({ username: Username }),
    query: strict({ ...appFields, page: pageQuery.page, limit: pageQuery.limit }),
    reply: reply({ sessions: Type.Array(SessionReply), total: Type.Integer(), totalPages: Type.Integer() }),
    errors: namedUserErrors,
  }),
  deleteProgramSession: appCall('POST /delete_session', {
    summary: 'End a program session. Its next call is rejected.',
    body: strict({ ...appFields, sessionId: SessionId }),
    reply: reply({}),
    successes: { SESSION_DELETE_OK: 'Session deleted successfully' },
    errors: programSessionsErrors,
  }),
  bulkDeleteProgramSessions: appCall('POST /sessions/bulk-delete', {
    maxBodyKiB: maxNamesKiB,
    summary:
      'End many program sessions: the given ones, or all that match the filter, if no more than `expectedCount` do. `{}` matches all sessions of the app.',
    body: strict({
      ...appFields,
      sessionIds: Type.Optional(Type.Array(SessionId, { maxItems: maxBulkNames })),
      filter: Type.Optional(strict(filterFields)),
      expectedCount: highestExpectedCount,
    }),
    reply: reply({ deleted: Type.Integer({ description: 'Sessions that had already ended are not counted' }) }),
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
  interface Codes extends CodesOf<typeof programSessionsContract> {}
}
