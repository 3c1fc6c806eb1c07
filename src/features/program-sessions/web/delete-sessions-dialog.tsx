import { plural, t } from '@lingui/core/macro'
import { useState } from 'react'
import { apiCall } from '#web/api-call/api-call.ts'
import { type BulkTarget, rowsOf } from '#web/bulk/bulk-action.ts'
import { call } from '#web/api/call.ts'
import { DeleteDialog, type DeleteHandlers } from '#web/bulk/delete-dialog.tsx'
import { deleteInParts } from '#web/bulk/in-parts.ts'
import { useCountedTarget } from '#web/bulk/use-counted-target.ts'
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
  /** When the sessions of a filter were counted, epoch seconds. */
  countedAt?: number | undefined
  isAll?: boolean
}

/** Ends the selected sessions, without those that start while it asks, or all sessions of the app. */
export function DeleteSessionsDialog(props: DeleteSessionsProps) {
  const { app, target: opened, countedAt, isAll = false, ...handlers } = props
  const { target, count, onChanged } = useCountedTarget(opened)
  const [startedUntil] = useState(countedAt)
  const rows = rowsOf(target)
  const body = 'names' in rows ? { sessionIds: rows.names } : { ...rows, filter: startedBy(startedUntil, rows.filter) }
  const deleteMatching = async () => {
    const reply = await call('POST /sessions/bulk-delete', { body })
    return isAll ? { ...reply, code: 'SESSIONS_DELETE_ALL_OK' } : reply
  }
  return (
    <DeleteDialog
      title={isAll ? t`Delete all sessions?` : plural(count, { one: 'Delete # session?', other: 'Delete # sessions?' })}
      impact={t`Their programs are rejected from their next call on, until they sign in again.`}
      confirmLabel={isAll ? t`Delete all` : t`Delete`}
      send={() =>
        'names' in rows
          ? deleteInParts(rows.names, (sessionIds) => call('POST /sessions/bulk-delete', { body: { sessionIds } }))
          : deleteMatching()
      }
      refresh={refreshSessions}
      failure={isAll ? t`Failed to delete all sessions` : t`Failed to delete selected sessions`}
      onChanged={onChanged}
      count={count}
      appName={app.appName}
      isAll={isAll}
      apiCall={() => apiCall('POST /sessions/bulk-delete', { body })}
      {...handlers}
    />
  )
}

const startedBy = (at = Infinity, filter: SessionFilter): SessionFilter => {
  const createdUntil = Math.min(at, filter.createdUntil ?? Infinity)
  return createdUntil === Infinity ? filter : { ...filter, createdUntil }
}
