import { t } from '@lingui/core/macro'
import { useBlocker } from '@tanstack/react-router'
import { lazyPart } from '../lazy/lazy-part.tsx'

const ConfirmDialog = lazyPart(() => import('./confirm-dialog.tsx'), 'ConfirmDialog')

interface LeaveQuestionProps {
  /** Read when leaving. */
  hasEdits: () => boolean
  /** Names what is not saved. */
  changes: string
  /** Without these three, the question is about edits that can be saved. */
  title?: string
  description?: string
  confirmLabel?: string
  onDiscard?: () => void
}

/** Asks before a page with unsaved edits is left. Dialogs of the page only change the search part of the address. */
export function LeaveQuestion({ hasEdits, changes, onDiscard, ...texts }: LeaveQuestionProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && hasEdits(),
    enableBeforeUnload: hasEdits,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  const { proceed, reset } = blocker
  return (
    <ConfirmDialog
      title={texts.title ?? t`Leave without saving?`}
      description={texts.description ?? t`Your changes are not saved yet.`}
      impact={changes}
      confirmLabel={texts.confirmLabel ?? t`Discard changes`}
      onConfirm={() => {
        onDiscard?.()
        proceed()
      }}
      onClose={reset}
      onFailed={reset}
    />
  )
}
