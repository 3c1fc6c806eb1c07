import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { call } from '#web/api/call.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { failureText } from '#web/api/errors.ts'
import { codeText } from '#web/api/code-text.ts'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { notify } from '#web/browser/notify.ts'
import { ConfirmDialog, useIsOpen } from '#web/ui/confirm-dialog.tsx'
import { deletionUndo, notifyDeletedEach, restorableManyText, restorableText } from '#web/bulk/deletion-undo.ts'
import { type Failure, FailuresDialog } from '#web/bulk/failures-dialog.tsx'
import { licenseCountQuery } from './level-licenses.ts'
import { refreshSubscriptions, type Subscription } from './subscriptions-data.ts'

interface DeleteSubscriptionsProps {
  subscriptions: readonly Subscription[]
  /** Must be typed to delete all levels, and where customers lose access. */
  appName: string
  isAll?: boolean
  onDone: () => void
  onClose: () => void
}

function failureOf({ level, ...reply }: CallReply<'POST /subscriptions/bulk-delete'>['results'][number]): Failure {
  const reason = codeText({ code: reply.code, values: reply.values })
  return { name: String(level), message: t`Level ${level}: ${reason}` }
}

/** Deletes one or more levels; each has its own result, and failed ones can be retried. */
export function DeleteSubscriptionsDialog(props: DeleteSubscriptionsProps) {
  const { subscriptions, appName, isAll = false, onDone, onClose } = props
  const [chosen, setChosen] = useState(subscriptions)
  const [force, setForce] = useState(false)
  const [deletion] = useState(() => deletionUndo())
  const isOpen = useIsOpen()
  const textOf = (error: Error) => failureText(error, t`Failed to delete subscription`)
  const bulkDelete = (which: number[]) => ({ body: { levels: which, forceDelete: force } })
  const levels = chosen.map(({ level }) => level)
  const licenses = useLicenseCount(force ? levels : [])
  const remove = useMutation({
    mutationFn: (which: number[]) => call('POST /subscriptions/bulk-delete', bulkDelete(which)),
    onSuccess: async ({ deleted, failed, results }) => {
      const undoIds = results.flatMap(({ undoId }) => undoId ?? [])
      const text = plural(deleted, { one: 'Subscription deleted successfully', other: '# subscriptions deleted' })
      // Also beside the dialog of those that failed.
      if (deleted > 0) notifyDeletedEach(text, undoIds, deletion)
      if (failed === 0) onDone()
      await refreshSubscriptions()
    },
    onError: (error) => isOpen() || notify.error(textOf(error)),
  })
  const failures = remove.data?.results.filter(({ ok }) => !ok) ?? []
  const [rejected] = chosen.length === 1 ? failures : []
  if (remove.data && failures.length > 0 && !rejected) {
    const failedLevels = failures.map(({ level }) => level)
    const retry = () => {
      if (!force) return remove.mutate(failedLevels)
      // Its users lose access, so it is asked for first.
      remove.reset()
      return setChosen(chosen.filter(({ level }) => failedLevels.includes(level)))
    }
    const { deleted, failed } = remove.data
    return (
      <FailuresDialog
        title={t`${deleted} deleted, ${failed} failed`}
        label={t`Failed subscriptions`}
        fileName="failed-subscriptions"
        failures={failures.map(failureOf)}
        nameOf={() => undefined}
        busy={remove.isPending}
        danger
        onRetry={retry}
        onClose={onClose}
      >
        <ForceField force={force} onChange={setForce} />
      </FailuresDialog>
    )
  }
  const failure = remove.error && textOf(remove.error)
  const error = failure ?? (rejected && codeText({ code: rejected.code, values: rejected.values }))
  const [first] = chosen
  const users = chosen.reduce((sum, { userCount }) => sum + userCount, 0)
  const endsAccess = force && users > 0
  const title =
    chosen.length === 1 && first
      ? t`Delete ${first.name}?`
      : plural(chosen.length, { one: 'Delete # subscription?', other: 'Delete # subscriptions?' })
  return (
    <ConfirmDialog
      title={title}
      description={chosen.length === 1 ? restorableText() : restorableManyText()}
      impact={
        <>
          <span className="block">{plural(users, { one: 'In use by # user.', other: 'In use by # users.' })}</span>
          {endsAccess && <span className="block">{t`They lose access immediately.`}</span>}
          {licenses !== undefined && <span className="block">{licenses}</span>}
        </>
      }
      typedName={isAll || endsAccess ? appName : undefined}
      typedLabel={t`App name`}
      typedMismatch={t`App name does not match`}
      confirmLabel={t`Delete`}
      danger
      busy={remove.isPending}
      error={error}
      onConfirm={() => remove.mutate(levels)}
      onClose={onClose}
      last={<ShowApiCall calls={() => [apiCall('POST /subscriptions/bulk-delete', bulkDelete(levels))]} />}
    >
      <ForceField force={force} onChange={setForce} />
    </ConfirmDialog>
  )
}

/** How many licenses of these levels are deleted; undefined while unknown. */
function useLicenseCount(levels: readonly number[]): string | undefined {
  const { data } = useQuery(licenseCountQuery(levels))
  if (!data || levels.length === 0) return undefined
  const { total, isMore } = data
  const shown = total.toLocaleString(i18n.locale)
  if (isMore) return t`More than ${shown} licenses are deleted.`
  return plural(total, { one: '# license is deleted.', other: '# licenses are deleted.' })
}

function ForceField({ force, onChange }: { force: boolean; onChange: (force: boolean) => void }) {
  return (
    <CheckboxField
      label={t`Force delete`}
      help={t`Deletes its licenses and removes it from users. Without this, a subscription that is in use is kept.`}
      checked={force}
      onChange={(event) => onChange(event.target.checked)}
    />
  )
}
