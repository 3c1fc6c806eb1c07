import { plural, t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { call } from '#web/call.ts'
import { failureText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { refreshUsers } from './user-list.ts'

export type WholeListAct = 'delete-expired' | 'reset-all-hwid' | 'unban-all' | 'delete-all'

interface ActBody {
  dryRun?: boolean
  expectedCount?: number
}

const callOf = {
  'delete-expired': 'POST /delete_expired_users',
  'reset-all-hwid': 'POST /reset_all_hwid',
  'unban-all': 'POST /unban_all_users',
  'delete-all': 'POST /delete_all_users',
} as const

/** How many users it concerns, whichever name the reply gives that number. */
async function run(act: WholeListAct, body: ActBody): Promise<{ count: number; message: string }> {
  switch (act) {
    case 'delete-expired': {
      const { deleted, message = '' } = await call(callOf[act], { body })
      return { count: deleted, message }
    }
    case 'reset-all-hwid': {
      const { reset, message = '' } = await call(callOf[act], { body })
      return { count: reset, message }
    }
    case 'unban-all': {
      const { unbanned, message = '' } = await call(callOf[act], { body })
      return { count: unbanned, message }
    }
    default: {
      const { deleted, message = '' } = await call(callOf[act], { body })
      return { count: deleted, message }
    }
  }
}

interface WholeListDialogProps {
  act: WholeListAct
  appName: string
  onDone: () => void
  onClose: () => void
}

/** Counts first, then asks; what can't be undone wants the app's name. */
export function WholeListDialog({ act, appName, onDone, onClose }: WholeListDialogProps) {
  const preview = useQuery({
    queryKey: ['users', 'whole-list', act],
    queryFn: () => run(act, { dryRun: true }),
    gcTime: 0,
    staleTime: 0,
  })
  const count = preview.data?.count ?? 0
  const go = useMutation({
    mutationFn: () => run(act, { expectedCount: count }),
    onSuccess: async ({ message }) => {
      notify.success(message)
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
      error={error ? failureText(error, words.failure) : undefined}
      onConfirm={() => go.mutate()}
      onClose={onClose}
    >
      <ShowApiCall calls={() => [apiCall(callOf[act], { body: { expectedCount: count } })]} />
    </ConfirmDialog>
  )
}
