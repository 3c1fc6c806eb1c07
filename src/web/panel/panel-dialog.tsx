import type { ReactNode } from 'react'
import { dialogNamed } from '../navigation/use-dialog.ts'
import { usePanel } from './use-panel.ts'

export interface DialogHandlers {
  /** After what it is about was deleted. */
  onDone: () => void
  onClose: () => void
}

/** The dialogs about a thing, by the names that its actions have; a list and the panel share them. */
export type DialogsOf<R> = (handlers: DialogHandlers) => Record<string, (row: R) => ReactNode>

/** The dialog that `?action=` names. */
export function PanelDialog<R>({ row, dialogs }: { row: R; dialogs: DialogsOf<R> }) {
  const { action, setAction, closeDeleted } = usePanel()
  const named = dialogs({ onDone: closeDeleted, onClose: () => setAction(undefined) })
  return dialogNamed(named, action)?.(row)
}
