import { maxBulkNames } from '#contract/bulk.ts'
import { pageQuery } from '#contract/fields.ts'
import { maxFilesPerApp } from '#features/downloads/downloads.rules.ts'
import { amountRange } from '#features/licenses/licenses.rules.ts'
import { maxLogStreamsOnFree } from '#features/logs/api/follow-logs.ts'
import { maxRetentionDays, minRetentionDays } from '#features/logs/logs.rules.ts'
import { freePlan } from '#features/plans/plans.rules.ts'
import { maxIpEntries } from '#features/seller-keys/seller-keys.rules.ts'
import { maxUserVariables } from '#features/variables/variables.rules.ts'
import { retentionSeconds as deliverySeconds } from '#features/webhooks/webhook-deliveries.ts'
import { maxListeners, maxQueuedEvents } from '#features/webhooks/webhook-listeners.rules.ts'
import { maxFailingSeconds, maxWebhooks, retrySchedule } from '#features/webhooks/webhooks.rules.ts'
import { maxStreamsOfOwner } from '#server/http/event-stream.ts'
import { retentionSeconds as replySeconds } from '#server/http/idempotency.ts'
import { hostLimits, outgoingLimits } from '#server/network/outgoing.ts'
import { number } from '../page.ts'
import { type Limit, range } from './limit.ts'
import { defaultConfig } from './rates.ts'

const maxRows = (pageQuery.limit as { maximum?: number }).maximum ?? 0
const days = (seconds: number): string => `${number(seconds / 86_400)} days`

export const countLimits = (): Limit[] => [
  { what: 'Licenses created by one call', value: range(amountRange.min, amountRange.max), code: 'AMOUNT_INVALID' },
  { what: 'Rows named in one call on many rows', value: number(maxBulkNames), code: 'LIST_TOO_LONG' },
  { what: 'Rows of a page', value: number(maxRows), code: 'NUMBER_TOO_LARGE' },
  { what: 'Variables of a user', value: number(maxUserVariables), code: 'VARIABLE_LIMIT_REACHED' },
  { what: 'Files of an app', value: number(maxFilesPerApp), code: 'DOWNLOAD_LIMIT_REACHED' },
  { what: 'Webhooks of an app', value: number(maxWebhooks), code: 'WEBHOOK_LIMIT_REACHED' },
  {
    what: 'Command lines that listen to the events of an app',
    value: number(maxListeners),
    code: 'LISTENER_LIMIT_REACHED',
  },
  { what: 'Events that wait for one of them, 1 MiB at most', value: number(maxQueuedEvents) },
  { what: 'Addresses and networks of a seller key', value: number(maxIpEntries), code: 'IP_LIST_TOO_LONG' },
  { what: 'Log entries of an app', value: number(defaultConfig.logEntriesPerApp), setting: '`LOG_ENTRIES_PER_APP`' },
  {
    what: 'Days for which logs are kept, if an app sets them',
    value: range(minRetentionDays, maxRetentionDays),
    code: 'LOG_RETENTION_INVALID',
  },
  {
    what: 'Live views of logs that an owner has open',
    value: `${freePlan.name} ${number(maxLogStreamsOnFree)}, all others ${number(maxStreamsOfOwner)}`,
    code: 'RATE_LIMITED',
  },
  {
    what: 'Calls of webhooks at once, for the programs of an owner',
    value: number(outgoingLimits.call.maxPerOwner),
    code: 'WEBHOOK_BUSY',
  },
  { what: 'The same to one host', value: number(hostLimits.maxPerOwner), code: 'WEBHOOK_BUSY' },
  { what: 'Deliveries of events at once, of an owner', value: number(outgoingLimits.delivery.maxPerOwner) },
  { what: 'Attempts of a delivery', value: number(retrySchedule.length + 1) },
  { what: 'Time after which a failing webhook stops', value: days(maxFailingSeconds) },
  { what: "Time for which a webhook's log keeps deliveries", value: days(deliverySeconds) },
  {
    what: 'Time for which the reply to an `Idempotency-Key` is kept, at least',
    value: `${number(replySeconds / 3600)} hours`,
  },
]
