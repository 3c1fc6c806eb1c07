import { useCallback, useMemo } from 'react'
import { useSearchParams, useSetSearchParams } from './search-params.ts'

export interface DialogState {
  /** Name of the open dialog, e.g. `create`; `undefined` if none is open. */
  name: string | undefined
  /** Its subject: an ID, a key, a username. */
  row: string | undefined
  open: (name: string, row?: string) => void
  close: () => void
}

/** Dialogs live in the URL as `?dialog=edit&row=…`: Back closes them and a link opens them. */
export function useDialog(): DialogState {
  const { dialog, row } = useSearchParams()
  const setSearchParams = useSetSearchParams()
  const open = useCallback(
    (name: string, of?: string) => void setSearchParams({ dialog: name, row: of }),
    [setSearchParams],
  )
  const close = useCallback(
    () => void setSearchParams({ dialog: undefined, row: undefined }, { replace: true }),
    [setSearchParams],
  )
  return useMemo(() => ({ name: dialog, row, open, close }), [dialog, row, open, close])
}
