import { t } from '@lingui/core/macro'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { isSignedIn, leaveQuestions } from '../api/session-end.ts'
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

/**
 * Asks before a page with unsaved edits is left, or before signing out. Dialogs of the page only change the search part of
 * the address.
 */
export function LeaveQuestion({ hasEdits, changes, onDiscard, ...texts }: LeaveQuestionProps) {
  const { answer, isAsked } = useSignOutQuestion(hasEdits)
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && hasEdits(),
    // Whoever signs out was asked before.
    enableBeforeUnload: () => isSignedIn() && hasEdits(),
    withResolver: true,
  })
  const proceed = () => {
    onDiscard?.()
    blocker.proceed?.()
  }
  // While the session can't be ended, the edits stay.
  const [onConfirm, onClose] = isAsked ? [() => answer(true), () => answer(false)] : [proceed, () => blocker.reset?.()]
  if (!isAsked && blocker.status !== 'blocked') return null
  return (
    <ConfirmDialog
      title={texts.title ?? t`Leave without saving?`}
      description={texts.description ?? t`Your changes are not saved yet.`}
      impact={changes}
      confirmLabel={texts.confirmLabel ?? t`Discard changes`}
      onConfirm={onConfirm}
      onClose={onClose}
      onFailed={onClose}
    />
  )
}

function useSignOutQuestion(hasEdits: () => boolean) {
  const [asked, setAsked] = useState<(mayLeave: boolean) => void>()
  const ask = useEffectEvent((resolve: (mayLeave: boolean) => void) =>
    hasEdits() ? setAsked(() => resolve) : resolve(true),
  )
  useEffect(() => {
    const question = () => new Promise<boolean>((resolve) => ask(resolve))
    leaveQuestions.add(question)
    return () => void leaveQuestions.delete(question)
  }, [])
  const answer = (mayLeave: boolean) => {
    setAsked(undefined)
    asked?.(mayLeave)
  }
  return { answer, isAsked: asked !== undefined }
}
