import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { BulkTarget } from '../bulk/bulk-action.ts'
import { failureText } from '../api/errors.ts'
import { notify } from '../browser/notify.ts'
import { dialogNamed } from '../navigation/use-dialog.ts'
import type { ListPage } from './use-list-page.ts'

interface ListDialogsProps<R, D, F> {
  list: ListPage<R, D, F>
  /** Dialogs of the page by name. Each may be missing until its data is loaded. */
  page?: Record<string, () => ReactNode>
  /** Dialogs for one row; `?dialog=edit&row=<id>` finds it on any page. */
  row?: Record<string, (row: R) => ReactNode>
  /** Message for a link to a row that does not exist. */
  rowMissing: string
  /** Dialogs for the selected rows; a URL that opens one without a selection is corrected. */
  selected?: Record<string, (target: BulkTarget<F>) => ReactNode>
  noneSelected?: string
}

/** Renders the dialog named in the URL. Dialogs are lazy chunks made by `lazyDialog`. */
export function ListDialogs<R, D, F>(props: ListDialogsProps<R, D, F>) {
  const { list, page = {}, row = {}, selected = {} } = props
  const { name, row: id } = list.dialog
  if (name === undefined) return null
  const ofRow = dialogNamed(row, name)
  const ofSelected = dialogNamed(selected, name)
  return (
    <>
      {id !== undefined && ofRow ? (
        <RowDialog key={`${name} ${id}`} list={list} id={id} missing={props.rowMissing}>
          {ofRow}
        </RowDialog>
      ) : ofSelected ? (
        <SelectionDialog key={name} list={list} none={props.noneSelected}>
          {ofSelected}
        </SelectionDialog>
      ) : (
        dialogNamed(page, name)?.()
      )}
    </>
  )
}

interface RowDialogProps<R, D, F> {
  list: ListPage<R, D, F>
  id: string
  missing: string
  children: (row: R) => ReactNode
}

function RowDialog<R, D, F>({ list, id, missing, children }: RowDialogProps<R, D, F>) {
  const { found, isMissing, error } = useRow(list, id)
  // Keeps the row while its dialog is open, so that entered text is not lost if it leaves the list.
  const [row, setRow] = useState(found)
  if (found !== undefined && found !== row) setRow(found)
  const { close } = list.dialog
  const problem = row !== undefined ? undefined : error ? failureText(error, missing) : isMissing ? missing : undefined
  useEffect(() => {
    if (problem === undefined) return
    notify.error(problem)
    close()
  }, [problem, close])
  return row === undefined ? null : children(row)
}

/** The row with this ID: from the loaded rows, otherwise requested, e.g. for a dialog opened by a link. */
function useRow<R, D, F>({ source, data }: ListPage<R, D, F>, id: string) {
  const rowIn = (loaded: D | undefined) =>
    loaded === undefined ? undefined : source.rows(loaded).find((row) => source.rowId(row) === id)
  const loaded = rowIn(data)
  const isLookedUp = data !== undefined && loaded === undefined
  const lookup = useQuery({ ...source.lookUp(id), networkMode: 'always', enabled: isLookedUp })
  const found = loaded ?? (isLookedUp ? rowIn(lookup.data) : undefined)
  return { found, isMissing: isLookedUp && lookup.data !== undefined && !lookup.isFetching, error: lookup.error }
}

interface SelectionDialogProps<R, D, F> {
  list: ListPage<R, D, F>
  none: string | undefined
  children: (target: BulkTarget<F>) => ReactNode
}

/** Keeps the selection while its dialog is open, even if rows leave the list or the selection. */
function SelectionDialog<R, D, F>({ list, none, children }: SelectionDialogProps<R, D, F>) {
  const { selection, filter, total, isMore, dialog } = list
  const { close } = dialog
  const [target] = useState<BulkTarget<F> | undefined>(() => {
    if (list.selected === 0) return undefined
    if (!selection.allMatching) return { names: [...selection.ids] }
    // Not counted to the end: the dialog counts.
    return isMore ? { filter } : { filter, count: total }
  })
  const isLost = target === undefined
  useEffect(() => {
    // A link or the Forward button may open a dialog for selected rows without a selection.
    if (!isLost) return
    if (none) notify.error(none)
    close()
  }, [isLost, none, close])
  return target && children(target)
}
