import { useSyncExternalStore } from 'react'

/** Smaller differences are toolbars of the browser. */
const leastKeyboardPx = 120

/** Height that the on-screen keyboard takes from the page. */
function keyboardHeight(): number {
  const seen = window.visualViewport
  // A page that is zoomed in shows less of itself, too.
  if (!seen || seen.scale > 1.05) return 0
  const hidden = Math.round(window.innerHeight - seen.height - seen.offsetTop)
  return hidden >= leastKeyboardPx ? hidden : 0
}

function subscribe(listener: () => void): () => void {
  window.visualViewport?.addEventListener('resize', listener)
  return () => window.visualViewport?.removeEventListener('resize', listener)
}

export const useIsKeyboardOpen = () => useSyncExternalStore(subscribe, () => keyboardHeight() > 0)

/** Tells the style sheet, so that buttons at the bottom stay above the keyboard. */
export function followKeyboard(): () => void {
  const show = () => document.documentElement.style.setProperty('--keyboard', `${keyboardHeight()}px`)
  const seen = window.visualViewport
  seen?.addEventListener('resize', show)
  seen?.addEventListener('scroll', show)
  return () => {
    seen?.removeEventListener('resize', show)
    seen?.removeEventListener('scroll', show)
  }
}
