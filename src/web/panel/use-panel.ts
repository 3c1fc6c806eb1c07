import { useCallback, useMemo } from 'react'
import { type SearchParams, useSearchParams, useSetSearchParams } from '../navigation/search-params.ts'
import { useDialogEntry } from '../navigation/use-dialog-entry.ts'
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
  setTab: (tab: string) => void
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

/** The panel lives in the address, `?panel=user:ana&part=history`: Back closes it and a link opens it. */
export function usePanel(): PanelState {
  const { panel, part, action } = useSearchParams()
  const setSearchParams = useSetSearchParams()
  const entry = useDialogEntry()
  const subject = useMemo(() => panelSubject(panel), [panel])
  const open = useCallback<PanelState['open']>(
    (next, { replace = false } = {}) => void setSearchParams(panelParams(next), { replace }),
    [setSearchParams],
  )
  const close = useCallback(() => void setSearchParams(closed, { replace: true }), [setSearchParams])
  const setTab = useCallback((tab: string) => void setSearchParams({ part: tab }, { replace: true }), [setSearchParams])
  const setAction = useCallback(
    (name: string | undefined) => (name === undefined ? entry.close() : entry.open({ action: name })),
    [entry],
  )
  return useMemo(
    () => ({ subject, tab: part, action, open, close, setTab, setAction }),
    [subject, part, action, open, close, setTab, setAction],
  )
}
