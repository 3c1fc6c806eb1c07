import { t } from '@lingui/core/macro'
import { Download, Pause, Pencil, Play, Trash2, Users } from 'lucide-react'
import type { DialogsOf } from '#web/panel/panel-dialog.tsx'
import type { App } from '#web/session/session.ts'
import { FilterChip } from '#web/table/filter-chip.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import type { MenuAction, MenuEntry } from '#web/ui/menu-entry.ts'
import { exportSubscriptions, type Subscription, subscriptionList, toggleSubscription } from './subscriptions-data.ts'

export const SubscriptionForm = lazyDialog(() => import('./subscriptions-form.tsx'), 'SubscriptionForm')
const PauseSubscriptionDialog = lazyDialog(() => import('./pause-subscription-dialog.tsx'), 'PauseSubscriptionDialog')
export const DeleteSubscriptionsDialog = lazyDialog(
  () => import('./delete-subscriptions-dialog.tsx'),
  'DeleteSubscriptionsDialog',
)

export function StatusFilter({ value, onChange }: { value: string | undefined; onChange: (value?: string) => void }) {
  const options = [
    { value: 'active', label: t({ message: 'Active', context: 'subscription' }) },
    { value: 'paused', label: t({ message: 'Paused', context: 'subscription' }) },
  ]
  return <FilterChip label={t`Status`} value={value} options={options} onChange={onChange} />
}

export function moreMenu(app: App, all: readonly Subscription[], open: (name: string) => void): MenuEntry[] {
  const disabledReason = all.length === 0 ? t`There are no subscriptions` : undefined
  const exportAll = () => exportSubscriptions(app, all)
  const deleteAll = () => open('delete-all')
  return [
    { label: t`Export`, icon: <Download />, onSelect: exportAll, disabledReason },
    { kind: 'separator' },
    { label: t`Delete all`, icon: <Trash2 />, danger: true, onSelect: deleteAll, disabledReason },
  ]
}

type Open = (name: string, row: string) => void

/** Also the buttons of its panel. */
export function subscriptionActions(row: Subscription, open: Open): [MenuAction, MenuAction, MenuAction] {
  const id = subscriptionList.rowId(row)
  const toggle = () => void toggleSubscription(row)
  // Rejects its users, so it asks where there are some.
  const pause = row.userCount === 0 ? toggle : () => open('pause', id)
  return [
    { label: t`Edit`, icon: <Pencil />, onSelect: () => open('edit', id) },
    row.active
      ? { label: t`Pause`, icon: <Pause />, danger: true, onSelect: pause }
      : { label: t`Activate`, icon: <Play />, onSelect: toggle },
    { label: t`Delete`, icon: <Trash2 />, danger: true, onSelect: () => open('delete', id) },
  ]
}

interface SubscriptionMenu {
  open: Open
  showUsers: (row: Subscription) => void
}

export function subscriptionMenu(row: Subscription, { open, showUsers }: SubscriptionMenu): MenuEntry[] {
  const [edit, toggle, remove] = subscriptionActions(row, open)
  return [
    edit,
    toggle,
    {
      label: t`Show users`,
      icon: <Users />,
      onSelect: () => showUsers(row),
      disabledReason: row.userCount === 0 ? t`No user has this subscription` : undefined,
    },
    { kind: 'separator' },
    remove,
  ]
}

export const subscriptionDialogs =
  (appName: string | undefined): DialogsOf<Subscription> =>
  ({ onDone, onClose }) => ({
    edit: (row) => <SubscriptionForm subscription={row} level={row.level} onClose={onClose} />,
    pause: (row) => <PauseSubscriptionDialog subscription={row} onClose={onClose} />,
    delete: (row) =>
      appName !== undefined && (
        <DeleteSubscriptionsDialog subscriptions={[row]} appName={appName} onDone={onDone} onClose={onClose} />
      ),
  })
