import { createContext, type ReactNode, use, useCallback, useRef, useState } from 'react'
import { LeaveQuestion } from '#web/ui/leave-question.tsx'

type Report = (card: string, isUnsaved: boolean) => void

const UnsavedReport = createContext<Report>(() => undefined)

/** Tells the page whether a card has unsaved edits. */
export const useUnsavedReport = (): Report => use(UnsavedReport)

/** Asks before a page is left while any of its cards, each with its own Save, has unsaved edits. */
export function UnsavedCards({ children }: { children: ReactNode }) {
  const cards = useRef(new Set<string>())
  const [names, setNames] = useState('')
  const report = useCallback<Report>((card, isUnsaved) => {
    if (isUnsaved) cards.current.add(card)
    else cards.current.delete(card)
    setNames([...cards.current].join(', '))
  }, [])
  return (
    <UnsavedReport value={report}>
      {children}
      <LeaveQuestion hasEdits={() => cards.current.size > 0} changes={names} />
    </UnsavedReport>
  )
}
