import { type ReactNode, useEffect, useState } from 'react'
import type { Selection } from '../table/selection.ts'
import type { BulkTarget } from './bulk-act.ts'

interface OnSelectionProps<Filter> {
  selection: Selection
  filter: Filter
  total: number
  /** A link, or Forward, to a dialog about rows that nobody has selected. */
  onNothing: () => void
  children: (target: BulkTarget<Filter>) => ReactNode
}

/** Fixes what is selected while its dialog is open: rows that leave the list, or the selection, don't change it. */
export function OnSelection<Filter>({ selection, filter, total, onNothing, children }: OnSelectionProps<Filter>) {
  const [target] = useState<BulkTarget<Filter> | undefined>(() => {
    if (selection.count(total) === 0) return undefined
    return selection.allMatching ? { filter, count: total } : { names: [...selection.ids] }
  })
  useEffect(() => {
    if (!target) onNothing()
    // oxlint-disable-next-line react/exhaustive-deps -- known when the dialog opens
  }, [])
  return target && children(target)
}
