import type { OutgoingAnswer } from '#server/network/outgoing.ts'
import type { WebhookEvent } from '#features/webhooks/webhooks.rules.ts'
import type { Receiver } from '../demo-server.ts'
import type { Scene, Story } from '../story.ts'

const day = 86_400

const answered = (status: number, answer: string): OutgoingAnswer => ({ status, answer, isCut: false })

/** One receiver is well, one mostly fails since this morning, and one is gone. `end` in epoch seconds. */
export function demoReceiver(end: number): Receiver {
  let requests = 0
  return (host, now) => {
    const daysAgo = (end - now) / day
    if (host === 'crm.prism.example' && daysAgo < 9) return answered(410, '{"error":"This integration was removed"}')
    const isFailing = host === 'bot.prism.example' && daysAgo < 0.4
    // At the end, nothing gets through.
    if (isFailing && (daysAgo < 0.01 || requests++ % 3 > 0)) return answered(503, 'upstream connect error')
    return answered(200, '{"received":true}')
  }
}

const webhooks: readonly { name: string; url: string; events: WebhookEvent[] }[] = [
  {
    name: 'Order sync',
    url: 'https://shop.prism.example/hooks/signet',
    events: ['license.redeemed', 'license.deleted', 'user.extended'],
  },
  {
    name: 'Discord bot',
    url: 'https://bot.prism.example/signet',
    events: ['license.banned', 'user.banned', 'user.hwid_reset', 'alert.raised', 'sign_in.refused'],
  },
  { name: 'Old CRM', url: 'https://crm.prism.example/in/7', events: ['license.redeemed', 'user.banned'] },
]

/** Their deliveries come from everything else that happens. */
export const webhookScenes = (story: Story): Scene[] => [
  story.scene(12, async () => {
    const marina = await story.marina()
    for (const webhook of webhooks) await marina.make('POST /create_webhook', { body: webhook })
  }),
]
