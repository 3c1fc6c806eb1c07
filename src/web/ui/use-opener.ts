import { useState } from 'react'

/** The element that had the focus before the first of several successive dialogs. */
let openerOnPage: Element | null = null

let givesBack = false

/** The button of a menu from which an entry was just chosen: the menu can be gone before the dialog is there. */
let chosenFrom: Element | null = null

/** Called before the entry of a menu acts. */
export function recordMenuChoice(entry: Element): void {
  chosenFrom = buttonOf(entry)
  // The button or the dialog has the focus next.
  document.addEventListener('focusin', () => (chosenFrom = null), { once: true })
}

/** Whether a closed dialog is giving the focus back at this moment. */
export const isGivingBack = (): boolean => givesBack

/**
 * Returns the focus to the element that opened a dialog; to the button of the page if the opener was in a closed
 * dialog, and to the heading if nothing of it is left, as after deleting the row.
 */
export function useOpener(): () => void {
  const [opener] = useState(() => {
    const active = document.activeElement === document.body ? chosenFrom : buttonOf(document.activeElement)
    if (!active?.closest('[role=dialog]')) openerOnPage = active
    return active
  })
  return () => {
    // Another element has taken the focus meanwhile.
    if (document.activeElement?.matches('body, [role=dialog]') === false) return
    for (const each of [opener, openerOnPage]) if (takesFocus(each)) return
    focusHeading()
  }
}

export const focusHeading = () => document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })

/** A menu entry disappears with its menu; use the menu's button. */
function buttonOf(element: Element | null): Element | null {
  const button = element?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return button ? document.getElementById(button) : element
}

function takesFocus(element: Element | null): boolean {
  if (!(element instanceof HTMLElement) || element === document.body || !element.isConnected) return false
  givesBack = true
  element.focus({ preventScroll: true })
  givesBack = false
  return document.activeElement === element
}
