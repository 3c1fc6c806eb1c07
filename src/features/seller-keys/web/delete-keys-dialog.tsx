import { plural, t } from '@lingui/core/macro'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { call } from '#web/api/call.ts'
import { notify } from '#web/browser/notify.ts'
import { partsOf } from '#web/bulk/in-parts.ts'
import { changedCount, useCountedTarget } from '#web/bulk/use-counted-target.ts'
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
  const rows = 'all' in target ? { filter: {}, count: target.all } : { names: target.sellerKeys }
  const { count, onChanged } = useCountedTarget(rows)
  const which = 'all' in target ? { search: '', expectedCount: count } : { sellerKeys: target.sellerKeys }
  const body = { action: 'delete' as const, ...which }
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
          ? deleteKeys(body)
          : { ...(await call('POST /delete_seller_key', { body: { sellerKey: only } })), done: 1, failed: 0 }
      }
      failure={t`Failed to delete seller key`}
      onFailed={(error) => {
        const now = changedCount(error)
        if (now === undefined) return
        onChanged(now)
        void sellerKeyList.refresh()
      }}
      report={reportDeleted}
      onDone={onDone}
      refresh={sellerKeyList.refresh}
      onClose={onClose}
      last={
        <ShowApiCall
          calls={() =>
            only === undefined
              ? bodiesOf(body).map((each) => apiCall('POST /seller_keys/bulk', { body: each }))
              : [apiCall('POST /delete_seller_key', { body: { sellerKey: only } })]
          }
        />
      }
    />
  )
}

/** A call takes this many keys. */
const maxPerCall = 500

interface Deletion {
  action: 'delete'
  sellerKeys?: string[]
  search?: string
  expectedCount?: number
}

const bodiesOf = (body: Deletion): Deletion[] =>
  body.sellerKeys ? partsOf(body.sellerKeys, maxPerCall).map((sellerKeys) => ({ ...body, sellerKeys })) : [body]

async function deleteKeys(deletion: Deletion) {
  const replies: { done: number; failed: number }[] = []
  for (const body of bodiesOf(deletion)) replies.push(await call('POST /seller_keys/bulk', { body }))
  const sum = (field: 'done' | 'failed') => replies.reduce((total, reply) => total + reply[field], 0)
  return { code: 'SELLER_KEYS_BULK_OK', done: sum('done'), failed: sum('failed') }
}

function reportDeleted({ done, failed }: { done: number; failed: number }) {
  const text = plural(done, { one: 'Seller key deleted successfully', other: '# seller keys deleted' })
  if (failed > 0) notify.warning(t`${done} deleted, ${failed} failed`)
  else notify.success(text)
}
