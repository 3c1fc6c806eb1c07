import { useEffect } from 'react'
import { isSignedIn } from '../api/session-end.ts'

const unsaved = new Set<unknown>()

/** Signing out discards everything. */
const askBeforeUnload = (event: BeforeUnloadEvent) => isSignedIn() && event.preventDefault()

/** While anything is unsaved, the browser asks before the page is closed or loaded again. */
export function setUnsaved(key: unknown, isUnsaved: boolean): void {
  if (isUnsaved) unsaved.add(key)
  else unsaved.delete(key)
  if (unsaved.size > 0) window.addEventListener('beforeunload', askBeforeUnload)
  else window.removeEventListener('beforeunload', askBeforeUnload)
}

/** With the session. */
export function forgetUnsaved(): void {
  for (const key of unsaved) setUnsaved(key, false)
}

/** The same for what is lost with the component. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return undefined
    const key = {}
    setUnsaved(key, true)
    return () => setUnsaved(key, false)
  }, [isUnsaved])
}
