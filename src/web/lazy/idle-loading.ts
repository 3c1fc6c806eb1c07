import { useEffect, useState } from 'react'
import { lostAtStore } from '../api/connection.ts'
import { queryClient } from '../api/query-client.ts'
import { firstParts, type WaitingParts, waitingParts } from './lazy-part.tsx'

/** What opens by a shortcut is there soon after the page. */
const soonMs = 500
/** Data and images of the page come first. */
const quietMs = 2000

/** Safari does not support idle callbacks. */
const whenIdle = (run: () => void, laterMs = quietMs) =>
  'requestIdleCallback' in globalThis ? requestIdleCallback(run) : setTimeout(run, laterMs)

/** What the person did last may still have to be shown. */
const shownMs = 1000
let actedAt = -Infinity

const noteAction = () => {
  actedAt = performance.now()
}

const isAwaited = () => performance.now() < actedAt + shownMs || queryClient.isFetching() > 0

/** Runs after `ms` at the earliest, once the browser is idle and nobody waits for anything. */
const whenQuiet = (run: () => void, ms: number) => {
  setTimeout(() => (isAwaited() ? whenQuiet(run, soonMs) : whenIdle(run)), ms)
}

/** Always false in Firefox and Safari, which don't report it. */
const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true

async function loadNext(parts: WaitingParts) {
  const [part] = parts
  // While the server is unreachable or the browser saves data, parts are only loaded when they are opened.
  const loads = part !== undefined && lostAtStore.get() === undefined && !savesData()
  if (loads) {
    parts.delete(part)
    await part.load()
  }
  whenQuiet(() => void loadNext(parts), loads && parts.size > 0 ? 0 : quietMs)
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
 * Preloads the code of `pages`, and the parts that the loaded pages may open, one after the other, while the browser is
 * idle and the person does nothing. Starts only after sign-in.
 */
export function startIdleLoading(pages: readonly (() => Promise<void> | undefined)[]) {
  for (const load of pages) firstParts.add({ load: async () => load() })
  if (started) return
  started = true
  for (const kind of ['keydown', 'pointerdown']) addEventListener(kind, noteAction, { capture: true, passive: true })
  whenQuiet(() => void loadNext(firstParts), soonMs)
  whenQuiet(() => void loadNext(waitingParts), quietMs)
}
