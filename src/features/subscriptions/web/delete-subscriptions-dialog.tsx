import { plural, t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { call } from '#web/call.ts'
import { failureText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { Button } from '#web/ui/button.tsx'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { refreshSubscriptions, type Subscription } from './subscription-list.ts'

interface DeleteSubscriptionsProps {
  subscriptions: readonly Subscription[]
  /** The app's name must be typed: everything goes. */
  typedName?: string | undefined
  onDone: () => void
  onClose: () => void
}

/** Deletes one level or many; each has its own result, and what failed can be tried again (part 1 §8). */
export function DeleteSubscriptionsDialog({ subscriptions, typedName, onDone, onClose }: DeleteSubscriptionsProps) {
  const [chosen] = useState(subscriptions)
  const [force, setForce] = useState(false)
  const bulkDelete = (which: number[]) => ({ body: { levels: which, forceDelete: force } })
  const levels = chosen.map(({ level }) => level)
  const remove = useMutation({
    mutationFn: (which: number[]) => call('POST /subscriptions/bulk-delete', bulkDelete(which)),
    onSuccess: async ({ deleted, failed }) => {
      if (failed === 0) {
        notify.success(plural(deleted, { one: 'Subscription deleted successfully', other: '# subscriptions deleted' }))
        onDone()
      }
      await refreshSubscriptions()
    },
  })
  const failures = remove.data?.results.filter(({ ok }) => !ok) ?? []
  if (remove.data && failures.length > 0) {
    const retry = () => remove.mutate(failures.map(({ level }) => level))
    return (
      <Failures
        deleted={remove.data.deleted}
        failures={failures}
        busy={remove.isPending}
        {...{ force, setForce, retry, onClose }}
      />
    )
  }
  const [first] = chosen
  const users = chosen.reduce((sum, { userCount }) => sum + userCount, 0)
  const title =
    chosen.length === 1 && first
      ? t`Delete ${first.name}?`
      : plural(chosen.length, { one: 'Delete # subscription?', other: 'Delete # subscriptions?' })
  return (
    <ConfirmDialog
      title={title}
      description={t`This action cannot be undone.`}
      impact={plural(users, { one: '# user holds what you delete.', other: '# users hold what you delete.' })}
      typedName={typedName}
      typedLabel={t`App name`}
      typedMismatch={t`App name does not match`}
      confirmLabel={t`Delete`}
      danger
      busy={remove.isPending}
      error={remove.error ? failureText(remove.error, t`Failed to delete subscription`) : undefined}
      onConfirm={() => remove.mutate(levels)}
      onClose={onClose}
    >
      <ForceField force={force} onChange={setForce} />
      <ShowApiCall calls={() => [apiCall('POST /subscriptions/bulk-delete', bulkDelete(levels))]} />
    </ConfirmDialog>
  )
}

function ForceField({ force, onChange }: { force: boolean; onChange: (force: boolean) => void }) {
  return (
    <CheckboxField
      label={t`Force delete`}
      help={t`Deletes its licenses and removes it from users. Without this, a subscription that is in use stays.`}
      checked={force}
      onChange={(event) => onChange(event.target.checked)}
    />
  )
}

interface FailuresProps {
  deleted: number
  failures: readonly { level: number; message: string }[]
  busy: boolean
  force: boolean
  setForce: (force: boolean) => void
  retry: () => void
  onClose: () => void
}

function Failures({ deleted, failures, busy, force, setForce, retry, onClose }: FailuresProps) {
  const retryButton = useRef<HTMLButtonElement>(null)
  const failed = failures.length
  return (
    <Dialog
      title={t`${deleted} deleted, ${failed} failed`}
      description={t`What failed is unchanged.`}
      busy={busy}
      initialFocus={retryButton}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>{t`Close`}</Button>
          <Button ref={retryButton} variant="primary" busy={busy} onClick={retry}>{t`Retry failed`}</Button>
        </>
      }
    >
      <ul aria-label={t`Failed subscriptions`} className="mb-4 rounded-md border border-line">
        {failures.map(({ level, message }) => (
          <li key={level} className="border-t border-line px-3 py-1.5 text-ui text-danger first:border-t-0">
            {message}
          </li>
        ))}
      </ul>
      <ForceField force={force} onChange={setForce} />
    </Dialog>
  )
}
