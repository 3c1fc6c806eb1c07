import { useRouter } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { parseSearch, useSearchParams } from './search-params.ts'
import { useDialogEntry } from './use-dialog-entry.ts'

export interface DialogState {
  /** Name of the open dialog, e.g. `create`; `undefined` if none is open. */
  name: string | undefined
  /** Its subject: an ID, a key, a username. */
  row: string | undefined
  open: (name: string, row?: string) => void
  /** Closes this dialog; not another one that was opened since, e.g. before the reply to a call of this one. */
  close: () => void
}

/** Dialogs live in the URL as `?dialog=edit&row=…`: Back closes them and a link opens them. */
export function useDialog(): DialogState {
  const { dialog, row } = useSearchParams()
  const { history } = useRouter()
  const entry = useDialogEntry()
  const open = useCallback((name: string, of?: string) => entry.open({ dialog: name, row: of }), [entry])
  const close = useCallback(() => {
    const now = parseSearch(history.location.search)
    if (now['dialog'] === dialog && now['row'] === row && entry.isSame()) entry.close()
  }, [history, entry, dialog, row])
  return useMemo(() => ({ name: dialog, row, open, close }), [dialog, row, open, close])
}

/** One of these dialogs; the name is from the URL, which may say anything. */
export const dialogNamed = <T>(dialogs: Readonly<Record<string, T>>, name: string | undefined): T | undefined =>
  name !== undefined && Object.hasOwn(dialogs, name) ? dialogs[name] : undefined
