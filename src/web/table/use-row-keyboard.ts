import { t } from '@lingui/core/macro'
import { type KeyboardEvent, type RefObject, useState } from 'react'
import { useShortcuts } from '../navigation/shortcuts.ts'
import { type PageWalk, usePageWalk } from './use-page-walk.ts'

interface RowKeyboard extends Omit<PageWalk, 'show'> {
  body: RefObject<HTMLElement | null>
  ids: readonly string[]
  onMove?: ((id: string) => void) | undefined
  onToggle?: (id: string, range: boolean) => void
  onEnter: (id: string) => void
}

/** j/k and the arrow keys move between rows, x selects, Enter opens. One row is in the tab order. */
export function useRowKeyboard({ body, ids, onMove, onToggle, onEnter, ...walk }: RowKeyboard) {
  const { openedId } = walk
  const [chosen, setActiveId] = useState<string>()
  const activeId = chosen !== undefined && ids.includes(chosen) ? chosen : undefined

  const show = (index: number) => {
    const id = ids[index]
    setActiveId(id)
    body.current?.querySelectorAll<HTMLElement>('tr[data-row]')[index]?.focus()
    if (id !== undefined && id !== openedId) onMove?.(id)
  }
  const turn = usePageWalk({ ...walk, show })
  const move = (by: number) => {
    if (ids.length === 0) return
    const current = openedId ?? activeId
    const from = current === undefined ? (by > 0 ? -1 : ids.length) : ids.indexOf(current)
    const next = Math.min(Math.max(from + by, 0), ids.length - 1)
    show(next)
    if (next === from) turn(by)
  }
  const toggleFocused = () => {
    const row = document.activeElement?.closest<HTMLElement>('tr[data-row]')
    if (row?.dataset.row !== undefined && body.current?.contains(row)) onToggle?.(row.dataset.row, false)
  }

  const group = t`Tables`
  useShortcuts([
    { id: 'row-next', keys: 'j', label: t`Next row`, group, run: () => move(1) },
    { id: 'row-previous', keys: 'k', label: t`Previous row`, group, run: () => move(-1) },
    ...(onToggle ? [{ id: 'row-select', keys: 'x', label: t`Select row`, group, run: toggleFocused }] : []),
  ])

  // Arrow keys and Enter act only while a row itself has the focus; elsewhere, they scroll and press buttons.
  const onKeyDown = (event: KeyboardEvent) => {
    const row = event.target as HTMLElement
    if (row.dataset.row === undefined) return
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter') onEnter(row.dataset.row)
    else return
    event.preventDefault()
  }
  return { activeId, setActiveId, onKeyDown }
}
