import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { BulkTarget } from '../bulk/bulk-act.ts'
import { failureText } from '../api/errors.ts'
import { notify } from '../browser/notify.ts'
import type { ListPage } from './use-list-page.ts'

interface ListDialogsProps<R, D, F> {
  list: ListPage<R, D, F>
  /** Dialogs of the page, by the name that opens them. Each may be nothing while its data are on their way. */
  page?: Record<string, () => ReactNode>
  /** Dialogs about one row; `?dialog=edit&row=<id>` finds it wherever it stands. */
  row?: Record<string, (row: R) => ReactNode>
  /** Said when a link names a row that doesn't exist. */
  rowMissing: string
  /** Dialogs about the selected rows; an address that names one while nothing is selected is corrected. */
  selected?: Record<string, (target: BulkTarget<F>) => ReactNode>
  noneSelected?: string
}

/** The one dialog that the URL names. Their files are lazy: give components made by `lazyDialog`. */
export function ListDialogs<R, D, F>(props: ListDialogsProps<R, D, F>) {
  const { list, page = {}, row = {}, selected = {} } = props
  const { name, row: id } = list.dialog
  if (name === undefined) return null
  const ofRow = row[name]
  return (
    <>
      {id !== undefined && ofRow ? (
        <RowDialog key={`${name} ${id}`} list={list} id={id} missing={props.rowMissing}>
          {ofRow}
        </RowDialog>
      ) : selected[name] ? (
        <SelectionDialog key={name} list={list} none={props.noneSelected}>
          {selected[name]}
        </SelectionDialog>
      ) : (
        page[name]?.()
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
  // A row that leaves the list while its dialog is open must not take with it what was typed there.
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

/** The row with this id: from the rows that are loaded, else looked up, as when a link opened the dialog. */
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

/** Fixes what is selected while its dialog is open: rows that leave the list, or the selection, don't change it. */
function SelectionDialog<R, D, F>({ list, none, children }: SelectionDialogProps<R, D, F>) {
  const { selection, filter, total, dialog } = list
  const { close } = dialog
  const [target] = useState<BulkTarget<F> | undefined>(() => {
    if (list.selected === 0) return undefined
    return selection.allMatching ? { filter, count: total } : { names: [...selection.ids] }
  })
  const isLost = target === undefined
  useEffect(() => {
    // A link, or Forward, may name a dialog about rows that nobody has selected.
    if (!isLost) return
    if (none) notify.error(none)
    close()
  }, [isLost, none, close])
  return target && children(target)
}
