import { t } from '@lingui/core/macro'
import { notify } from './notify.ts'

/** A success that can be taken back. */
export const notifyUndoable = (message: string, onUndo: () => void) =>
  notify.success(message, { action: { label: t`Undo`, onAction: onUndo } })
