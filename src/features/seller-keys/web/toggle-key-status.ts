import { t } from '@lingui/core/macro'
import { call } from '#web/call.ts'
import { failureText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { refreshSellerKeys, type SellerKey } from './seller-key-list.ts'

/** Pauses or activates a key; it bites on the next call and can be undone. */
export async function toggleKeyStatus({ sellerKey, status }: Pick<SellerKey, 'sellerKey' | 'status'>, isUndo = false) {
  const target = status === 'active' ? 'paused' : 'active'
  try {
    const { message = '' } = await call('POST /toggle_seller_key_status', { body: { sellerKey, status: target } })
    const action = { label: t`Undo`, onAction: () => void toggleKeyStatus({ sellerKey, status: target }, true) }
    notify.success(message, isUndo ? {} : { action })
  } catch (error) {
    notify.error(failureText(error, t`Failed to update seller key status`))
  }
  await refreshSellerKeys()
}
