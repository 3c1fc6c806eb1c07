import { useMutation } from '@tanstack/react-query'
import type { Coded } from '../api/code-text.ts'
import { failureText, failureTextWithCause, successText } from '../api/errors.ts'
import { notify } from '../browser/notify.ts'
import { ConfirmDialog, type ConfirmDialogProps, useIsOpen } from '../ui/confirm-dialog.tsx'

interface ConfirmCallProps<R extends Coded> extends Omit<ConfirmDialogProps, 'busy' | 'error' | 'onConfirm'> {
  send: () => Promise<R>
  /** Shown in the dialog, which stays open. */
  failure: string
  /** The same with the server's reason, if the text has a place for it. */
  withCause?: ((message: string) => string) | undefined
  onFailed?: (error: Error) => void
  /** Says what came of it; by default, with the reply's own text. */
  report?: (reply: R) => void
  /** By default, closes the dialog, which is busy until this is done. */
  onDone?: (reply: R) => unknown
  /** Then loads again what has changed. */
  refresh?: (reply: R) => unknown
}

const reportSuccess = (reply: Coded) => notify.success(successText(reply))

/** Asks before a call, sends it, and says what came of it. */
export function ConfirmCall<R extends Coded>(props: ConfirmCallProps<R>) {
  const { send, failure, withCause, onFailed, report = reportSuccess, refresh, onDone, ...dialog } = props
  const isOpen = useIsOpen()
  const textOf = (error: Error) =>
    withCause ? failureTextWithCause(error, failure, withCause) : failureText(error, failure)
  const run = useMutation({
    mutationFn: send,
    onSuccess: async (reply) => {
      report(reply)
      await (onDone ?? dialog.onClose)(reply)
      await refresh?.(reply)
    },
    onError: (error) => {
      if (!isOpen()) notify.error(textOf(error))
      onFailed?.(error)
    },
  })
  const problem = run.error ? textOf(run.error) : undefined
  return <ConfirmDialog {...dialog} busy={run.isPending} error={problem} onConfirm={() => run.mutate()} />
}
