import { useEffect, useEffectEvent, useState } from 'react'

/**
 * Files dropped anywhere on the page, or pasted, while the component is mounted. A browser opens a file that is dropped
 * on a page without this, and what was typed is lost. Returns whether a file is dragged over the page.
 */
export function useIncomingFile(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  const take = useEffectEvent(onFiles)
  useEffect(() => {
    const listeners = new AbortController()
    const listen = <K extends keyof WindowEventMap>(type: K, listener: (event: WindowEventMap[K]) => void) =>
      window.addEventListener(type, listener, { signal: listeners.signal })
    listen('dragover', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    })
    listen('dragleave', (event) => {
      if (event.relatedTarget === null) setOver(false)
    })
    listen('drop', (event) => {
      setOver(false)
      takeFiles(event, event.dataTransfer)
    })
    // Text is pasted into the fields of the form as always.
    listen('paste', (event) => takeFiles(event, event.clipboardData))
    const takeFiles = (event: Event, data: DataTransfer | null) => {
      const files = [...(data?.files ?? [])]
      if (files.length === 0) return
      event.preventDefault()
      take(files)
    }
    return () => listeners.abort()
  }, [])
  return isOver
}
