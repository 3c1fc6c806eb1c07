import { type AnyRouter, type RouterHistory, useRouter, useRouterState } from '@tanstack/react-router'
import { useMemo } from 'react'
import { parseSearch, type SearchParams, useSetSearchParams } from './search-params.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Number of entries from the page without a dialog to this one, if it was opened there. */
    opened?: number
    /** When the dialog was opened, in milliseconds: tells it from another one of the same name. */
    openedAt?: number
    /** The same for the panel, also with other subjects and dialogs in between; and the page without it. */
    panel?: { entries: number; page: string }
  }
}

type Router = Pick<AnyRouter, 'subscribe'> & { history: RouterHistory }

const closed: SearchParams = { dialog: undefined, row: undefined, action: undefined }

export function isDialogOpen(search: string): boolean {
  const { dialog, action } = parseSearch(search)
  return !goingBack && (dialog ?? action) !== undefined
}

export interface DialogEntry {
  open: (change: SearchParams) => void
  /** Closes every dialog. */
  close: () => void
  /** Whether the dialog of the address, if there is one, is still the one of this rendering. */
  isSame: () => boolean
}

/** Called before a dialog opens, to write to the address what closing it should lead back to. */
export const beforeOpening = new Set<() => unknown>()

/**
 * The dialog that the address names, of a page (`dialog`, `row`) or of the panel (`action`). Opening one adds an entry to
 * the history, which closing removes, so that Back then leads to the page before. One that the page was opened with is
 * closed in place.
 */
export function useDialogEntry(): DialogEntry {
  const setSearchParams = useSetSearchParams()
  const router = useRouter()
  const openedAt = useRouterState({ select: ({ location }) => location.state.openedAt })
  return useMemo(() => {
    const { history } = router
    return {
      open: (change) => {
        for (const write of beforeOpening) write()
        // Or one entry would take the place of both.
        history.flush()
        // The router's own state follows later.
        const { search, state } = history.location
        const opened = isDialogOpen(search) ? state.opened && state.opened + 1 : 1
        void setSearchParams(change, { state: { opened, openedAt: Date.now(), panel: nextPanel(state.panel) } })
      },
      close: () => {
        const { opened, panel } = history.location.state
        const leaveAddress = () => void setSearchParams(closed, { replace: true, state: { panel } })
        if (opened && !goingBack) goBackAfter(leaveAddress, router, opened)
        else leaveAddress()
      },
      isSame: () => history.location.state.openedAt === openedAt,
    }
  }, [router, setSearchParams, openedAt])
}

/** Number of entries that the browser is going back. */
let goingBack = 0

/** A browser that has dropped the step back, in milliseconds. */
const longestWait = 1000

const waiting: (() => void)[] = []

/** At once, or when the browser has gone back. */
export const onceThere = (act: () => void): void => (goingBack ? void waiting.push(act) : act())

/** State of the panel in the next entry. */
export const nextPanel = <P extends { entries: number }>(panel: P | undefined): P | undefined =>
  panel && { ...panel, entries: panel.entries + 1 - goingBack }

/**
 * Goes back as soon as the address no longer names what closes, since a step back that starts later would cancel a reload.
 * The browser arrives a moment later, and would go back from any page that is opened meanwhile: these wait for it.
 */
export function goBackAfter(leaveAddress: () => void, router: Router, entries: number): void {
  const { history } = router
  const { push, replace } = history
  let hasLeft = false
  const goOn = () => {
    stop()
    clearTimeout(timer)
    goingBack = 0
    Object.assign(history, { push, replace })
    for (const act of waiting.splice(0)) onceThere(act)
  }
  const timer = setTimeout(goOn, longestWait)
  const stop = history.subscribe(({ action }) => {
    if (action.type === 'REPLACE' && !hasLeft) {
      hasLeft = true
      // Forward must not open it again.
      history.flush()
      history.go(-entries, { ignoreBlocker: true })
    } else if (action.type !== 'PUSH' && action.type !== 'REPLACE') {
      keepScrolled(router)
      goOn()
    }
  })
  goingBack = entries
  leaveAddress()
  history.push = (...args) => void waiting.push(() => push(...args))
  history.replace = (...args) => void waiting.push(() => replace(...args))
}

/** The page stays where it is: somebody may have scrolled it since the entry was left. */
function keepScrolled(router: Router): void {
  const { scrollX, scrollY } = window
  const { __TSR_key: key } = router.history.location.state
  const stop = router.subscribe('onRendered', ({ toLocation }) => {
    stop()
    const { __TSR_key: shown } = toLocation.state
    if (shown === key) window.scrollTo(scrollX, scrollY)
  })
}
