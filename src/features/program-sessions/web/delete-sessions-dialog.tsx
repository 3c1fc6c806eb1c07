import { plural, t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { type BulkTarget, targetCount } from '#web/bulk/bulk-act.ts'
import { call } from '#web/call.ts'
import { failureText, failureTextWithCause, successText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { type ProgramSession, refreshSessions } from './program-sessions-data.ts'

interface EndProps {
  onDone: () => void
  onClose: () => void
}

function useDelete(send: () => Promise<Parameters<typeof successText>[0]>, onDone: () => void) {
  return useMutation({
    mutationFn: send,
    onSuccess: async (reply) => {
      notify.success(successText(reply))
      onDone()
      await refreshSessions()
    },
  })
}

export function DeleteSessionDialog({ session, onDone, onClose }: EndProps & { session: ProgramSession }) {
  const { session_id: sessionId, verifiedUser: name } = session
  const remove = useDelete(() => call('POST /delete_session', { body: { sessionId } }), onDone)
  const withCause = (message: string) => t`Failed to delete session: ${message}`
  return (
    <ConfirmDialog
      title={name === null ? t`Delete session?` : t`Delete the session of ${name}?`}
      description={t`Its program is refused from its next call on, until it signs in again.`}
      confirmLabel={t`Delete`}
      danger
      busy={remove.isPending}
      error={remove.error ? failureTextWithCause(remove.error, t`Failed to delete session`, withCause) : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  )
}

interface DeleteSessionsProps extends EndProps {
  target: BulkTarget<{ search?: string }>
  /** Of the app whose every session goes; it must be typed. */
  appName?: string
}

/** The selected sessions, or all of the app. */
export function DeleteSessionsDialog({ target, appName, onDone, onClose }: DeleteSessionsProps) {
  const body = 'names' in target ? { sessionIds: [...target.names] } : { filter: target.filter }
  const remove = useDelete(() => call('POST /sessions/bulk-delete', { body }), onDone)
  const failure = appName === undefined ? t`Failed to delete selected sessions` : t`Failed to delete all sessions`
  const count = targetCount(target) ?? 0
  return (
    <ConfirmDialog
      title={
        appName === undefined
          ? plural(count, { one: 'Delete # session?', other: 'Delete # sessions?' })
          : t`Delete all sessions?`
      }
      description={t`This action cannot be undone.`}
      impact={t`Their programs are refused from their next call on, until they sign in again.`}
      typedName={appName}
      typedLabel={t`App name`}
      typedMismatch={t`App name does not match`}
      confirmLabel={appName === undefined ? t`Delete` : t`Delete all`}
      danger
      busy={remove.isPending}
      error={remove.error ? failureText(remove.error, failure) : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <ShowApiCall calls={() => [apiCall('POST /sessions/bulk-delete', { body })]} />
    </ConfirmDialog>
  )
}
