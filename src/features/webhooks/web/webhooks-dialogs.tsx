import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { call } from '#web/call.ts'
import { failureText, failureTextWithCause, successText } from '#web/errors.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { notify } from '#web/notify.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { overlapHours as overlap, type WebhookEvent } from '../webhooks.rules.ts'
import { EventFields } from './event-fields.tsx'
import { refreshWebhooks, type Webhook } from './webhooks-data.ts'
import { SecretSheet } from './webhooks-form.tsx'

interface EndProps {
  onDone: () => void
  onClose: () => void
}

function useDelete(send: () => Promise<Parameters<typeof successText>[0]>, onDone: () => void) {
  return useMutation({
    mutationFn: send,
    onSuccess: async (reply) => {
      notify.success(successText(reply))
      onDone()
      await refreshWebhooks()
    },
  })
}

export function DeleteWebhookDialog({ webhook, onDone, onClose }: EndProps & { webhook: Webhook }) {
  const remove = useDelete(() => call('POST /delete_webhook', { body: { webhookId: webhook.id } }), onDone)
  const withCause = (message: string) => t`Failed to delete webhook: ${message}`
  return (
    <ConfirmDialog
      title={t`Delete ${webhook.id}?`}
      description={t`This action cannot be undone.`}
      impact={t`Programs that have it called are refused, and nothing more is delivered to it.`}
      confirmLabel={t`Delete`}
      danger
      busy={remove.isPending}
      error={remove.error ? failureTextWithCause(remove.error, t`Failed to delete webhook`, withCause) : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  )
}

export function DeleteAllWebhooksDialog({ appName, onDone, onClose }: EndProps & { appName: string }) {
  const remove = useDelete(() => call('POST /delete_all_webhooks', { body: {} }), onDone)
  return (
    <ConfirmDialog
      title={t`Delete all webhooks?`}
      description={t`This action cannot be undone.`}
      impact={t`Programs that have them called are refused, and nothing more is delivered.`}
      typedName={appName}
      typedLabel={t`App name`}
      typedMismatch={t`App name does not match`}
      confirmLabel={t`Delete`}
      danger
      busy={remove.isPending}
      error={remove.error ? failureText(remove.error, t`Failed to delete all webhooks`) : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  )
}

/** A new secret; the old one may sign beside it for a while so that a receiver can change over. */
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
  if (form.saved) return <SecretSheet secret={form.saved.secret} onClose={onClose} />
  return (
    <FormDialog
      title={t`New secret for ${webhook.id}`}
      description={t`The webhook gets a new secret, shown once. Requests are signed with both until the overlap ends.`}
      size="sm"
      submitLabel={t`Make new secret`}
      {...form.dialog}
      submitDisabled={form.values.overlapHours === undefined}
      onClose={onClose}
    >
      <NumberField
        label={t`Overlap in hours`}
        help={t`0 to 72. With 0 the old secret counts no more at once.`}
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

/** Which events the chat link of the app gets a message about. */
export function ChatMessagesDialog({ chat, onClose }: ChatProps) {
  const form = useSaveForm({
    start: { events: chat.events },
    isNew: false,
    send: ({ body }) => call('POST /update_chat_events', { body }),
    failure: t`Failed to update chat messages`,
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
        help={t`Each one that you tick sends a short message to the chat webhook link of this app.`}
        {...form.field('events')}
      />
    </FormDialog>
  )
}
