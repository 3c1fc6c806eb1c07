import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ApiCall } from '../api-call/api-call.ts'
import { ShowApiCall } from '../api-call/show-api-call.tsx'
import { maxUncountedRows } from './bulk-action.ts'
import { notifyDeleted } from './deletion-undo.ts'
import { failureText, failureTextWithCause, successText } from '../api/errors.ts'
import { notify } from '../browser/notify.ts'
import { changedCount } from './use-counted-target.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'

/** Common props of deletion dialogs. */
export interface DeleteHandlers {
  onDone: () => void
  onClose: () => void
}

interface DeleteDialogProps extends DeleteHandlers {
  title: ReactNode
  description?: string
  /** Further consequences of the deletion. */
  impact?: ReactNode
  confirmLabel?: string
  /** With an `undoId` in the reply, the toast offers Undo. */
  send: () => Promise<Parameters<typeof successText>[0] & { undoId?: string | null }>
  refresh: () => Promise<unknown>
  /** The call was rejected because another number of rows matches. */
  onChanged?: (count: number) => void
  failure: string
  /** The same with the server's reason, if the text has a place for it. */
  withCause?: (message: string) => string
  /** Number of rows; above 100, the app name must be typed. */
  count?: number
  appName?: string
  /** All rows of the app are deleted: its name must be typed, however few they are. */
  isAll?: boolean
  /** Text to type instead of the app name. */
  typed?: { name: string; label: string; mismatch: string }
  /** Options of the action. */
  children?: ReactNode
  /** The same action as an API call. */
  apiCall?: () => ApiCall
}

/** Confirms a deletion, reports its result and reloads the list. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { title, description, impact, failure, withCause, count = 1, appName, isAll = false, apiCall, onDone } = props
  const remove = useMutation({
    mutationFn: props.send,
    onSuccess: async (reply) => {
      if (reply.undoId) notifyDeleted(successText(reply), reply.undoId)
      else notify.success(successText(reply))
      onDone()
      await props.refresh()
    },
    onError: (error) => {
      const now = changedCount(error)
      if (now === undefined) return
      props.onChanged?.(now)
      void props.refresh()
    },
  })
  const { error } = remove
  const problem = error && (withCause ? failureTextWithCause(error, failure, withCause) : failureText(error, failure))
  return (
    <ConfirmDialog
      title={title}
      description={description ?? t`This action cannot be undone.`}
      impact={impact}
      typedName={isAll || count > maxUncountedRows ? (props.typed?.name ?? appName) : undefined}
      typedLabel={props.typed?.label ?? t`App name`}
      typedMismatch={props.typed?.mismatch ?? t`App name does not match`}
      confirmLabel={props.confirmLabel ?? t`Delete`}
      danger
      busy={remove.isPending}
      error={problem ?? undefined}
      onConfirm={() => remove.mutate()}
      onClose={props.onClose}
    >
      {props.children}
      {apiCall && <ShowApiCall calls={() => [apiCall()]} />}
    </ConfirmDialog>
  )
}
