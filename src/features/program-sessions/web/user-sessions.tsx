import { t } from '@lingui/core/macro'
import { lastHeartbeat } from '#features/session-store/session-store.rules.ts'
import { call } from '#web/api/call.ts'
import { appKey } from '#web/api/query-keys.ts'
import { PanelLink } from '#web/panel/panel-link.tsx'
import { PanelList, panelListLimit } from '#web/panel/panel-list.tsx'
import { CountryName } from '#web/ui/country-name.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { SessionStatus } from './program-sessions-columns.tsx'
import type { ProgramSession } from './program-sessions-data.ts'

async function sessionsOf(username: string, signal: AbortSignal) {
  const options = { params: { username }, query: { limit: panelListLimit }, signal }
  const { sessions: rows, total } = await call('GET /user/{username}/sessions', options)
  return { rows, total }
}

/** The running sessions of a user. */
export const UserSessions = ({ username }: { username: string }) => (
  <PanelList<ProgramSession>
    queryKey={appKey('sessions', 'of-user', username)}
    load={(signal) => sessionsOf(username, signal)}
    rowKey={({ session_id }) => session_id}
    name={({ session_id }) => <PanelLink kind="session" id={session_id} />}
    badge={(session) => <SessionStatus row={session} />}
    facts={(session) => (
      <>
        <PanelLink kind="address" id={session.ip} />
        <CountryName code={session.country} />
        <TimeAgo at={lastHeartbeat(session)} />
      </>
    )}
    empty={t`No program of this user is running.`}
    failure={t`Failed to load sessions`}
  />
)
