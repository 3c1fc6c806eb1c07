import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PanelMenu } from '#web/panel/panel-menu.tsx'
import { CopiedFact, NoValue, PanelFact, PanelFacts } from '#web/panel/panel-parts.tsx'
import { ListedRecord } from '#web/list/listed-record.tsx'
import { PanelDialog } from '#web/panel/panel-dialog.tsx'
import { usePanel } from '#web/panel/use-panel.ts'
import { Button } from '#web/ui/button.tsx'
import { QueryStale } from '#web/ui/query-stale.tsx'
import { QueryFailed } from '#web/ui/query-failed.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import type { Tab } from '#web/ui/tabs.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { TimeLeft } from '#web/ui/time-left.tsx'
import { webhookTitle } from '../webhooks.rules.ts'
import { DeliveryState, deliveryTitle } from './delivery-state.tsx'
import { eventTexts } from './event-texts.ts'
import { outcomeText } from './outcome-text.ts'
import { WebhookState } from './webhooks-columns.tsx'
import { deliveriesQuery, type Delivery, type Webhook, webhookList } from './webhooks-data.ts'
import { webhookDialogs, webhookMenu } from './webhooks-menus.tsx'
import { usePlanReason } from '#features/plans/web/use-plan-feature.ts'

interface WebhookPanelProps {
  webhookId: string
  /** Tabs of other features. */
  tabs: (webhook: Webhook) => readonly Tab[]
}

/** A webhook: whether its deliveries get through and why not, what it is told, and the last deliveries. */
export function WebhookPanel({ webhookId, tabs }: WebhookPanelProps) {
  return (
    <ListedRecord
      list={webhookList}
      id={webhookId}
      kind={t`Webhook`}
      failure={t`Failed to load webhooks`}
      missing={t`Webhook not found`}
      parts={(webhook: Webhook) => ({
        name: <span translate="no">{webhookTitle(webhook)}</span>,
        recentName: webhookTitle(webhook),
        badge: <WebhookState row={webhook} />,
        actions: <Actions webhook={webhook} />,
        details: <Details webhook={webhook} />,
        tabs: tabs(webhook),
        dialog: <PanelDialog key={webhook.id} row={webhook} dialogs={webhookDialogs} />,
      })}
    />
  )
}

function Actions({ webhook }: { webhook: Webhook }) {
  const { setAction } = usePanel()
  const entries = webhookMenu(webhook, setAction, usePlanReason('webhooks'))
  return <PanelMenu entries={entries} buttons={2} group={t`Webhooks`} editLabel={t`Edit webhook`} />
}

function Details({ webhook }: { webhook: Webhook }) {
  const { id, url, userAgent, authenticated, events, stoppedAt, failingSince, rotatedUntil, createdAt } = webhook
  const deliveries = useQuery(deliveriesQuery(id))
  const rows = deliveries.data?.deliveries
  const failed = rows?.find(({ state, attemptedAt }) => state !== 'delivered' && attemptedAt !== null)
  const since = stoppedAt ?? failingSince
  return (
    <>
      <PanelFacts>
        {since !== null && (
          <PanelFact name={stoppedAt === null ? t`Failing since` : t`Stopped`}>
            <TimeAgo at={since} />
            {failed && <span className="text-text-2">{outcomeText(failed)}</span>}
          </PanelFact>
        )}
        <PanelFact name={t`Last delivered`}>
          <LastDelivered rows={rows} total={deliveries.data?.total} />
        </PanelFact>
        <CopiedFact name={t`URL`} value={url} copyLabel={t`Copy URL`}>
          <MachineText value={url} className="break-all" />
        </CopiedFact>
        <PanelFact name={t`Events`}>
          {events.length === 0 ? (
            t`None`
          ) : (
            <ul>
              {events.map((event) => (
                <li key={event}>{i18n._(eventTexts[event])}</li>
              ))}
            </ul>
          )}
        </PanelFact>
        <PanelFact name={t`Triggered by`}>
          {authenticated ? t`Programs, after sign-in` : t`Every copy of your program`}
        </PanelFact>
        <PanelFact name={t`User-Agent`}>
          <MachineText value={userAgent} className="break-all" />
        </PanelFact>
        {rotatedUntil !== null && (
          <PanelFact name={t`Old secret`}>
            <TimeLeft until={rotatedUntil} />
          </PanelFact>
        )}
        <CopiedFact name={t`ID`} value={id} copyLabel={t`Copy ID`}>
          <MachineText value={id} />
        </CopiedFact>
        <PanelFact name={t({ message: 'Created', context: 'webhook' })}>
          <TimeAgo at={createdAt} />
        </PanelFact>
      </PanelFacts>
      <section aria-label={t`Deliveries`} className="mt-6">
        <div className="mb-2 flex items-center justify-between gap-3">
          <h3 className="text-ui font-semibold">{t`Deliveries`}</h3>
          <ShowAll />
        </div>
        <QueryStale query={deliveries} failure={t`Failed to load deliveries`} />
        {rows ? (
          <Deliveries rows={rows} />
        ) : deliveries.error ? (
          <QueryFailed query={deliveries} failure={t`Failed to load deliveries`} />
        ) : (
          <Note>{t`Loading…`}</Note>
        )}
      </section>
    </>
  )
}

/** Only the newest deliveries are known here. */
function LastDelivered({ rows, total }: { rows: readonly Delivery[] | undefined; total: number | undefined }) {
  if (!rows || total === undefined) return <NoValue />
  const last = rows.find(({ state, attemptedAt }) => state === 'delivered' && attemptedAt !== null)
  if (last?.attemptedAt) return <TimeAgo at={last.attemptedAt} />
  const shown = rows.length
  return total > shown ? t`None of the newest ${shown} deliveries` : t`Not in the last 30 days`
}

function ShowAll() {
  const { setAction } = usePanel()
  return <Button size="sm" onClick={() => setAction('deliveries')}>{t`Show all`}</Button>
}

const shownDeliveries = 5

function Deliveries({ rows }: { rows: readonly Delivery[] }) {
  if (rows.length === 0) return <Note>{t`No deliveries yet.`}</Note>
  return (
    <ul className="rounded-md border border-line">
      {rows.slice(0, shownDeliveries).map((delivery) => (
        <li key={delivery.id} className="border-t border-line px-3 py-2 text-ui first:border-t-0">
          <div className="flex items-start justify-between gap-3">
            <span className="min-w-0">{deliveryTitle(delivery)}</span>
            <DeliveryState delivery={delivery} />
          </div>
          <div className="mt-1 flex flex-wrap gap-x-3 text-meta text-text-2">
            <TimeAgo at={delivery.createdAt} />
            <span>{delivery.attemptedAt === null ? t`Not attempted yet` : outcomeText(delivery)}</span>
          </div>
        </li>
      ))}
    </ul>
  )
}

const Note = ({ children }: { children: ReactNode }) => (
  <p role="status" className="text-ui text-text-2">
    {children}
  </p>
)
