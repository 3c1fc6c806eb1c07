import { plural, t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { failureText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { batchFailureText } from '#web/batch-failure-text.ts'
import { ResumableBatches } from '#web/resumable-batches.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { FailuresDialog } from '#web/ui/failures-dialog.tsx'
import { ProgressLine } from '#web/ui/progress-line.tsx'
import {
  actOnUsers,
  bulkUserCalls,
  type BulkReply,
  targetCount,
  type UserBatches,
  type UserTarget,
} from './bulk-users.ts'
import { refreshUsers } from './user-list.ts'

export type PlainAct = 'ban' | 'unban' | 'pause' | 'unpause' | 'reset-hwid' | 'delete'

interface BulkUsersDialogProps {
  act: PlainAct
  target: UserTarget
  typedName?: string | undefined
  onDone: () => void
  onClose: () => void
}

const opposite: Partial<Record<PlainAct, PlainAct>> = { ban: 'unban', unban: 'ban', pause: 'unpause', unpause: 'pause' }

function wordsOf(act: PlainAct, count: number) {
  switch (act) {
    case 'ban':
      return {
        title: plural(count, { one: 'Ban # user?', other: 'Ban # users?' }),
        text: t`Their live sessions end at once.`,
        confirm: t`Ban`,
        failure: t`Failed to ban user`,
      }
    case 'unban':
      return {
        title: plural(count, { one: 'Unban # user?', other: 'Unban # users?' }),
        text: t`They may sign in again at once.`,
        confirm: t`Unban`,
        failure: t`Failed to ban user`,
      }
    case 'pause':
      return {
        title: plural(count, { one: 'Pause # user?', other: 'Pause # users?' }),
        text: t`The time that is left is kept.`,
        confirm: t`Pause`,
        failure: t`Failed to pause user`,
      }
    case 'unpause':
      return {
        title: plural(count, { one: 'Unpause # user?', other: 'Unpause # users?' }),
        text: t`The time that was left at the pause goes on from now.`,
        confirm: t`Unpause`,
        failure: t`Failed to pause user`,
      }
    case 'reset-hwid':
      return {
        title: plural(count, { one: 'Reset the HWID of # user?', other: 'Reset the HWID of # users?' }),
        text: t`The next machine that signs in is bound.`,
        confirm: t`Reset HWID`,
        failure: t`Failed to reset HWID`,
      }
    default:
      return {
        title: plural(count, { one: 'Delete # user?', other: 'Delete # users?' }),
        text: t`Subscriptions and variables go too. This action cannot be undone.`,
        confirm: t`Delete`,
        failure: t`Failed to delete user`,
      }
  }
}

/** Confirms, acts with progress, and stays open with the reasons where some failed; failed ones can be tried again. */
export function BulkUsersDialog({ act, target, typedName, onDone, onClose }: BulkUsersDialogProps) {
  const [progress, setProgress] = useState(0)
  const count = targetCount(target)
  const words = wordsOf(act, count)
  const finish = ({ done, results }: BulkReply) => {
    const changed = results.filter((each) => each.changed).map(({ username }) => username)
    const undo = opposite[act]
    const onUndo = () =>
      void actOnUsers({ usernames: changed }, { action: undo ?? act })
        .catch((error: unknown) => notify.error(failureText(error, words.failure)))
        .then(refreshUsers)
    // Of very many not all are named, and then nobody knows whom to give what back.
    const canUndo = undo !== undefined && results.length === done && changed.length > 0
    notify.success(
      plural(done, { one: '# user done', other: '# users done' }),
      canUndo ? { action: { label: t`Undo`, onAction: onUndo } } : {},
    )
    onDone()
  }
  const [batches, setBatches] = useState<UserBatches>(() => new ResumableBatches())
  const run = useMutation({
    mutationFn: (of: UserTarget) => actOnUsers(of, { action: act }, { batches, onProgress: setProgress }),
    onSuccess: async (reply) => {
      setBatches(new ResumableBatches())
      if (reply.failed === 0) finish(reply)
      await refreshUsers()
    },
  })
  if (run.data && run.data.failed > 0) {
    const failures = run.data.results.filter(({ ok }) => !ok)
    const retry = () => run.mutate({ usernames: failures.map(({ username }) => username) })
    const { done, failed } = run.data
    return (
      <FailuresDialog
        title={t`${done} done · ${failed} failed`}
        label={t`Failed users`}
        fileName="failed-users"
        failures={failures.map(({ username, message }) => ({ name: username, message }))}
        busy={run.isPending}
        onRetry={retry}
        onClose={onClose}
      />
    )
  }
  return (
    <ConfirmDialog
      title={words.title}
      description={words.text}
      confirmLabel={words.confirm}
      danger={act === 'delete' || act === 'ban'}
      typedName={typedName}
      typedLabel={t`App name`}
      typedMismatch={t`App name does not match`}
      busy={run.isPending}
      error={run.error ? batchFailureText(run.error, words.failure, progress) : undefined}
      onConfirm={() => run.mutate(target)}
      onClose={() => {
        if (progress > 0) void refreshUsers()
        onClose()
      }}
    >
      {!run.isPending && <ShowApiCall calls={() => bulkUserCalls(target, { action: act })} />}
      {run.isPending && <ProgressLine label={words.title} done={progress} total={count} />}
    </ConfirmDialog>
  )
}
