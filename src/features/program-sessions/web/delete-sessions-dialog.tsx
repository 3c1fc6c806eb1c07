import { plural, t } from '@lingui/core/macro'
import { apiCall } from '#web/api-call/api-call.ts'
import { type BulkTarget, targetCount } from '#web/bulk/bulk-action.ts'
import { call } from '#web/api/call.ts'
import { DeleteDialog, type DeleteHandlers } from '#web/bulk/delete-dialog.tsx'
import type { App } from '#web/session/session.ts'
import { type ProgramSession, refreshSessions, type SessionFilter } from './program-sessions-data.ts'

export function DeleteSessionDialog({ session, ...handlers }: DeleteHandlers & { session: ProgramSession }) {
  const { session_id: sessionId, verifiedUser: name } = session
  return (
    <DeleteDialog
      title={name === null ? t`Delete session?` : t`Delete the session of ${name}?`}
      description={t`Its program is rejected from its next call on, until it signs in again.`}
      send={() => call('POST /delete_session', { body: { sessionId } })}
      apiCall={() => apiCall('POST /delete_session', { body: { sessionId } })}
      refresh={refreshSessions}
      failure={t`Failed to delete session`}
      withCause={(message) => t`Failed to delete session: ${message}`}
      {...handlers}
    />
  )
}

interface DeleteSessionsProps extends DeleteHandlers {
  app: App
  target: BulkTarget<SessionFilter>
  isAll?: boolean
}

/** Ends the selected sessions, or all sessions of the app. */
export function DeleteSessionsDialog({ app, target, isAll = false, ...handlers }: DeleteSessionsProps) {
  const body = 'names' in target ? { sessionIds: [...target.names] } : { filter: target.filter }
  const count = targetCount(target) ?? 0
  return (
    <DeleteDialog
      title={isAll ? t`Delete all sessions?` : plural(count, { one: 'Delete # session?', other: 'Delete # sessions?' })}
      impact={t`Their programs are rejected from their next call on, until they sign in again.`}
      confirmLabel={isAll ? t`Delete all` : t`Delete`}
      send={() => call('POST /sessions/bulk-delete', { body })}
      refresh={refreshSessions}
      failure={isAll ? t`Failed to delete all sessions` : t`Failed to delete selected sessions`}
      count={count}
      appName={app.appName}
      isAll={isAll}
      apiCall={() => apiCall('POST /sessions/bulk-delete', { body })}
      {...handlers}
    />
  )
}
