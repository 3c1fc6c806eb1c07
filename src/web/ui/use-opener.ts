import { useState } from 'react'

/** What on the page had the focus before the first of the dialogs that follow each other. */
let openerOnPage: Element | null = null

/**
 * Gives the focus back to what opened a dialog; to the page's button when that was in a dialog now gone, and to the
 * heading when nothing of it is left, as after deleting the row.
 */
export function useOpener(): () => void {
  const [opener] = useState(() => {
    const active = buttonOf(document.activeElement)
    if (!active?.closest('[role=dialog]')) openerOnPage = active
    return active
  })
  return () => {
    // Whoever took the focus meanwhile knows better.
    if (document.activeElement?.matches('body, [role=dialog]') === false) return
    for (const each of [opener, openerOnPage]) if (takesFocus(each)) return
    focusHeading()
  }
}

export const focusHeading = () => document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })

/** A menu's entry goes with its menu: its button stays. */
function buttonOf(element: Element | null): Element | null {
  const button = element?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return button ? document.getElementById(button) : element
}

function takesFocus(element: Element | null): boolean {
  if (!(element instanceof HTMLElement) || element === document.body || !element.isConnected) return false
  element.focus({ preventScroll: true })
  return document.activeElement === element
}
