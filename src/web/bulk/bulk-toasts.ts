import { plural, t } from '@lingui/core/macro'
import { failureText } from '../api/errors.ts'
import { newId } from '../browser/new-id.ts'
import { dismissNotification, notificationStore, notify } from '../browser/notify.ts'
import { type BulkCounts, type BulkKind, maxUncountedRows } from './bulk-action.ts'
import { UndoRun } from './bulk-run.ts'

type Undoable = Pick<BulkKind<object>, 'undo' | 'refresh' | 'restoredText' | 'leftText'>

/** The result of an action, with Undo if the server recorded the previous state. */
export function notifyDone(texts: { done: string; skipped?: string | undefined }, action: Undoable, done: Done) {
  const { undoId, counts } = done
  const onAction = () => void undo(action, new UndoRun(undoId ?? ''), counts.changed)
  const options = undoId ? { action: { label: t`Undo`, onAction } } : {}
  if (texts.skipped) notify.warning(`${texts.done}. ${texts.skipped}`, options)
  else notify.success(texts.done, options)
}

interface Done {
  undoId: string | undefined
  counts: BulkCounts
}

/** For an action on one row. */
export const undoOf = ({ undoId }: { undoId: string | null }): Done => ({
  undoId: undoId ?? undefined,
  counts: { changed: undoId ? 1 : 0, unchanged: undoId ? 0 : 1 },
})

/** Undoes a recorded action now; `total` is the number of its rows, as far as it is known. */
export const undoNow = (action: Undoable, undoId: string, total: number): Promise<void> =>
  undo(action, new UndoRun(undoId), total)

async function undo(action: Undoable, run: UndoRun, total: number) {
  const progress = total > maxUncountedRows ? notifyProgress(restoringText(0, total)) : undefined
  try {
    const { restored, failed } = await run.run(action.undo, (rows) => progress?.update(restoringText(rows, total)))
    const failures = (action.leftText ?? changedText)(failed)
    if (restored + failed === 0) notify.info(t`This was already undone`)
    else if (failed === 0) notify.success(action.restoredText(restored))
    else notify.warning(restored === 0 ? failures : `${action.restoredText(restored)}. ${failures}`)
  } catch (error) {
    const { restored, failed } = run.outcome
    const text = stoppedText(failureText(error, t`Failed to undo`), restored + failed)
    const retry = { label: t`Retry`, onAction: () => void undo(action, run, total), subject: run }
    notify.error(text, { action: retry })
  } finally {
    progress?.end()
  }
  await action.refresh()
}

const changedText = (failed: number): string =>
  plural(failed, {
    one: '# has changed since and is left as is.',
    other: '# have changed since and are left as is.',
  })

function restoringText(rows: number, total: number): string {
  const reached = inDigits(rows)
  return plural(total, { one: `Restoring: ${reached} of #`, other: `Restoring: ${reached} of #` })
}

export function partText(counts: { done: number; failed: number }): string {
  const done = inDigits(counts.done)
  const failed = inDigits(counts.failed)
  return t`${done} done · ${failed} failed`
}

const inDigits = (count: number): string => count.toLocaleString(document.documentElement.lang || 'en')

/** Why a bulk action stopped, and its progress; retrying resumes it. */
export function stoppedText(why: string, done: number): string {
  if (done === 0) return why
  const reached = inDigits(done)
  // Not every reason ends like a sentence.
  const reason = /[.!?…]$/.test(why) ? why : `${why}.`
  return `${reason} ${t`${reached} are already done. Try again to finish the rest.`}`
}

/** Progress of an action without a dialog; shown until `end`. */
function notifyProgress(message: string): { update: (message: string) => void; end: () => void } {
  const shown = { id: newId(), message, type: 'info' as const, duration: Infinity }
  notificationStore.set([...notificationStore.get(), shown])
  const update = (text: string) =>
    notificationStore.set(notificationStore.get().map((one) => (one.id === shown.id ? { ...one, message: text } : one)))
  return { update, end: () => dismissNotification(shown.id) }
}
