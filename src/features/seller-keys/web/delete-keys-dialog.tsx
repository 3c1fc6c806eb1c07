import { plural, t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/errors.ts'
import { notify } from '#web/browser/notify.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
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
  const remove = useMutation({
    mutationFn: async () => {
      if (only !== undefined) {
        const { message } = await call('POST /delete_seller_key', { body: { sellerKey: only } })
        return { message, done: 1, failed: 0 }
      }
      return call('POST /seller_keys/bulk', deleted)
    },
    onSuccess: async ({ done, failed }) => {
      const text = plural(done, { one: 'Seller key deleted successfully', other: '# seller keys deleted' })
      if (failed > 0) notify.warning(t`${done} deleted, ${failed} failed`)
      else notify.success(text)
      onDone()
      await sellerKeyList.refresh()
    },
  })
  return (
    <ConfirmDialog
      title={name ? t`Delete ${name}?` : plural(count, { one: 'Delete # seller key?', other: 'Delete # seller keys?' })}
      description={t`This action cannot be undone.`}
      impact={t`Shops and bots that use it are rejected from their next call on.`}
      typedName={'all' in target ? target.appName : undefined}
      typedLabel={t`App name`}
      typedMismatch={t`App name does not match`}
      confirmLabel={t`Delete`}
      danger
      busy={remove.isPending}
      error={remove.error ? failureText(remove.error, t`Failed to delete seller key`) : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <ShowApiCall
        calls={() =>
          only === undefined
            ? [apiCall('POST /seller_keys/bulk', deleted)]
            : [apiCall('POST /delete_seller_key', { body: { sellerKey: only } })]
        }
      />
    </ConfirmDialog>
  )
}
