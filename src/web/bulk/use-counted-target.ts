import { useState } from 'react'
import { CallFailed } from '../api/call-failed.ts'
import { type BulkTarget, targetCount } from './bulk-action.ts'

/** The number of matching rows in an error that reports a changed list. */
export function changedCount(error: unknown): number | undefined {
  if (!(error instanceof CallFailed) || error.code !== 'SELECTION_CHANGED') return undefined
  const count = error.values?.['count']
  return typeof count === 'number' ? count : undefined
}

/** The rows that a dialog asks about: those when it opened, until a rejection tells that another number matches. */
export function useCountedTarget<Filter>(opened: BulkTarget<Filter>) {
  const [target, setTarget] = useState(opened)
  const onChanged = (count: number) => {
    if ('filter' in target) setTarget({ ...target, count })
  }
  return { target, count: targetCount(target) ?? 0, onChanged }
}
