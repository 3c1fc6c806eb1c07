import { t } from '@lingui/core/macro'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { call } from '#web/api/call.ts'
import { successText } from '#web/api/errors.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { notify } from '#web/browser/notify.ts'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { KeysSheet } from '#web/ui/keys-sheet.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import {
  defaultUserAgent,
  maxNameLength,
  maxUrlLength,
  maxUserAgentLength,
  userAgentProblem,
  type WebhookEvent,
  webhookNameProblem,
  webhookUrlProblem,
} from '../webhooks.rules.ts'
import { eventNames, EventFields } from './event-fields.tsx'
import { refreshWebhooks, type Webhook } from './webhooks-data.ts'

interface WebhookFormProps {
  /** The webhook to edit; without it, a new one is created. */
  webhook?: Webhook | undefined
  onClose: () => void
}

export function WebhookForm({ webhook, onClose }: WebhookFormProps) {
  const form = useSaveForm({
    start: {
      name: webhook?.name ?? '',
      url: webhook?.url ?? '',
      userAgent: webhook?.userAgent ?? defaultUserAgent,
      authenticated: webhook?.authenticated ?? true,
      events: (webhook?.events ?? []) as WebhookEvent[],
    },
    isNew: webhook === undefined,
    toBody: (values) => ({
      ...values,
      name: values.name.trim(),
      url: values.url.trim(),
      userAgent: values.userAgent.trim(),
    }),
    problems: ({ name, url, userAgent }) => ({
      name: webhookNameProblem(name),
      url: webhookUrlProblem(url),
      userAgent: userAgentProblem(userAgent),
    }),
    send: async ({ body, changes, before, idempotencyKey }) => {
      if (!webhook) return call('POST /create_webhook', { body, idempotencyKey })
      const edit = { webhookId: webhook.id, ...changes, before }
      return { ...(await call('POST /update_webhook', { body: edit })), secret: undefined }
    },
    // Text required by the specification: "Failed to create/update/delete webhook: {message}".
    failure: webhook ? t`Failed to update webhook` : t`Failed to create webhook`,
    failureWithCause: (message) =>
      webhook ? t`Failed to update webhook: ${message}` : t`Failed to create webhook: ${message}`,
    texts: {
      authenticated: (only) => (only ? t`Yes` : t`No`),
      events: eventNames,
    },
    onSaved: async (reply) => {
      // If there is a new secret, it is shown first and the toast follows afterward: on a phone, a toast would cover
      // the buttons of the sheet.
      if (reply.secret === undefined) {
        notify.success(successText(reply))
        onClose()
      }
      await refreshWebhooks()
    },
    onUnchanged: onClose,
  })
  const { saved } = form
  if (saved?.secret) {
    const finish = () => {
      notify.success(successText(saved))
      onClose()
    }
    return <SecretSheet secret={saved.secret} onClose={finish} />
  }
  return (
    <FormDialog
      title={webhook ? t`Edit webhook` : t`Add Webhook`}
      submitLabel={webhook ? t`Save Changes` : t`Add Webhook`}
      {...form.dialog}
      onClose={onClose}
    >
      <TextField
        label={t`Name`}
        maxLength={maxNameLength}
        help={t`Only for you, such as “Order bot”. Your programs and the receiver never see it.`}
        {...form.field('name')}
      />
      <TextField
        label={t`URL`}
        type="url"
        required
        mono
        maxLength={maxUrlLength}
        placeholder="https://example.com/hook"
        help={t`The server calls it; your customers never see it.`}
        {...form.field('url')}
      />
      <TextField label={t`User-Agent`} required mono maxLength={maxUserAgentLength} {...form.field('userAgent')} />
      <CheckboxField
        label={t`Authenticated`}
        help={t`Programs can trigger it only after a user has signed in. Otherwise, every copy of your program can.`}
        {...form.checkbox('authenticated')}
      />
      <EventFields
        help={t`Selected events are signed, sent to this URL and retried on failure.`}
        {...form.field('events')}
      />
      <ShowApiCall
        calls={() => {
          if (!webhook) return [apiCall('POST /create_webhook', { body: form.body, idempotencyKey: true })]
          return form.changes && [apiCall('POST /update_webhook', { body: { webhookId: webhook.id, ...form.changes } })]
        }}
      />
    </FormDialog>
  )
}

/** Shows the secret, once. */
export const SecretSheet = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <KeysSheet
    title={t`Your webhook secret`}
    description={t`Your server uses it to verify that a request comes from here. Copy it now: it can't be shown again.`}
    label={t`Webhook secret`}
    keys={[secret]}
    copyLabel={t`Copy`}
    shownOnce
    onClose={onClose}
  />
)
