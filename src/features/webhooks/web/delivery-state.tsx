import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Badge } from '#web/ui/badge.tsx'
import type { WebhookEvent } from '../webhooks.rules.ts'
import { eventTexts } from './event-texts.ts'
import type { Delivery } from './webhooks-data.ts'

/** The event that was delivered. */
export function deliveryTitle({ event }: Delivery): string {
  const known = eventTexts[event as WebhookEvent]
  return known ? i18n._(known) : t`Test event`
}

export function DeliveryState({ delivery: { state, failure, attempts } }: { delivery: Delivery }) {
  if (state === 'delivered') return <Badge tone="ok" dot="filled">{t`Delivered`}</Badge>
  if (state === 'failed') return <Badge tone="danger" dot="slashed">{t`Failed`}</Badge>
  const isRetried = failure !== '' || attempts > 0
  return (
    <Badge tone={isRetried ? 'warn' : 'neutral'} dot="ring">
      {isRetried ? t`Retrying soon` : t`Waiting`}
    </Badge>
  )
}
