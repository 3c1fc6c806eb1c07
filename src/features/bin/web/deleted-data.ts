import { msg, t } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import { type BinKind, binKinds } from '#contract/bin.ts'
import { selectedAppStore } from '#web/api/app-selection.ts'
import { call } from '#web/api/call.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { failureText, successText } from '#web/api/errors.ts'
import { queryClient } from '#web/api/query-client.ts'
import { appKey, appKeyOf } from '#web/api/query-keys.ts'
import { notify } from '#web/browser/notify.ts'
import { UndoRun } from '#web/bulk/bulk-run.ts'
import { deletionUndo } from '#web/bulk/deletion-undo.ts'
import { inParts } from '#web/bulk/in-parts.ts'
import { type ListFilter, pagedList } from '#web/list/list-source.ts'
import { codeText } from '#web/api/code-text.ts'

export type DeletedList = CallReply<'GET /bin'>
export type DeletedItem = DeletedList['items'][number]

export const deletedList = pagedList({
  key: () => appKey('bin'),
  call: 'GET /bin',
  live: 'bin',
  rows: ({ items }) => items,
  rowId: ({ id }) => String(id),
  table: { filters: { kind: binKinds }, sorts: ['deleted'] },
  filter: ({ search, filters: { kind } }): Pick<ListFilter<'GET /bin'>, 'search' | 'kind'> => ({
    search: search || undefined,
    kind: binKinds.find((known) => known === kind),
  }),
})

export const kindTexts: Record<BinKind, MessageDescriptor> = {
  license: msg`License`,
  user: msg`User`,
  variable: msg`Variable`,
  file: msg`File`,
  webhook: msg`Webhook`,
  subscription: msg`Subscription`,
}

/** Restores items; says which stay in the bin, and why. */
export async function restoreItems(ids: readonly string[], onDone?: () => void): Promise<void> {
  const appId = selectedAppStore.get()?.appId
  try {
    const values = { restored: 0, failed: 0 }
    const replies = await inParts(ids, (part) => call('POST /bin/restore', { body: { ids: part.map(Number) }, appId }))
    for (const reply of replies) {
      const { restored, failed } = await restoreRest(reply, appId)
      values.restored += restored
      values.failed += failed
    }
    const { failed } = values
    const text = successText({ ...replies[0], code: failed === 0 ? 'BIN_RESTORE_OK' : 'BIN_RESTORE_PARTLY_OK', values })
    const [first] = replies.flatMap(({ failures }) => failures)
    if (first) {
      const { name } = first
      const reason = codeText(first)
      notify.warning(`${text}. ${t`${name}: ${reason}`}`)
    } else if (failed > 0) notify.warning(text)
    else notify.success(text)
    onDone?.()
  } catch (error) {
    notify.error(failureText(error, t`Failed to restore`))
  }
  await queryClient.invalidateQueries({ queryKey: appKeyOf(appId) })
}

/** The users and licenses of restored subscriptions. */
async function restoreRest(reply: CallReply<'POST /bin/restore'>, appId: string | undefined) {
  let { restored, failed } = reply
  for (const undoId of reply.undoIds) {
    const rest = await new UndoRun(undoId).run(deletionUndo(appId).undo, () => undefined)
    restored += rest.restored
    failed += rest.failed
  }
  return { restored, failed }
}
