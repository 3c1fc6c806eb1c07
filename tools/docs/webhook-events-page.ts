import { publicEventsPerMinute } from '#features/downloads/download-counts.ts'
import { type WebhookEvent, webhookEvents } from '#features/webhooks/webhooks.rules.ts'
import { page, table } from './page.ts'
import type { Payload } from './webhook-payloads.ts'

/** docs/reference/webhook-events.md: when each event happens, and what a receiver gets. */

interface EventText {
  when: string
  target: string
  /** What stands in `details`; empty if it is an empty object. */
  details: string
}

const several = (noun: string, names: string) =>
  `If several were changed at once, \`target\` is their number, such as \`2 ${noun}\`, and \`details.names\` has ${names}.`

const texts: Record<WebhookEvent, EventText> = {
  'license.created': {
    when: 'Licenses were created in the dashboard, by a reseller, or with the seller API.',
    target: 'the license key',
    details: `\`amount\`, \`level\`, \`expiryUnit\`, and \`duration\` are those of the call that created them. ${several('licenses', 'their keys')}`,
  },
  'license.redeemed': {
    when: 'A customer used a license for the first time, with `license`, `register`, `login`, or `upgrade`.',
    target: 'the license key',
    details: '`username` is the user who redeemed the license, and `level` the subscription level that it gave.',
  },
  'license.banned': {
    when: 'A license was banned. Its programs end on their next call.',
    target: 'the license key',
    details: several('licenses', 'their keys'),
  },
  'license.unbanned': {
    when: 'The ban of a license was lifted.',
    target: 'the license key',
    details: several('licenses', 'their keys'),
  },
  'license.extended': {
    when: 'Time was added to licenses. If one is in use, its user has the time, too.',
    target: 'the license key, or the number of licenses after a bulk action, such as `1 license`',
    details: '`names` has the keys after a bulk action, and `seconds` is the time that each license got.',
  },
  'license.deleted': {
    when: 'A license was deleted.',
    target: 'the license key',
    details: `\`deletedUsers\` is the number of users who were deleted with it; they have events of their own. \`refunded\` is the number of credits that a reseller got back. ${several('licenses', 'their keys')}`,
  },
  'user.created': {
    when: 'You or your integration created a user, or a customer signed in with a new license for the first time.',
    target: 'the username; for a customer who only has a license key, it is the key',
    details: '',
  },
  'user.extended': {
    when: 'You or your integration gave users more time.',
    target: 'the username, or the number of users after a bulk action, such as `1 user`',
    details: '`names` has the names after a bulk action.',
  },
  'user.expired': {
    when: "A user's time has ended, also while the user is banned. Signet looks every minute, so the event comes within two minutes; after a downtime, it comes for users whose time ended in the last 7 days. There is none if the user has got more time by then, and none while the user is paused. Each end of a user's time is announced once. If all subscriptions are taken away, there is only `user.subscription_changed`.",
    target: 'the username, or the number of users whose time ended since the last look, such as `2 users`',
    details: '`names` has the names if there are several. More than 1000 come in several batches.',
  },
  'user.subscription_changed': {
    when: 'A subscription was added to a user, changed, or removed, time was taken away, or a program redeemed another license with `upgrade` or `login`.',
    target: 'the username',
    details: `What is in \`details\` depends on the change, such as \`level\` and \`seconds\` for another license. ${several('users', 'their names')}`,
  },
  'user.hwid_reset': {
    when: 'The machine of a user was unbound. The next machine that signs in is bound.',
    target: 'the username',
    details: several('users', 'their names'),
  },
  'user.paused': {
    when: 'A user was paused. The time stops, and the programs of the user end on their next call.',
    target: 'the username',
    details: several('users', 'their names'),
  },
  'user.unpaused': {
    when: 'The pause of a user ended.',
    target: 'the username',
    details: several('users', 'their names'),
  },
  'user.banned': {
    when: 'A user was banned. The programs of the user end on their next call.',
    target: 'the username',
    details: several('users', 'their names'),
  },
  'user.unbanned': {
    when: 'The ban of a user was lifted.',
    target: 'the username',
    details: several('users', 'their names'),
  },
  'user.deleted': {
    when: 'A user was deleted, alone or together with a license.',
    target: 'the username',
    details: several('users', 'their names'),
  },
  'sign_in.succeeded': {
    when: 'A customer signed in to a program with `license`, `login`, or `register`. `renew` and a heartbeat continue a session and send nothing. There is one event for each sign-in, so a receiver of a popular program gets many.',
    target: 'the username; for a customer who only has a license key, it is the key',
    details: '`call` is the call of the program, `first` is `true` if it created the user, and `ip` is the address.',
  },
  'sign_in.refused': {
    when: "A program's `license`, `login`, or `register` was rejected. Anybody can cause that, so an app gets at most 60 of these events a minute.",
    target: 'the username or the license key that was entered',
    details:
      '`call` is the call of the program, `code` the reason ([all codes](errors/index.md)), and `ip` the address.',
  },
  'file.downloaded': {
    when: `Every byte of a file was sent to an address. A download that was interrupted and resumed counts once, when its last part was sent; a part alone, or a download that was given up, sends nothing. It is the download that the statistics of the file count. Anybody can cause public downloads, so an app gets at most ${publicEventsPerMinute} events a minute for them; downloads of signed-in programs have no limit.`,
    target: 'the name of the file in the dashboard',
    details:
      '`downloadId` identifies the file, and `ip` and `country` are those of the address; `country` is empty if it is unknown. `authenticated` is `true` if a signed-in program downloaded the file, and `username` is its user then.',
  },
  'alert.raised': {
    when: 'Suspicious activity was found in the app. The [page on alerts](../alerts.md) describes each type.',
    target: 'the ID of the alert',
    details:
      '`type` and `severity` are those of the alert. `measured` is the count that raised it, `userCount` the number of users involved, and `ip` an address. `key` is what they have in common, such as a machine. `reseller` is the name of a reseller, if the alert is about one.',
  },
}

