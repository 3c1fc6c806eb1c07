import { type KeyboardEvent, lazy, type ReactNode, Suspense, useState } from 'react'
import type { MenuEntry } from './menu-entry.ts'

export interface MenuProps {
  /** The trigger's accessible name. Omit it when the trigger's text says it. */
  label?: string
  /** Computed when the menu opens. */
  entries: () => readonly MenuEntry[]
  /** Content of the trigger button. */
  children: ReactNode
  className?: string
  align?: 'start' | 'end'
  side?: 'bottom' | 'top'
  /** Stands above the entries, e.g. who is signed in. */
  header?: ReactNode
}

const loadPanel = () => import('./menu-panel.tsx')
const MenuPanel = lazy(() => loadPanel().then((module) => ({ default: module.MenuPanel })))

/** A button with a menu. Until it is first used it is only a button: a table has one per row. */
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
      onPointerEnter={() => void loadPanel()}
      onFocus={() => void loadPanel()}
      onClick={() => setUsed(true)}
      onKeyDown={openByArrow}
      className={className}
    >
      {children}
    </button>
  )
  if (!used) return plain
  return (
    <Suspense fallback={plain}>
      <MenuPanel {...props} />
    </Suspense>
  )
}
