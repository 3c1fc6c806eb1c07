import { useState } from 'react'

/** What on the page had the focus before the first of the dialogs that follow each other. */
let openerOnPage: Element | null = null

/** Gives the focus back to what opened a dialog; to the page's button when that was in a dialog now gone. */
export function useOpener(): () => void {
  const [opener] = useState(() => {
    const active = document.activeElement
    if (!active?.closest('[role=dialog]')) openerOnPage = active
    return active
  })
  return () => {
    // Whoever took the focus meanwhile knows better.
    if (document.activeElement?.matches('body, [role=dialog]') === false) return
    const back = opener?.isConnected ? opener : openerOnPage
    if (back instanceof HTMLElement) back.focus({ preventScroll: true })
  }
}
