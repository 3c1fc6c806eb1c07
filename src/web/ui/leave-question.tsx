import { t } from '@lingui/core/macro'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { isSignedIn, leaveQuestions } from '../api/session-end.ts'
import { lazyPart } from '../lazy/lazy-part.tsx'

const ConfirmDialog = lazyPart(() => import('./confirm-dialog.tsx'), 'ConfirmDialog')

interface LeaveQuestionProps {
  /** Read when leaving. */
  hasEdits: () => boolean
  /** While the edits are being saved, leaving waits: it goes on once they are saved, and asks if that failed. */
  isSaving?: boolean
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
export function LeaveQuestion({ hasEdits, isSaving = false, changes, onDiscard, ...texts }: LeaveQuestionProps) {
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
  const isLeaving = isAsked || blocker.status === 'blocked'
  const goOn = useEffectEvent(() => {
    if (isAsked) answer(true)
    else blocker.proceed?.()
  })
  useEffect(() => {
    if (isLeaving && !isSaving && !hasEdits()) goOn()
  })
  // A form that starts anew with what was saved takes the question with it.
  const goOnOnceSaved = useEffectEvent(() => isSaving && goOn())
  useEffect(() => () => void goOnOnceSaved(), [])
  if (!isLeaving || isSaving) return null
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
