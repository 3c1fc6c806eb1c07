import { useMemo } from 'react'
import { useSearchParams } from './search-params.ts'
import { useDialogEntry } from './use-dialog-entry.ts'

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
  const entry = useDialogEntry()
  const { open, close } = useMemo(
    () => ({ open: (name: string, of?: string) => entry.open({ dialog: name, row: of }), close: entry.close }),
    [entry],
  )
  return useMemo(() => ({ name: dialog, row, open, close }), [dialog, row, open, close])
}

/** One of these dialogs; the name is from the URL, which may say anything. */
export const dialogNamed = <T>(dialogs: Readonly<Record<string, T>>, name: string | undefined): T | undefined =>
  name !== undefined && Object.hasOwn(dialogs, name) ? dialogs[name] : undefined