const example = (payload: Payload): string => `\`\`\`json\n${JSON.stringify(payload, null, 2)}\n\`\`\``
const isOfSeveral = ({ data }: Payload): boolean => Array.isArray(data.details['names'])

/** Throws if no payload of the event was made. */
function eventSection(event: WebhookEvent, payloads: readonly Payload[]): string {
  const made = payloads.filter(({ type }) => type === event)
  const one = made.find((payload) => !isOfSeveral(payload)) ?? made[0]
  if (!one) throw new Error(`There is no payload of ${event}`)
  const { when, target, details } = texts[event]
  const ofSeveral = event === 'license.banned' ? made.find(isOfSeveral) : undefined
  const more = ofSeveral ? `\n\nOf two licenses that were banned at once:\n\n${example(ofSeveral)}` : ''
  return `## ${event}

${when}

\`target\` is ${target}.${details && ` ${details}`}

${example(one)}${more}`
}

const introduction = `A [webhook](../guides/webhooks.md) posts these events to a URL of yours, if they are selected on **Webhooks**. Every
event is JSON with the same fields:

${table(
  ['Field', 'Meaning'],
  [
    ['`type`', 'the name of the event, which never changes'],
    ['`timestamp`', 'when it happened, in UTC'],
    ['`data.appId`', 'the app'],
    ['`data.target`', 'what the event is about'],
    ['`data.details`', 'more about it; new fields can be added, and all are left out if they are too large'],
  ],
)}

The header \`webhook-id\` identifies the event. It can arrive more than once, so process each ID once. Undoing an action
in the dashboard sends no event, and neither does an import, whatever it creates, overwrites, or bans. The examples come
from a server that did what they announce.

## Several at once

If an event is about several users or licenses, \`data.details\` has these fields, too:

${table(
  ['Field', 'Meaning'],
  [
    ['`names`', 'their names; each stands in exactly one message'],
    ['`batch`', 'the same in all messages that belong together'],
    ['`part` and `parts`', 'the number of this message, from 1, and how many there are'],
  ],
)}

Names that don't fit into one message are divided among several, each with its own \`webhook-id\`. You have all of a batch
when you have as many different parts as \`parts\` says. A large bulk action is done in several batches, each with its own
\`target\`.`

export const webhookEventsPage = (payloads: readonly Payload[]): string =>
  page(
    {
      title: 'Webhook events',
      description: 'Every event that a webhook can receive, when it happens, and an example of its payload.',
    },
    [introduction, ...webhookEvents.map((event) => eventSection(event, payloads))].join('\n\n'),
  )
