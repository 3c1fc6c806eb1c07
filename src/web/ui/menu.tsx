import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { lazyPart } from '../lazy/lazy-part.tsx'
import type { MenuEntry } from './menu-entry.ts'

export interface MenuProps {
  /** Accessible name of the trigger. Omit it if the trigger has a text. */
  label?: string
  /** Computed when the menu opens. */
  entries: () => readonly MenuEntry[]
  /** Content of the trigger button. */
  children: ReactNode
  className?: string
  align?: 'start' | 'end'
  side?: 'bottom' | 'top'
  /** Content above the entries, e.g. the signed-in user. */
  header?: ReactNode
}

const MenuPanel = lazyPart(() => import('./menu-panel.tsx'), 'MenuPanel')

/** A button with a menu. Only a button until it is first used, because a table has one per row. */
export function Menu(props: MenuProps) {
  const { label, children, className } = props
  const [used, setUsed] = useState(false)
  const openByArrow = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    setUsed(true)
  }
  const plain = (
    <button
      type="button"
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={used}
      onPointerEnter={MenuPanel.preload}
      onFocus={MenuPanel.preload}
      onClick={() => setUsed(true)}
      onKeyDown={openByArrow}
      className={className}
    >
      {children}
    </button>
  )
  return (
    <MenuPanel
      {...props}
      shown={used}
      placeholder={plain}
      onFailed={() => setUsed(false)}
      onReopen={() => setUsed(true)}
    />
  )
}
