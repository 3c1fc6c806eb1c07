import { plural } from '@lingui/core/macro'
import { call } from '#web/api/call.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { successText } from '#web/api/errors.ts'
import { queryClient } from '#web/api/query-client.ts'
import { appKeyOf } from '#web/api/query-keys.ts'
import { notifyDone, undoOf } from '#web/bulk/bulk-toasts.ts'

/** Says that an edit of one license is stored, with Undo. The app is that of the edit: another one may be selected by then. */
export function notifyEdited(reply: CallReply<'POST /update_license'>, appId: string | undefined): void {
  const queryKey = appKeyOf(appId, 'licenses')
  const undoable = {
    undo: (body: { undoId: string }, options: object) => call('POST /licenses/undo', { body, appId, ...options }),
    refresh: () => queryClient.invalidateQueries({ queryKey }),
    restoredText: (count: number) => plural(count, { one: 'Restored # license', other: 'Restored # licenses' }),
  }
  notifyDone({ done: successText(reply) }, undoable, undoOf(reply))
}
