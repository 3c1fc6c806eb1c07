import { type HistoryState, type RouterHistory, useRouter } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import {
  parseSearch,
  type SearchParams,
  stringifySearch,
  useSearchParams,
  useSetSearchParams,
} from '../navigation/search-params.ts'
import { goBackAfter, isDialogOpen, nextPanel, onceThere, useDialogEntry } from '../navigation/use-dialog-entry.ts'
import { type PanelSubject, panelSubject, panelText } from './panel-address.ts'

export interface PanelState {
  subject: PanelSubject | undefined
  /** Name of the chosen tab. */
  tab: string | undefined
  /** Name of the dialog that the panel has opened. */
  action: string | undefined
  /** With `replace` in place of the subject that is open, so that Back leaves the panel. */
  open: (subject: PanelSubject, options?: { replace?: boolean }) => void
  close: () => void
  /** The same after the subject was deleted: not if something else was opened before the reply. */
  closeDeleted: () => void
  setTab: (tab: string) => void
  /** Opens a dialog; `undefined` closes the open one, but none that was opened since. */
  setAction: (action: string | undefined) => void
}

/** Changes of the address that open a subject. The tab stays: who reads histories goes on reading histories. */
export const panelParams = (subject: PanelSubject): SearchParams => ({
  panel: panelText(subject),
  action: undefined,
  dialog: undefined,
  row: undefined,
})

const closed: SearchParams = { panel: undefined, part: undefined, action: undefined }

/** The address without the panel and dialogs. */
function pageOf({ pathname, search }: RouterHistory['location']): string {
  const { panel: _panel, part: _part, action: _action, dialog: _dialog, row: _row, ...rest } = parseSearch(search)
  return `${pathname}${stringifySearch(rest)}`
}

/** State of an entry that opens a subject. */
export function panelState({ location }: RouterHistory): HistoryState {
  const { search, state } = location
  const { opened, panel } = state
  if (parseSearch(search)['panel'] !== undefined) return { panel: nextPanel(panel) }
  const entries = isDialogOpen(search) ? opened && opened + 1 : 1
  return { panel: entries === undefined ? undefined : { entries, page: pageOf(location) } }
}

/**
 * The panel lives in the address, `?panel=user:ana&part=history`. Each subject adds an entry to the history, so that Back
 * leads to the one before; closing removes all of them, unless the page beside it has changed. One that the page was
 * opened with is closed in place.
 */
export function usePanel(): PanelState {
  const { panel, part, action } = useSearchParams()
  const setSearchParams = useSetSearchParams()
  const entry = useDialogEntry()
  const router = useRouter()
  const subject = useMemo(() => panelSubject(panel), [panel])
  const open = useCallback<PanelState['open']>(
    (next, { replace = false } = {}) =>
      void setSearchParams(panelParams(next), replace ? { replace } : { state: panelState(router.history) }),
    [router, setSearchParams],
  )
  const close = useCallback(
    () =>
      onceThere(() => {
        const { location } = router.history
        const { panel: opened } = location.state
        const leaveAddress = () => void setSearchParams(closed, { replace: true, state: {} })
        if (opened?.page === pageOf(location)) goBackAfter(leaveAddress, router, opened.entries)
        else leaveAddress()
      }),
    [router, setSearchParams],
  )
  const setTab = useCallback((tab: string) => void setSearchParams({ part: tab }, { replace: true }), [setSearchParams])
  const isShown = useCallback(
    (...actions: (string | undefined)[]) => {
      const now = parseSearch(router.history.location.search)
      return now['panel'] === panel && actions.includes(now['action'])
    },
    [router, panel],
  )
  const closeDeleted = useCallback(() => isShown(action, undefined) && close(), [isShown, action, close])
  const setAction = useCallback(
    (name: string | undefined) => {
      if (name !== undefined) entry.open({ action: name })
      else if (isShown(action) && entry.isSame()) entry.close()
    },
    [entry, isShown, action],
  )
  return useMemo(
    () => ({ subject, tab: part, action, open, close, closeDeleted, setTab, setAction }),
    [subject, part, action, open, close, closeDeleted, setTab, setAction],
  )
}
