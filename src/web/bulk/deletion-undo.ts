import { plural, t } from '@lingui/core/macro'
import { selectedAppStore } from '../api/app-selection.ts'
import { call } from '../api/call.ts'
import { queryClient } from '../api/query-client.ts'
import { appKeyOf } from '../api/query-keys.ts'
import { notifyDone, undoNow, undoOf } from './bulk-toasts.ts'
import { notifyUndoable } from '../browser/notify.ts'
import type { BulkKind } from './bulk-action.ts'

type Deletion = Pick<BulkKind<object>, 'undo' | 'refresh' | 'restoredText'> & { leftText: (failed: number) => string }

/** Undo of deletions in an app: restores what they deleted. The default is the selected app. */
export function deletionUndo(appId = selectedAppStore.get()?.appId): Deletion {
  return {
    undo: (body, options) => call('POST /bin/restore', { body, appId, ...options }),
    refresh: async () => {
      // A deletion also changes counts, plan usage, and what other lists show of the rows.
      await queryClient.invalidateQueries({ queryKey: appKeyOf(appId) })
    },
    restoredText: (count) => plural(count, { one: 'Restored # item', other: 'Restored # items' }),
    leftText: (failed) =>
      plural(failed, {
        one: '# could not be restored. Restore it under Deleted to see the reason.',
        other: '# could not be restored. Restore them under Deleted to see the reasons.',
      }),
  }
}

/** The result of a deletion, with Undo. `deletion` is of its app: another one may be selected by the reply. */
export function notifyDeleted(text: string, undoId: string | null, deletion: Deletion): void {
  notifyDone({ done: text }, deletion, undoOf({ undoId }))
}

/** The result of several deletions, whose Undo restores one after the other. */
export function notifyDeletedEach(text: string, undoIds: readonly string[], deletion: Deletion): void {
  notifyUndoable(text, () => {
    void (async () => {
      for (const undoId of undoIds) await undoNow(deletion, undoId, 1)
    })()
  })
}

/** Says in a dialog what happens to what it deletes. */
export const restorableText = () => t`You can restore it for 30 days.`
export const restorableManyText = () => t`You can restore them for 30 days.`
