import { type RouterHistory, useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import { parseSearch, type SearchParams, useSetSearchParams } from './search-params.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Number of entries from the page without a dialog to this one, if it was opened there. */
    opened?: number
  }
}

const closed: SearchParams = { dialog: undefined, row: undefined, action: undefined }

function isDialogOpen(search: string): boolean {
  const { dialog, action } = parseSearch(search)
  return (dialog ?? action) !== undefined
}

export interface DialogEntry {
  open: (change: SearchParams) => void
  /** Closes every dialog. */
  close: () => void
}

/**
 * The dialog that the address names, of a page (`dialog`, `row`) or of the panel (`action`). Opening one adds an entry to
 * the history, which closing removes, so that Back then leads to the page before. One that the page was opened with is
 * closed in place.
 */
export function useDialogEntry(): DialogEntry {
  const setSearchParams = useSetSearchParams()
  const { history } = useRouter()
  return useMemo(
    () => ({
      open: (change) => {
        // The router's own state follows later.
        const { search, state } = history.location
        const isOpen = !isGoingBack && isDialogOpen(search)
        const opened = isOpen ? state.opened && state.opened + 1 : 1
        void setSearchParams(change, { state: { opened } })
      },
      close: () => {
        const { opened } = history.location.state
        const leaveAddress = () => void setSearchParams(closed, { replace: true })
        if (opened && !isGoingBack) goBackAfter(leaveAddress, history, opened)
        else leaveAddress()
      },
    }),
    [history, setSearchParams],
  )
}

let isGoingBack = false

/** A browser that has dropped the step back, in milliseconds. */
const longestWait = 1000

/**
 * Goes back as soon as the address names no dialog, since a step back that starts later would cancel a reload. The
 * browser arrives a moment later, and would go back from any page that is opened meanwhile: these wait for it.
 */
function goBackAfter(leaveAddress: () => void, history: RouterHistory, entries: number): void {
  const { push, replace } = history
  const waiting: (() => void)[] = []
  let hasLeft = false
  const goOn = () => {
    stop()
    clearTimeout(timer)
    isGoingBack = false
    Object.assign(history, { push, replace })
    for (const navigate of waiting) navigate()
  }
  const timer = setTimeout(goOn, longestWait)
  const stop = history.subscribe(({ action }) => {
    if (action.type === 'REPLACE' && !hasLeft) {
      hasLeft = true
      // Forward must not open the dialog again.
      history.flush()
      history.go(-entries, { ignoreBlocker: true })
    } else if (action.type !== 'PUSH' && action.type !== 'REPLACE') goOn()
  })
  isGoingBack = true
  leaveAddress()
  history.push = (...args) => void waiting.push(() => push(...args))
  history.replace = (...args) => void waiting.push(() => replace(...args))
}
