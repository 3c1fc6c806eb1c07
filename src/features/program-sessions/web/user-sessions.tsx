import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { lastHeartbeat } from '#features/session-store/session-store.rules.ts'
import { failureText } from '#web/api/errors.ts'
import { PanelLink } from '#web/panel/panel-link.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { SessionStatus } from './program-sessions-columns.tsx'
import { sessionList } from './program-sessions-data.ts'

/** The running sessions of a user. */
export function UserSessions({ username }: { username: string }) {
  const { data, error } = useQuery(sessionList.lookUp(username))
  if (!data) {
    const text = error ? failureText(error, t`Failed to load sessions`) : t`Loading…`
    return (
      <p role="status" className="text-ui text-text-2">
        {text}
      </p>
    )
  }
  const rows = data.sessions.filter(({ verifiedUser }) => verifiedUser === username)
  if (rows.length === 0) return <p className="text-ui text-text-2">{t`No program of this user is running.`}</p>
  return (
    <ul className="rounded-md border border-line">
      {rows.map((row) => (
        <li key={row.session_id} className="border-t border-line px-3 py-2 text-ui first:border-t-0">
          <div className="flex items-start justify-between gap-3">
            <PanelLink kind="session" id={row.session_id} />
            <SessionStatus row={row} />
          </div>
          <div className="mt-1 flex flex-wrap gap-x-3 text-meta text-text-2">
            <PanelLink kind="address" id={row.ip} />
            <TimeAgo at={lastHeartbeat(row)} />
          </div>
        </li>
      ))}
    </ul>
  )
}
