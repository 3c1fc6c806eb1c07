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
import { type ListFilter, pagedList } from '#web/list/list-source.ts'
import { codeText } from '#web/texts/code-text.ts'

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
}

/** Restores items; says which stay in the bin, and why. */
export async function restoreItems(ids: readonly string[], onDone?: () => void): Promise<void> {
  const appId = selectedAppStore.get()?.appId
  try {
    const reply = await call('POST /bin/restore', { body: { ids: ids.map(Number) }, appId })
    const { failures } = reply
    const [first] = failures
    if (first) {
      const { name } = first
      const reason = codeText(first)
      notify.warning(`${successText(reply)}. ${t`${name}: ${reason}`}`)
    } else notify.success(successText(reply))
    onDone?.()
  } catch (error) {
    notify.error(failureText(error, t`Failed to restore`))
  }
  await queryClient.invalidateQueries({ queryKey: appKeyOf(appId) })
}
