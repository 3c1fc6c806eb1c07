import { plural, t } from '@lingui/core/macro'
import { useState } from 'react'
import { levelNameProblem } from '#features/levels/levels.rules.ts'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { call } from '#web/api/call.ts'
import { successText } from '#web/api/errors.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { notify, notifyUndoable } from '#web/browser/notify.ts'
import { selectedAppStore } from '#web/api/app-selection.ts'
import { isTyped } from '#web/ui/confirm-dialog.tsx'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { refreshSubscriptions, type Subscription, toggleSubscription } from './subscriptions-data.ts'

interface SubscriptionFormProps {
  /** The level to edit; undefined creates a new one. */
  subscription?: Subscription | undefined
  level: number
  onClose: () => void
}

const maxNameLength = 50

/** Creates or edits a level; its number is preset and cannot be changed. */
export function SubscriptionForm({ subscription, level, onClose }: SubscriptionFormProps) {
  const users = subscription?.userCount ?? 0
  const [typed, setTyped] = useState('')
  // Undo can be clicked after switching to another app.
  const [appId] = useState(() => selectedAppStore.get()?.appId)
  const word = t`pause`
  /** As the action of its own, which asks the same. */
  const pauses = (active: boolean) => subscription?.active === true && !active
  const asksWord = (active: boolean) => pauses(active) && users > 0
  const form = useSaveForm({
    start: { name: subscription?.name ?? '', active: subscription?.active ?? true },
    isNew: subscription === undefined,
    toBody: (values) => ({ ...values, name: values.name.trim() }),
    problems: ({ name, active }) => ({
      name: levelNameProblem(name),
      active: asksWord(active) && !isTyped(word, typed) ? t`The confirmation text doesn't match` : undefined,
    }),
    send: ({ body, changes, before, idempotencyKey }) =>
      subscription
        ? call('POST /update_subscription', { body: { level, ...changes, before } })
        : call('POST /create_subscription', { body: { level, ...body }, idempotencyKey }),
    failure: subscription ? t`Failed to update subscription` : t`Failed to create subscription`,
    texts: {
      active: (active) =>
        active ? t({ message: 'Active', context: 'subscription' }) : t({ message: 'Paused', context: 'subscription' }),
    },
    onSaved: async (reply) => {
      const { active } = form.values
      if (pauses(active))
        notifyUndoable(successText(reply), () => void toggleSubscription({ level, active }, appId, true))
      else notify.success(successText(reply))
      onClose()
      await refreshSubscriptions()
    },
    onUnchanged: onClose,
  })
  const { error, ...active } = form.checkbox('active')
  return (
    <FormDialog
      title={subscription ? t`Edit subscription` : t`Create subscription`}
      submitLabel={subscription ? t`Save Changes` : t`Create`}
      {...form.dialog}
      onClose={onClose}
    >
      <TextField label={t`Name`} required maxLength={maxNameLength} {...form.field('name')} />
      <TextField
        label={t`Level`}
        readOnly
        mono
        value={String(level)}
        help={t`Assigned automatically; can't be changed.`}
      />
      {subscription && (
        <CheckboxField
          label={t({ message: 'Active', context: 'subscription' })}
          help={
            <>
              {t`While it is paused, programs of users who have only this subscription are rejected.`}{' '}
              {users > 0 && plural(users, { one: 'In use by # user.', other: 'In use by # users.' })}
            </>
          }
          {...active}
          error={active.checked ? error : undefined}
        />
      )}
      {asksWord(active.checked) && (
        <TextField
          label={t`Type “${word}” to confirm`}
          value={typed}
          autoComplete="off"
          spellCheck={false}
          error={error}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      <ShowApiCall
        calls={() => {
          if (!subscription)
            return [apiCall('POST /create_subscription', { body: { level, ...form.body }, idempotencyKey: true })]
          return form.changes && [apiCall('POST /update_subscription', { body: { level, ...form.changes } })]
        }}
      />
    </FormDialog>
  )
}
