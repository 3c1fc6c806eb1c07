import { plural } from '@lingui/core/macro'
import { successText } from '#web/api/errors.ts'
import { notifyDone, undoOf } from '#web/bulk/bulk-toasts.ts'
import type { Coded } from '#web/api/code-text.ts'
import type { userUndo } from './users-data.ts'

/** Says that a change of one user is stored, with Undo. `undoable` names the app of the change: another one may be selected by the reply. */
export function notifyChanged(reply: Coded & { undoId: string | null }, undoable: ReturnType<typeof userUndo>): void {
  const restoredText = (count: number) => plural(count, { one: 'Restored # user', other: 'Restored # users' })
  notifyDone({ done: successText(reply) }, { ...undoable, restoredText }, undoOf(reply))
}
