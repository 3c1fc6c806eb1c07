import { useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Gives the focus back to what opened a dialog, also when one dialog led to another or the opener has gone with
 * its row; then the heading has it.
 */
export function useReturnFocus(isOpen: boolean) {
  const opener = useRef<Element>(null)
  const wasOpen = useRef(false)
  useLayoutEffect(() => {
    if (isOpen && !wasOpen.current) opener.current = openerOf(document.activeElement)
  }, [isOpen])
  useEffect(() => {
    const hasClosed = wasOpen.current && !isOpen
    wasOpen.current = isOpen
    if (!hasClosed) return undefined
    // The dialog itself tries first, one turn after it left.
    const timer = setTimeout(() => {
      if (document.activeElement !== document.body) return
      const target = opener.current
      const heading = document.querySelector<HTMLElement>('h1')
      if (target instanceof HTMLElement && target.isConnected && target !== document.body) target.focus()
      else heading?.focus()
    }, 50)
    return () => clearTimeout(timer)
  }, [isOpen])
}

/** A menu's entry goes with its menu: its button is meant. */
function openerOf(element: Element | null): Element | null {
  const button = element?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return button ? document.getElementById(button) : element
}
