import { t } from '@lingui/core/macro'
import { type ReactNode, useState } from 'react'
import type { ApiCall } from '../api-call/api-call.ts'
import { ShowApiCall } from '../api-call/show-api-call.tsx'
import { maxUncountedRows } from './bulk-action.ts'
import { deletionUndo, notifyDeleted, notifyDeletedEach } from './deletion-undo.ts'
import type { Coded } from '../api/code-text.ts'
import { successText } from '../api/errors.ts'
import { ConfirmCall } from '../form/confirm-call.tsx'
import { changedCount } from './use-counted-target.ts'

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
  /** With an `undoId` in the reply, or those of several calls, the toast offers Undo. */
  send: () => Promise<Coded & { undoId?: string | null; undoIds?: readonly string[] }>
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
  const { title, description, impact, count = 1, appName, isAll = false, apiCall } = props
  const [deletion] = useState(() => deletionUndo())
  const reload = (error: Error) => {
    const now = changedCount(error)
    if (now === undefined) return
    props.onChanged?.(now)
    void props.refresh()
  }
  return (
    <ConfirmCall
      title={title}
      description={description ?? t`This action cannot be undone.`}
      impact={impact}
      typedName={isAll || count > maxUncountedRows ? (props.typed?.name ?? appName) : undefined}
      typedLabel={props.typed?.label ?? t`App name`}
      typedMismatch={props.typed?.mismatch ?? t`App name does not match`}
      confirmLabel={props.confirmLabel ?? t`Delete`}
      danger
      send={props.send}
      failure={props.failure}
      withCause={props.withCause}
      onFailed={reload}
      report={(reply) => {
        const { undoId = null, undoIds = [] } = reply
        if (undoIds.length > 1) notifyDeletedEach(successText(reply), undoIds, deletion)
        else notifyDeleted(successText(reply), undoIds[0] ?? undoId, deletion)
      }}
      onDone={props.onDone}
      refresh={props.refresh}
      onClose={props.onClose}
      last={apiCall && <ShowApiCall calls={() => [apiCall()]} />}
    >
      {props.children}
    </ConfirmCall>
  )
}
