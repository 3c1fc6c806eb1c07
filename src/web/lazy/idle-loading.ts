import { useEffect, useState } from 'react'
import { lostAtStore } from '../api/connection.ts'
import { waitingParts } from './lazy-part.tsx'

/** Data and images of the page come first. */
const quietMs = 2000

/** Safari does not support idle callbacks. */
const whenIdle = (run: () => void, laterMs = quietMs) =>
  'requestIdleCallback' in globalThis ? requestIdleCallback(run) : setTimeout(run, laterMs)

async function loadNext() {
  const [part] = waitingParts
  // While the server is unreachable, parts are only loaded when they are opened.
  if (part && lostAtStore.get() === undefined) {
    waitingParts.delete(part)
    await part.load()
  }
  setTimeout(() => whenIdle(() => void loadNext()), waitingParts.size > 0 ? 0 : quietMs)
}

const drawnMs = 200

/** True once the page is rendered and the browser is idle: for content that is not the main subject of a page. */
export function useIdle(): boolean {
  const [idle, setIdle] = useState(false)
  useEffect(() => {
    let gone = false
    whenIdle(() => !gone && setIdle(true), drawnMs)
    return () => {
      gone = true
    }
  }, [])
  return idle
}

let started = false

/**
 * Preloads the parts that the loaded pages may open, one after the other, while the browser is idle. Starts only after
 * sign-in.
 */
export function startIdleLoading() {
  if (started) return
  started = true
  setTimeout(() => whenIdle(() => void loadNext()), quietMs)
}
