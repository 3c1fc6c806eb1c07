import { type KeyboardEvent, useCallback, useRef, useState } from 'react'
import { lazyPart } from '../lazy/lazy-part.tsx'
import type { MenuProps } from './menu-entry.ts'

const MenuPanel = lazyPart(() => import('./menu-panel.tsx'), 'MenuPanel')

/** A button with a menu. Only a button until it is first used, because a table has one per row. */
export function Menu(props: MenuProps) {
  const { label, children, className, onOpen } = props
  const [used, setUsed] = useState(false)
  const { attach, keepFocus } = useKeptFocus()
  const open = () => {
    keepFocus()
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
      ref={attach}
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
  if (!used) return plain
  return (
    <MenuPanel
      {...props}
      shown={used}
      placeholder={plain}
      onFailed={() => {
        keepFocus()
        setUsed(false)
      }}
      onReopen={() => setUsed(true)}
    />
  )
}

/** The button becomes another element when its menu starts to load, and again if that fails. */
function useKeptFocus() {
  const button = useRef<HTMLButtonElement>(null)
  const hadFocus = useRef(false)
  const attach = useCallback((element: HTMLButtonElement | null) => {
    button.current = element
    if (!element) return
    if (hadFocus.current) element.focus()
    hadFocus.current = false
  }, [])
  const keepFocus = () => {
    hadFocus.current = button.current === document.activeElement
  }
  return { attach, keepFocus }
}
