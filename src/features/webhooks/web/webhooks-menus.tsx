import { t } from '@lingui/core/macro'
import { History, KeyRound, MessageSquare, Pencil, Play, Send, Trash2 } from 'lucide-react'
import type { DialogsOf } from '#web/panel/panel-dialog.tsx'
import { FacetLine } from '#web/table/facet-line.tsx'
import type { TableState } from '#web/table/use-table-state.ts'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import { startWebhook, testWebhooks, type Webhook, type WebhookCounts } from './webhooks-data.ts'

export const WebhookForm = lazyDialog(() => import('./webhooks-form.tsx'), 'WebhookForm')
const DeleteWebhookDialog = lazyDialog(() => import('./webhooks-dialogs.tsx'), 'DeleteWebhookDialog')
const RotateSecretDialog = lazyDialog(() => import('./webhooks-dialogs.tsx'), 'RotateSecretDialog')
const TestDialog = lazyDialog(() => import('./test-dialog.tsx'), 'TestDialog')
const DeliveriesDialog = lazyDialog(() => import('./deliveries-dialog.tsx'), 'DeliveriesDialog')

/** How many webhooks of the app have each status. */
export function StatusFacets({ state, counts }: { state: TableState; counts: WebhookCounts | undefined }) {
  return (
    <FacetLine
      label={t`Webhook counts`}
      filter="status"
      filterLabel={t`Status`}
      state={state}
      total={{ count: counts?.total }}
      facets={[
        { value: 'working', label: t({ message: 'Working', context: 'webhooks' }), count: counts?.working },
        { value: 'failing', label: t`Failing`, count: counts?.failing },
        { value: 'stopped', label: t({ message: 'Stopped', context: 'webhooks' }), count: counts?.stopped },
      ]}
    />
  )
}

export function moreMenu(isEmpty: boolean, open: (name: string) => void): MenuEntry[] {
  const disabledReason = isEmpty ? t`There are no webhooks` : undefined
  return [
    { label: t`Chat messages`, icon: <MessageSquare />, onSelect: () => open('chat') },
    { kind: 'separator' },
    { label: t`Delete All`, icon: <Trash2 />, danger: true, onSelect: () => open('delete-all'), disabledReason },
  ]
}

export function webhookMenu(
  row: Webhook,
  open: (name: string, row: string) => void,
  disabledReason: string | undefined,
): MenuEntry[] {
  const { id } = row
  const test = () => {
    void testWebhooks(row)
    open('test', id)
  }
  const start: MenuEntry[] =
    row.stoppedAt === null
      ? []
      : [{ label: t`Resume deliveries`, icon: <Play />, onSelect: () => void startWebhook(row) }]
  return [
    { label: t`Edit`, icon: <Pencil />, onSelect: () => open('edit', id) },
    ...start,
    { label: t`Test`, icon: <Send />, disabledReason, onSelect: test },
    { label: t`Deliveries`, icon: <History />, onSelect: () => open('deliveries', id) },
    { label: t`New secret`, icon: <KeyRound />, onSelect: () => open('rotate', id) },
    { kind: 'separator' },
    { label: t`Delete`, icon: <Trash2 />, danger: true, onSelect: () => open('delete', id) },
  ]
}

export const webhookDialogs: DialogsOf<Webhook> = ({ onDone, onClose }) => ({
  edit: (row) => <WebhookForm webhook={row} onClose={onClose} />,
  test: (row) => <TestDialog webhook={row} onClose={onClose} />,
  deliveries: (row) => <DeliveriesDialog webhook={row} onClose={onClose} />,
  rotate: (row) => <RotateSecretDialog webhook={row} onClose={onClose} />,
  delete: (row) => <DeleteWebhookDialog webhook={row} onDone={onDone} onClose={onClose} />,
})
