import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { type WebhookEvent, webhookEvents } from '../webhooks.rules.ts'
import { eventTexts } from './event-texts.ts'

interface EventFieldsProps {
  value: readonly WebhookEvent[]
  onChange: (value: WebhookEvent[]) => void
  notice: ReactNode
  help: string
}

export const eventNames = (events: readonly WebhookEvent[]): string =>
  events.map((event) => i18n._(eventTexts[event])).join(', ') || t`None`

/** Selection of events. */
export function EventFields({ value, onChange, notice, help }: EventFieldsProps) {
  const toggle = (event: WebhookEvent) =>
    onChange(webhookEvents.filter((each) => (each === event) !== value.includes(each)))
  return (
    <fieldset>
      <legend className="mb-2 text-ui font-medium">{t`Events`}</legend>
      <div className="grid gap-2 rounded-md border border-line p-3 sm:grid-cols-2">
        {webhookEvents.map((event) => (
          <CheckboxField
            key={event}
            name="events"
            label={i18n._(eventTexts[event])}
            checked={value.includes(event)}
            onChange={() => toggle(event)}
          />
        ))}
      </div>
      <p className="my-2 text-meta text-text-2">{help}</p>
      {notice}
    </fieldset>
  )
}
