import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { call } from '#web/api/call.ts'
import { notifyOutcome } from '#web/api/notify-outcome.ts'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { Button } from '#web/ui/button.tsx'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { QueryStale } from '#web/ui/query-stale.tsx'
import { QueryFailed } from '#web/ui/query-failed.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { usePlanReason } from '#features/plans/web/use-plan-feature.ts'
import { DeliveryState, deliveryTitle } from './delivery-state.tsx'
import { outcomeText } from './outcome-text.ts'
import { prettyJson } from './pretty-json.ts'
import { deliveriesQuery, type Delivery, refreshWebhooks, type Webhook } from './webhooks-data.ts'

/** Deliveries of a webhook in the last 30 days, with their results. */
export function DeliveriesDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const query = useQuery(deliveriesQuery(webhook.id))
  const { data, error, isFetching } = query
  const shown = data?.deliveries.length ?? 0
  const all = data?.total ?? 0
  const total = all.toLocaleString(i18n.locale)
  return (
    <Dialog
      title={t`Deliveries`}
      description={webhook.url}
      size="lg"
      onClose={onClose}
      footer={
        <Button icon={<RotateCw />} busy={isFetching} onClick={() => void refreshWebhooks()}>
          {t`Refresh`}
        </Button>
      }
    >
      {data ? (
        <>
          <QueryStale query={query} failure={t`Failed to load deliveries`} />
          {all === 0 && <p className="py-8 text-center text-ui text-text-2">{t`No deliveries yet.`}</p>}
          <ul className="flex flex-col ruled">
            {data.deliveries.map((delivery) => (
              <DeliveryItem key={delivery.id} delivery={delivery} webhookId={webhook.id} />
            ))}
          </ul>
          {all > shown && (
            <p className="py-2 text-meta text-text-3">{t`The newest ${shown} of ${total} from the last 30 days.`}</p>
          )}
        </>
      ) : error ? (
        <QueryFailed query={query} failure={t`Failed to load deliveries`} />
      ) : (
        <p role="status" className="flex items-center justify-center gap-2 py-8 text-ui text-text-2">
          <Spinner /> {t`Loading…`}
        </p>
      )}
    </Dialog>
  )
}

function DeliveryItem({ delivery, webhookId }: { delivery: Delivery; webhookId: string }) {
  const { attempts, attemptedAt, createdAt, durationMs, answer, body, messageId } = delivery
  const noWebhooks = usePlanReason('webhooks')
  const replay = useMutation({
    mutationFn: () => {
      const body = { webhookId, deliveryId: delivery.id }
      return notifyOutcome(() => call('POST /replay_webhook_delivery', { body }), t`Failed to redeliver`)
    },
    onSuccess: (reply) => reply && refreshWebhooks(),
  })
  return (
    <li className="flex flex-col gap-2 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <DeliveryState delivery={delivery} />
        <span className="text-ui font-medium">{deliveryTitle(delivery)}</span>
        <TimeAgo at={createdAt} className="text-meta text-text-2" />
        <Button
          size="sm"
          className="ml-auto"
          icon={<RotateCw />}
          busy={replay.isPending}
          disabledReason={noWebhooks}
          onClick={() => replay.mutate()}
        >{t`Redeliver`}</Button>
      </div>
      <p className="text-meta text-text-2">
        <span>{attemptedAt === null ? t`Not attempted yet` : outcomeText(delivery)}</span>
        {attemptedAt !== null && durationMs !== null && (
          <span translate="no">{` · ${durationMs.toLocaleString(i18n.locale)} ms`}</span>
        )}
        {attempts > 1 && (
          <>
            {' · '}
            <span>{plural(attempts, { one: '# attempt', other: '# attempts' })}</span>
          </>
        )}
      </p>
      <Disclosure label={t`Request and response`}>
        {() => (
          <div className="flex flex-col gap-2">
            <CodeBlock limited label={`webhook-id: ${messageId}`} text={prettyJson(body)} />
            {answer !== '' && <CodeBlock limited label={t`Response`} text={answer} />}
          </div>
        )}
      </Disclosure>
    </li>
  )
}
