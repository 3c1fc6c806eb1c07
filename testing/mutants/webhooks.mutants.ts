import type { Mutant } from './mutant.ts'

const webhooks = 'src/features/webhooks'
const deliveries = [`${webhooks}/webhook-deliveries.test.ts`]
const outgoing = ['src/server/outgoing.test.ts']

/** What leaves for addresses of an owner's choosing. */
export const webhookMutants: readonly Mutant[] = [
  {
    guarantee: 'the signature of a webhook covers its time (R-WHK-06)',
    file: `${webhooks}/webhook-secret.ts`,
    search: '.update(`${id}.${at}.${body}`)',
    replacement: '.update(`${id}.${body}`)',
    tests: deliveries,
  },
  {
    guarantee: 'a rotated secret of a webhook stops signing when its overlap ends (R-WHK-06)',
    file: `${webhooks}/webhook-secret.ts`,
    search: ' && Number(webhook.previous_until) > at',
    replacement: '',
    tests: deliveries,
  },
  {
    guarantee: 'a rotated secret of a webhook signs on for its overlap',
    file: `${webhooks}/webhooks.actions.ts`,
    search: 'overlapHours === 0\n',
    replacement: 'overlapHours >= 0\n',
    tests: deliveries,
  },
  {
    guarantee: 'a webhook that fails is delivered again (R-WHK-07)',
    file: `${webhooks}/webhook-deliveries.ts`,
    search: 'const isLast = attempt.isDelivered || ',
    replacement: 'const isLast = attempt.status !== undefined || ',
    tests: deliveries,
  },
  {
    guarantee: 'a receiver of webhooks may ask for a longer pause',
    file: `${webhooks}/webhook-deliveries.ts`,
    search: 'now + Math.max(pause, Math.min(attempt.retryAfterSeconds ?? 0, maxRetryAfterSeconds))',
    replacement: 'now + pause',
    tests: deliveries,
  },
  {
    guarantee: 'a webhook is written down in the transaction of what it tells (R-WHK-07)',
    file: `${webhooks}/webhook-events.ts`,
    search: 'onEvent((tx, event) => this.#hear(tx, event))',
    replacement: 'onEvent(async (_tx, event) => void this.#services.db.write((own) => this.#hear(own, event)))',
    tests: deliveries,
  },
  {
    guarantee: 'a webhook that is replayed has the id of the first delivery',
    file: `${webhooks}/webhooks.actions.ts`,
    search: 'const { message_id: messageId, event, body } = delivery',
    replacement: 'const { event, body } = delivery\n  const messageId = `msg_${randomText(32)}`',
    tests: [`${webhooks}/api/replay-webhook-delivery.test.ts`],
  },
  {
    guarantee: "nobody replays the delivery of another's webhook (R-TEN-02)",
    file: `${webhooks}/webhooks.actions.ts`,
    search: '  if (delivery?.webhook_id !== webhookId) refuse',
    replacement: '  if (!delivery) refuse',
    tests: [`${webhooks}/api/replay-webhook-delivery.test.ts`],
  },
  {
    guarantee: 'one private address among those of a name is enough to call none (R-WHK-02)',
    file: 'src/server/outgoing.ts',
    search: '!addresses.every(isAllowed)',
    replacement: '!addresses.some(isAllowed)',
    tests: outgoing,
  },
  {
    guarantee: 'an answer that never ends is not received (R-WHK-08)',
    file: 'src/server/outgoing.ts',
    search: '    if (length > maxBytes) finish()\n',
    replacement: '',
    tests: outgoing,
  },
]
