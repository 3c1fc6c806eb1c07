import type { CallReply } from '#web/api/call-types.ts'
import { pagedList } from '#web/list/list-source.ts'
import { queryClient } from '#web/api/query-client.ts'
import { accountKey, appKey } from '#web/api/query-keys.ts'

export type ProgramSession = CallReply<'GET /sessions'>['sessions'][number]

export const sessionList = pagedList({
  key: () => appKey('sessions'),
  call: 'GET /sessions',
  live: 'sessions',
  // A session becomes inactive without a call.
  liveEveryMs: 60_000,
  rows: ({ sessions }) => sessions,
  rowId: ({ session_id }) => session_id,
  table: { sorts: ['created'] },
})

/** A user may have several sessions; the start of the ID distinguishes them. */
export const sessionLabel = ({ session_id, verifiedUser }: ProgramSession) =>
  [verifiedUser, session_id.slice(0, 8)].filter(Boolean).join(' ')

/** The app selector also shows the number of sessions. */
export const refreshSessions = () =>
  Promise.all([sessionList.refresh(), queryClient.invalidateQueries({ queryKey: accountKey('apps') })])
