import { t } from '@lingui/core/macro'
import { call } from '#web/call.ts'
import { failureText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { queryClient } from '#web/query-client.ts'
import { refreshSubscriptions, type Subscription, subscriptionsQuery } from './subscription-list.ts'

/** Pauses or activates at once on the screen; takes it back when the server says no. Can be undone. */
export async function toggleSubscription({ level, active }: Subscription, isUndo = false): Promise<void> {
  const { queryKey } = subscriptionsQuery()
  const show = (state: boolean) =>
    queryClient.setQueryData<Subscription[]>(queryKey, (rows) =>
      rows?.map((row) => (row.level === level ? { ...row, active: state } : row)),
    )
  show(!active)
  try {
    const { message = '' } = await call('POST /toggle_subscription_status', { body: { level, active: !active } })
    const again = { level, active: !active } as Subscription
    const action = { label: t`Undo`, onAction: () => void toggleSubscription(again, true) }
    notify.success(message, isUndo ? {} : { action })
  } catch (error) {
    show(active)
    notify.error(failureText(error, t`Failed to update subscription status`))
  }
  await refreshSubscriptions()
}
