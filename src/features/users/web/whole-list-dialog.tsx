import { plural, t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { call } from '#web/call.ts'
import type { CallInput } from '#web/call-types.ts'
import { notify } from '#web/notify.ts'
import { batchFailureText } from '#web/batch-failure-text.ts'
import { appKey } from '#web/query-keys.ts'
import { ResumableBatches, batchAfter } from '#web/resumable-batches.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ProgressLine } from '#web/ui/progress-line.tsx'
import { refreshUsers } from './user-list.ts'

export type WholeListAct = 'delete-expired' | 'reset-all-hwid' | 'unban-all' | 'delete-all'

type ActBody = NonNullable<CallInput<'POST /delete_all_users'>['body']>

interface Counted {
  count: number
  next: number | null
}

const callOf = {
  'delete-expired': 'POST /delete_expired_users',
  'reset-all-hwid': 'POST /reset_all_hwid',
  'unban-all': 'POST /unban_all_users',
  'delete-all': 'POST /delete_all_users',
} as const

/** How many users it concerns, whichever name the reply gives that number. */
async function run(act: WholeListAct, body: ActBody): Promise<Counted> {
  const reply = await call(callOf[act], { body })
  const count = 'deleted' in reply ? reply.deleted : 'reset' in reply ? reply.reset : reply.unbanned
  return { count, next: reply.next }
}

const sumOf = (replies: readonly Counted[]) => replies.reduce((sum, { count }) => sum + count, 0)

interface WholeListDialogProps {
  act: WholeListAct
  appName: string
  onDone: () => void
  onClose: () => void
}

/** Counts first, then asks; what can't be undone wants the app's name. */
export function WholeListDialog({ act, appName, onDone, onClose }: WholeListDialogProps) {
  const preview = useQuery({
    queryKey: appKey('user-totals', act),
    queryFn: () => run(act, { dryRun: true }),
    gcTime: 0,
    staleTime: 0,
  })
  const count = preview.data?.count ?? 0
  const [batches] = useState(() => new ResumableBatches<ActBody, Counted>())
  const [progress, setProgress] = useState(0)
  const go = useMutation({
    mutationFn: () =>
      batches.run(
        (replies) => {
          const batch = batchAfter(replies)
          return batch && { expectedCount: count, ...batch }
        },
        (body) => run(act, body),
        () => setProgress(sumOf(batches.replies)),
      ),
    onSuccess: async (replies) => {
      notify.success(doneText(act, sumOf(replies)))
      onDone()
      await refreshUsers()
    },
  })
  const deletes = act === 'delete-expired' || act === 'delete-all'
  const words = {
    'delete-expired': {
      title: t`Delete expired users?`,
      confirm: t`Delete expired`,
      failure: t`Failed to delete user`,
    },
    'reset-all-hwid': { title: t`Reset all HWIDs?`, confirm: t`Reset all`, failure: t`Failed to reset HWID` },
    'unban-all': { title: t`Unban all users?`, confirm: t`Unban all`, failure: t`Failed to ban user` },
    'delete-all': { title: t`Delete all users?`, confirm: t`Delete all`, failure: t`Failed to delete user` },
  }[act]
  const error = preview.error ?? go.error
  return (
    <ConfirmDialog
      title={words.title}
      description={deletes ? t`This action cannot be undone.` : t`It takes effect at once.`}
      impact={preview.data ? plural(count, { one: 'Concerns # user.', other: 'Concerns # users.' }) : t`Counting…`}
      typedName={deletes ? appName : undefined}
      typedLabel={t`App name`}
      typedMismatch={t`App name does not match`}
      confirmLabel={words.confirm}
      danger={deletes}
      busy={go.isPending || preview.isPending}
      error={error ? batchFailureText(error, words.failure, progress) : undefined}
      onConfirm={() => go.mutate()}
      onClose={() => {
        if (progress > 0) void refreshUsers()
        onClose()
      }}
    >
      {go.isPending ? (
        <ProgressLine label={words.title} done={progress} total={count} />
      ) : (
        <ShowApiCall calls={() => [apiCall(callOf[act], { body: { expectedCount: count } })]} />
      )}
    </ConfirmDialog>
  )
}

function doneText(act: WholeListAct, count: number): string {
  if (act === 'reset-all-hwid') {
    return plural(count, { one: 'HWID of # user reset successfully', other: 'HWID of # users reset successfully' })
  }
  if (act === 'unban-all') {
    return plural(count, { one: 'Unbanned # user successfully', other: 'Unbanned # users successfully' })
  }
  return plural(count, { one: 'Deleted # user successfully', other: 'Deleted # users successfully' })
}
