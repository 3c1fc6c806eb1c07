import { t } from '@lingui/core/macro'
import { skipToken, useQuery } from '@tanstack/react-query'
import { selectedAppStore } from '#web/api/app-selection.ts'
import { call } from '#web/api/call.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { failureText, successText } from '#web/api/errors.ts'
import { type ListFilter, pagedList } from '#web/list/list-source.ts'
import { notify } from '#web/browser/notify.ts'
import { queryClient } from '#web/api/query-client.ts'
import { changeAtOnce, withFields } from '#web/api/optimistic-change.ts'
import { appKey, appKeyOf } from '#web/api/query-keys.ts'
import { webhookStatuses } from '../webhooks.rules.ts'
import { outcomeText } from './outcome-text.ts'

export type Webhook = CallReply<'GET /webhooks'>['webhooks'][number]
export type WebhookCounts = CallReply<'GET /webhooks'>['counts']
type WebhookFilter = Pick<ListFilter<'GET /webhooks'>, 'search' | 'status'>
export type Delivery = CallReply<'GET /webhook_deliveries'>['deliveries'][number]

export const webhookList = pagedList({
  key: () => appKey('webhooks'),
  call: 'GET /webhooks',
  live: 'webhooks',
  rows: ({ webhooks }) => webhooks,
  rowId: ({ id }) => id,
  table: {
    filters: { status: webhookStatuses },
    several: ['status'],
    sorts: ['id', 'name', 'url', 'user-agent', 'authenticated'],
  },
  // The table only offers valid values.
  filter: ({ search, filters: { status } }): WebhookFilter => ({
    search: search.trim() || undefined,
    status: status as WebhookFilter['status'],
  }),
})

/** Refreshes the webhooks and their deliveries. The default is the selected app. */
export const refreshWebhooks = (appId = selectedAppStore.get()?.appId) =>
  Promise.all(
    (['webhooks', 'webhook-deliveries'] as const).map((subject) =>
      queryClient.invalidateQueries({ queryKey: appKeyOf(appId, subject) }),
    ),
  )

const shownDeliveries = 20

/** The newest deliveries of a webhook; of the chat link if the ID is empty. */
export const deliveriesQuery = (webhookId: string) => ({
  queryKey: appKey('webhook-deliveries', webhookId),
  queryFn: () => call('GET /webhook_deliveries', { query: { webhookId, limit: shownDeliveries } }),
})

export type TestResult = CallReply<'POST /test_webhooks'>['results'][number]

/** `error`: why there is no result. */
type TestState = TestResult | 'sending' | { error: string }

interface Tested {
  webhookId: string
  /** Another one may be selected by the time of the result. */
  appId: string | undefined
}

const testKey = ({ webhookId, appId }: Tested) => appKeyOf(appId, 'webhook-test', webhookId)

/** The last test of a webhook; kept in memory only. */
export const useTest = (webhookId: string) =>
  useQuery<TestState>({
    queryKey: testKey({ webhookId, appId: selectedAppStore.get()?.appId }),
    queryFn: skipToken,
  }).data

/** Whether the dialog shows the result. */
const isTestShown = (tested: Tested): boolean =>
  queryClient
    .getQueryCache()
    .find({ queryKey: testKey(tested) })
    ?.isActive() ?? false

const keepTest = (tested: Tested, state: TestState) => queryClient.setQueryData(testKey(tested), state)

/** Sends a test to one webhook or to all, and shows the actual result. */
export async function testWebhooks(webhook?: Webhook): Promise<void> {
  const appId = selectedAppStore.get()?.appId
  const tested = webhook && { webhookId: webhook.id, appId }
  if (tested) keepTest(tested, 'sending')
  try {
    const body = webhook ? { webhookIds: [webhook.id] } : {}
    const reply = await call('POST /test_webhooks', { body, appId })
    const [only] = reply.results
    for (const result of reply.results) keepTest({ webhookId: result.webhookId, appId }, result)
    if (reply.failed === 0) notify.success(successText(reply))
    else if (tested && only) {
      const outcome = outcomeText(only)
      if (!isTestShown(tested)) notify.error(t`Failed to test webhook: ${outcome}`)
    } else notify.error(successText(reply))
  } catch (error) {
    const text = failureText(error, webhook ? t`Failed to test webhook` : t`Failed to test webhooks`)
    if (tested) keepTest(tested, { error: text })
    if (!tested || !isTestShown(tested)) notify.error(text)
  }
  await refreshWebhooks(appId)
}

/** Restarts a stopped webhook. */
export async function startWebhook({ id, stoppedAt }: Webhook): Promise<void> {
  const isWebhook = (row: Partial<Webhook>) => row.id === id && row.stoppedAt !== undefined
  // Retry can be clicked after switching to another app.
  const appId = selectedAppStore.get()?.appId
  await changeAtOnce({
    id,
    queryKeys: [appKeyOf(appId, 'webhooks')],
    show: withFields<Webhook>(isWebhook, { stoppedAt: null }),
    takeBack: withFields<Webhook>(isWebhook, { stoppedAt }),
    send: () => call('POST /update_webhook', { body: { webhookId: id, start: true }, appId }),
    onDone: (reply) => notify.success(successText(reply)),
    failure: t`Failed to update webhook`,
    refresh: () => refreshWebhooks(appId),
  })
}
