import { t } from '@lingui/core/macro'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'
import { KeptContext } from './kept-context.ts'

/**
 * A dialog whose content can't be shown again. Until that is copied or downloaded, its close button, Back, another page, and
 * a reload ask first; a button of the footer closes it at once.
 */
export function ShownOnceDialog({ onClose, ...dialog }: Omit<DialogProps, 'buttonsOnly'>) {
  const [isKept, setKept] = useState(false)
  const [asks, setAsks] = useState(false)
  const left = useBlocker({
    // Closing the dialog replaces the search part of the address.
    shouldBlockFn: ({ action, current, next }) =>
      (action !== 'PUSH' && action !== 'REPLACE') || current.pathname !== next.pathname,
    enableBeforeUnload: true,
    disabled: isKept,
    withResolver: true,
  })
  const ownQuestion = { onConfirm: onClose, onClose: () => setAsks(false) }
  const question = asks
    ? ownQuestion
    : left.status === 'blocked'
      ? { onConfirm: left.proceed, onClose: left.reset }
      : undefined
  return (
    <KeptContext value={() => setKept(true)}>
      {/* By hand, from the text. */}
      <div className="contents" onCopy={() => setKept(true)}>
        <Dialog {...dialog} buttonsOnly onClose={isKept ? onClose : () => setAsks(true)} />
      </div>
      {question && (
        <ConfirmDialog
          title={t`Leave without saving?`}
          description={t`What is shown here has not been saved, and it can't be shown again.`}
          confirmLabel={t`Discard`}
          danger
          {...question}
        />
      )}
    </KeptContext>
  )
}
