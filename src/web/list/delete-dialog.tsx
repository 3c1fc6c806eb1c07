import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ApiCall } from '../api-call/api-call.ts'
import { ShowApiCall } from '../api-call/show-api-call.tsx'
import { maxUncountedRows } from '../bulk/bulk-act.ts'
import { failureText, failureTextWithCause, successText } from '../api/errors.ts'
import { notify } from '../browser/notify.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'

/** What a page hands to each dialog that deletes. */
export interface DeleteEnds {
  onDone: () => void
  onClose: () => void
}

interface DeleteDialogProps extends DeleteEnds {
  title: ReactNode
  description?: string
  /** What else stops working. */
  impact?: ReactNode
  confirmLabel?: string
  send: () => Promise<Parameters<typeof successText>[0]>
  refresh: () => Promise<unknown>
  failure: string
  /** The same with the server's reason, where the text has a place for it. */
  withCause?: (message: string) => string
  /** How many rows go: above 100 the app's name is typed. */
  count?: number
  appName?: string
  /** Every row of the app goes, however few there are: its name is typed. */
  isAll?: boolean
  /** What is typed in place of the app's name. */
  typed?: { name: string; label: string; mismatch: string }
  /** Options of the act. */
  children?: ReactNode
  /** The same act as a call, for whoever wants it in a program. */
  apiCall?: () => ApiCall
}

/** Asks before rows are deleted, says what came of it, and loads the list again. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { title, description, impact, failure, withCause, count = 1, appName, isAll = false, apiCall, onDone } = props
  const remove = useMutation({
    mutationFn: props.send,
    onSuccess: async (reply) => {
      notify.success(successText(reply))
      onDone()
      await props.refresh()
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
