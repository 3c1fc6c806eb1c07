import { t } from '@lingui/core/macro'
import { apiCall } from '#web/api-call/api-call.ts'
import { call } from '#web/api/call.ts'
import { successText } from '#web/api/errors.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { DeleteDialog, type DeleteHandlers } from '#web/bulk/delete-dialog.tsx'
import { notify } from '#web/browser/notify.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { overlapHours as overlap, type WebhookEvent, webhookTitle } from '../webhooks.rules.ts'
import { eventNames, EventFields } from './event-fields.tsx'
import { refreshWebhooks, type Webhook } from './webhooks-data.ts'
import { SecretSheet } from './webhooks-form.tsx'

export function DeleteWebhookDialog({ webhook, ...handlers }: DeleteHandlers & { webhook: Webhook }) {
  const title = webhookTitle(webhook)
  return (
    <DeleteDialog
      title={t`Delete ${title}?`}
      description={t`You can restore the webhook for 30 days.`}
      impact={t`Programs that trigger it are rejected, and nothing more is delivered to it.`}
      send={() => call('POST /delete_webhook', { body: { webhookId: webhook.id } })}
      apiCall={() => apiCall('POST /delete_webhook', { body: { webhookId: webhook.id } })}
      refresh={refreshWebhooks}
      failure={t`Failed to delete webhook`}
      withCause={(message) => t`Failed to delete webhook: ${message}`}
      {...handlers}
    />
  )
}

export function DeleteAllWebhooksDialog({ appName, ...handlers }: DeleteHandlers & { appName: string }) {
  return (
    <DeleteDialog
      title={t`Delete all webhooks?`}
      description={t`You can restore the webhooks for 30 days.`}
      impact={t`Programs that trigger them are rejected, and nothing more is delivered.`}
      send={() => call('POST /delete_all_webhooks', { body: {} })}
      apiCall={() => apiCall('POST /delete_all_webhooks', { body: {} })}
      refresh={refreshWebhooks}
      failure={t`Failed to delete all webhooks`}
      appName={appName}
      isAll
      {...handlers}
    />
  )
}

/** Rotates the secret; the previous one may also sign for a while, so that the receiver can switch. */
export function RotateSecretDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const form = useSaveForm({
    start: { overlapHours: overlap.standard as number },
    isNew: true,
    toForm: (stored): { overlapHours: number | undefined } => stored,
    toBody: ({ overlapHours }) => ({ overlapHours: overlapHours ?? 0 }),
    send: ({ body, idempotencyKey }) =>
      call('POST /rotate_webhook_secret', { body: { webhookId: webhook.id, ...body }, idempotencyKey }),
    failure: t`Failed to update webhook`,
    onSaved: async () => void (await refreshWebhooks()),
  })
  const title = webhookTitle(webhook)
  if (form.saved) return <SecretSheet secret={form.saved.secret} onClose={onClose} />
  return (
    <FormDialog
      title={t`New secret for ${title}`}
      description={t`The webhook gets a new secret, shown once. Requests are signed with both until the overlap ends.`}
      size="sm"
      submitLabel={t`Generate new secret`}
      {...form.dialog}
      blockedReason={form.values.overlapHours === undefined ? t`Enter the hours` : undefined}
      onClose={onClose}
    >
      <NumberField
        label={t`Overlap in hours`}
        help={t`0 to 72. With 0, the old secret stops working immediately.`}
        min={0}
        max={overlap.max}
        {...form.field('overlapHours')}
      />
    </FormDialog>
  )
}

interface ChatProps {
  chat: { isSet: boolean; events: WebhookEvent[] }
  onClose: () => void
}

/** Selection of the events announced on the app's chat link. */
export function ChatMessagesDialog({ chat, onClose }: ChatProps) {
  const form = useSaveForm({
    start: { events: chat.events },
    isNew: false,
    send: ({ body, before }) => call('POST /update_chat_events', { body: { ...body, before } }),
    failure: t`Failed to update chat messages`,
    texts: { events: eventNames },
    onSaved: async (reply) => {
      notify.success(successText(reply))
      onClose()
      await refreshWebhooks()
    },
    onUnchanged: onClose,
  })
  return (
    <FormDialog title={t`Chat messages`} submitLabel={t`Save Changes`} {...form.dialog} onClose={onClose}>
      {!chat.isSet && <Notice>{t`This app has no chat webhook link yet. Set it on the Settings page.`}</Notice>}
      <EventFields
        help={t`Each selected event sends a short message to this app's chat webhook link.`}
        {...form.field('events')}
      />
    </FormDialog>
  )
}
