import { targetHistoryTab } from '#features/audit/web/target-history.tsx'
import { DownloadPanel } from '#features/downloads/web/download-panel.tsx'
import type { Download } from '#features/downloads/web/downloads-data.ts'
import { SellerKeyPanel } from '#features/seller-keys/web/seller-key-panel.tsx'
import type { SellerKey } from '#features/seller-keys/web/seller-keys-data.ts'
import { SubscriptionPanel } from '#features/subscriptions/web/subscription-panel.tsx'
import type { Subscription } from '#features/subscriptions/web/subscriptions-data.ts'
import { VariablePanel } from '#features/variables/web/variable-panel.tsx'
import type { AppVariable } from '#features/variables/web/variables-data.ts'
import { WebhookPanel } from '#features/webhooks/web/webhook-panel.tsx'
import type { Webhook } from '#features/webhooks/web/webhooks-data.ts'
import type { PanelSubject } from '../panel/panel-address.ts'
import type { Tab } from '../ui/tabs.tsx'

/** The panel of what an app is set up with, with the tabs that features add. */
export function AppContentPanel({ kind, id }: PanelSubject) {
  switch (kind) {
    case 'file':
      return <DownloadPanel downloadId={id} tabs={fileTabs} />
    case 'subscription':
      return <SubscriptionPanel level={id} tabs={subscriptionTabs} />
    case 'webhook':
      return <WebhookPanel webhookId={id} tabs={webhookTabs} />
    case 'seller-key':
      return <SellerKeyPanel id={id} tabs={sellerKeyTabs} />
    case 'variable':
      return <VariablePanel name={id} tabs={variableTabs} />
    default:
      return null
  }
}

/** An earlier file may have had its name. */
const fileTabs = (file: Download): Tab[] => [
  targetHistoryTab({ act: 'download', target: file.name, from: file.createdAt, version: JSON.stringify(file) }),
]

const subscriptionTabs = (subscription: Subscription): Tab[] => [
  targetHistoryTab({
    act: 'subscription',
    target: String(subscription.level),
    version: JSON.stringify(subscription),
  }),
]

const webhookTabs = (webhook: Webhook): Tab[] => [
  targetHistoryTab({ act: 'webhook', target: webhook.id, version: JSON.stringify(webhook) }),
]

const sellerKeyTabs = (key: SellerKey): Tab[] => [
  targetHistoryTab({ act: 'seller-key', target: key.sellerKey, version: JSON.stringify({ ...key, lastUsed: null }) }),
]

/** An earlier variable may have had its name. */
const variableTabs = (variable: AppVariable): Tab[] => [
  targetHistoryTab({
    act: 'variable',
    target: variable.variableName,
    from: variable.createdAt,
    version: JSON.stringify(variable),
  }),
]
