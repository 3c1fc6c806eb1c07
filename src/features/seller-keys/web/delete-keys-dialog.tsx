import { plural, t } from '@lingui/core/macro'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { call } from '#web/api/call.ts'
import { notify } from '#web/browser/notify.ts'
import { ConfirmCall } from '#web/form/confirm-call.tsx'
import { sellerKeyList } from './seller-keys-data.ts'

interface DeleteKeysProps {
  /** The keys to delete, or all keys of the app, which requires typing its name. */
  target: { sellerKeys: string[] } | { all: number; appName: string }
  /** Name of the key if there is only one. */
  name?: string
  onDone: () => void
  onClose: () => void
}

export function DeleteKeysDialog({ target, name, onDone, onClose }: DeleteKeysProps) {
  const count = 'all' in target ? target.all : target.sellerKeys.length
  const which = 'all' in target ? { search: '', expectedCount: target.all } : { sellerKeys: target.sellerKeys }
  const deleted = { body: { action: 'delete' as const, ...which } }
  const only = !('all' in target) && target.sellerKeys.length === 1 ? target.sellerKeys[0] : undefined
  return (
    <ConfirmCall
      title={name ? t`Delete ${name}?` : plural(count, { one: 'Delete # seller key?', other: 'Delete # seller keys?' })}
      description={t`This action cannot be undone.`}
      impact={t`Shops and bots that use it are rejected from their next call on.`}
      typedName={'all' in target ? target.appName : undefined}
      typedLabel={t`App name`}
      typedMismatch={t`App name does not match`}
      confirmLabel={t`Delete`}
      danger
      send={async () =>
        only === undefined
          ? call('POST /seller_keys/bulk', deleted)
          : { ...(await call('POST /delete_seller_key', { body: { sellerKey: only } })), done: 1, failed: 0 }
      }
      failure={t`Failed to delete seller key`}
      report={reportDeleted}
      onDone={onDone}
      refresh={sellerKeyList.refresh}
      onClose={onClose}
      last={
        <ShowApiCall
          calls={() =>
            only === undefined
              ? [apiCall('POST /seller_keys/bulk', deleted)]
              : [apiCall('POST /delete_seller_key', { body: { sellerKey: only } })]
          }
        />
      }
    />
  )
}

function reportDeleted({ done, failed }: { done: number; failed: number }) {
  const text = plural(done, { one: 'Seller key deleted successfully', other: '# seller keys deleted' })
  if (failed > 0) notify.warning(t`${done} deleted, ${failed} failed`)
  else notify.success(text)
}
