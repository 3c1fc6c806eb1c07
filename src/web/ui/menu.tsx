import { type KeyboardEvent, useState } from 'react'
import { lazyPart } from '../lazy/lazy-part.tsx'
import type { MenuProps } from './menu-entry.ts'

const MenuPanel = lazyPart(() => import('./menu-panel.tsx'), 'MenuPanel')

/** A button with a menu. Only a button until it is first used, because a table has one per row. */
export function Menu(props: MenuProps) {
  const { label, children, className, onOpen } = props
  const [used, setUsed] = useState(false)
  const open = () => {
    setUsed(true)
    onOpen?.()
  }
  const openByArrow = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    open()
  }
  const plain = (
    <button
      type="button"
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={used}
      onPointerEnter={MenuPanel.preload}
      onFocus={MenuPanel.preload}
      onClick={open}
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
