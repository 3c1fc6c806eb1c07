import { t } from '@lingui/core/macro'
import { csvLine } from '#contract/csv.ts'
import { selectedAppStore } from '#web/api/app-selection.ts'
import { call } from '#web/api/call.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { failureText, successText } from '#web/api/errors.ts'
import { pagedList } from '#web/list/list-source.ts'
import { notify, notifyUndoable } from '#web/browser/notify.ts'
import { changeAtOnce, withFields } from '#web/api/optimistic-change.ts'
import { appKey, appKeyOf } from '#web/api/query-keys.ts'
import { saveTextFile } from '#web/browser/save-text-file.ts'
import type { App } from '#web/session/session.ts'

export type SellerKey = CallReply<'GET /seller_keys'>['sellerKeys'][number]

export const sellerKeyList = pagedList({
  key: () => appKey('seller-keys'),
  call: 'GET /seller_keys',
  live: 'seller-keys',
  rows: ({ sellerKeys }) => sellerKeys,
  table: { sorts: ['name', 'created', 'lastUsed', 'status'] },
  // Without the last characters: a rotation changes them, and the dialog with the new key must stay open.
  rowId: ({ sellerKey }) => sellerKey.split('…')[0] ?? sellerKey,
})

/** Pauses or activates a key, effective on its next call. Can be undone. */
export async function toggleKeyStatus(
  { sellerKey, status }: Pick<SellerKey, 'sellerKey' | 'status'>,
  appId = selectedAppStore.get()?.appId,
  isUndo = false,
) {
  const target = status === 'active' ? 'paused' : 'active'
  const isKey = (row: Partial<SellerKey>) => row.sellerKey === sellerKey
  const undo = () => void toggleKeyStatus({ sellerKey, status: target }, appId, true)
  await changeAtOnce({
    id: sellerKey,
    queryKeys: [appKeyOf(appId, 'seller-keys')],
    show: withFields<SellerKey>(isKey, { status: target }),
    takeBack: withFields<SellerKey>(isKey, { status }),
    send: () => call('POST /toggle_seller_key_status', { body: { sellerKey, status: target }, appId }),
    onDone: (reply) => (isUndo ? notify.success(successText(reply)) : notifyUndoable(successText(reply), undo)),
    failure: t`Failed to update seller key status`,
  })
}

const exportLimit = 100
const exportHeader = ['Name', 'Key', 'Permissions', 'Whitelisted IPs', 'Created', 'Last used', 'Status']
const timeText = (seconds: number | null) => (seconds === null ? '' : new Date(seconds * 1000).toISOString())

const exportLine = (key: SellerKey) =>
  csvLine([
    key.keyName,
    key.sellerKey,
    key.fullAccess ? 'full access' : key.permissions.join(' '),
    key.whitelistedIPs.join(' '),
    timeText(key.createdDate),
    timeText(key.lastUsed),
    key.status,
  ])

/** Exports all keys of the app, without their secrets. */
export async function exportSellerKeys({ appId, appName }: App): Promise<void> {
  let text = csvLine(exportHeader)
  try {
    for (let page = 1, pages = 1; page <= pages; page++) {
      const query = { page, limit: exportLimit }
      const { sellerKeys, totalPages } = await call('GET /seller_keys', { query, appId })
      pages = totalPages
      text += sellerKeys.map(exportLine).join('')
    }
    saveTextFile(`seller-keys-${appName}`, 'csv', text)
  } catch (error) {
    notify.error(failureText(error, t`Failed to load seller keys`))
  }
}
