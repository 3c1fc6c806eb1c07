import { createContext, type ReactNode, use, useCallback, useRef, useState } from 'react'
import { LeaveQuestion } from '#web/ui/leave-question.tsx'

interface Unsaved {
  isSaving: boolean
}

type Report = (card: string, unsaved: Unsaved | undefined) => void

const UnsavedReport = createContext<Report>(() => undefined)

/** Tells the page whether a card has unsaved edits. */
export const useUnsavedReport = (): Report => use(UnsavedReport)

/** Asks before a page is left while any of its cards, each with its own Save, has unsaved edits. */
export function UnsavedCards({ children }: { children: ReactNode }) {
  const cards = useRef(new Map<string, Unsaved>())
  const [shown, setShown] = useState({ changes: '', isSaving: false })
  const report = useCallback<Report>((card, unsaved) => {
    if (unsaved) cards.current.set(card, unsaved)
    else cards.current.delete(card)
    const isSaving = [...cards.current.values()].some((each) => each.isSaving)
    setShown({ changes: [...cards.current.keys()].join(', '), isSaving })
  }, [])
  return (
    <UnsavedReport value={report}>
      {children}
      <LeaveQuestion hasEdits={() => cards.current.size > 0} {...shown} />
    </UnsavedReport>
  )
}
