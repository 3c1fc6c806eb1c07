import { useEffect, useState } from 'react'
import { lostAtStore } from '../api/connection.ts'
import { waitingParts } from './lazy-part.tsx'

/** The page's own data and pictures come first. */
const quietMs = 2000

/** Safari has no idle callbacks. */
const whenIdle = (run: () => void, laterMs = quietMs) =>
  'requestIdleCallback' in globalThis ? requestIdleCallback(run) : setTimeout(run, laterMs)

async function loadNext() {
  const [part] = waitingParts
  // While the server is away, what is opened is loaded then or not at all.
  if (part && lostAtStore.get() === undefined) {
    waitingParts.delete(part)
    await part.load()
  }
  setTimeout(() => whenIdle(() => void loadNext()), waitingParts.size > 0 ? 0 : quietMs)
}

const drawnMs = 200

/** True once the browser has drawn the page and has nothing to do: for what stands beside a page's own subject. */
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
 * Loads the parts that the pages loaded so far may open, one after the other, while the browser has nothing
 * else to do: what is opened is then normally there. Not before somebody is signed in.
 */
export function startIdleLoading() {
  if (started) return
  started = true
  setTimeout(() => whenIdle(() => void loadNext()), quietMs)
}
