import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { call } from '#web/call.ts'
import { failureText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { refreshSubscriptions, type Subscription } from './subscription-list.ts'

interface SubscriptionFormProps {
  /** What is edited; without it a new one is made. */
  subscription?: Subscription | undefined
  level: number
  onClose: () => void
}

const maxNameLength = 50

/** Create and edit; the level is given and never changes (part 1 §5 Subscriptions). */
export function SubscriptionForm({ subscription, level, onClose }: SubscriptionFormProps) {
  const [name, setName] = useState(subscription?.name ?? '')
  const [active, setActive] = useState(subscription?.active ?? true)
  const [submitted, setSubmitted] = useState(false)
  const [attempt] = useState(() => crypto.randomUUID())
  const body = { level, name: name.trim(), active }
  const created = { body, idempotencyKey: attempt }
  const save = useMutation({
    mutationFn: () => {
      if (subscription) return call('POST /update_subscription', { body })
      return call('POST /create_subscription', created)
    },
    onSuccess: async ({ message }) => {
      notify.success(
        message ?? (subscription ? t`Subscription updated successfully` : t`Subscription created successfully`),
      )
      onClose()
      await refreshSubscriptions()
    },
  })
  const isMissing = name.trim() === ''
  const failure = subscription ? t`Failed to update subscription` : t`Failed to create subscription`
  const submit = () => {
    setSubmitted(true)
    if (!isMissing) save.mutate()
  }
  return (
    <FormDialog
      title={subscription ? t`Edit subscription` : t`Create subscription`}
      submitLabel={subscription ? t`Save Changes` : t`Create`}
      busy={save.isPending}
      error={save.error ? failureText(save.error, failure) : undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t`Name`}
        required
        maxLength={maxNameLength}
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={submitted && isMissing ? t`Subscription name is required` : undefined}
      />
      <TextField label={t`Level`} readOnly mono value={String(level)} help={t`Given by Signet; it never changes.`} />
      {subscription && (
        <CheckboxField
          label={t`Active`}
          help={t`While it is paused, programs of users who hold only this one are refused.`}
          checked={active}
          onChange={(event) => setActive(event.target.checked)}
        />
      )}
      {!subscription && <ShowApiCall calls={() => [apiCall('POST /create_subscription', created)]} sellerApi />}
    </FormDialog>
  )
}
