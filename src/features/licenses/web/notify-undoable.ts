import { t } from '@lingui/core/macro'
import { notificationStore, notify } from '#web/notify.ts'

const undoableMs = 10_000

/** A success that can be taken back for ten seconds. */
export function notifyUndoable(message: string, onUndo: () => void) {
  const id = notify.success(message, { action: { label: t`Undo`, onAction: onUndo } })
  const shown = notificationStore.get()
  notificationStore.set(shown.map((one) => (one.id === id ? { ...one, duration: undoableMs } : one)))
}
