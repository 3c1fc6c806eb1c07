import { Type } from 'typebox'
import { UndoIdReply } from '#contract/bulk.ts'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { appCall } from '#contract/define-call.ts'
import { listField } from '#contract/list-field.ts'
import { sortField } from '#contract/sort-field.ts'
import {
  appFields,
  beforeField,
  EpochSeconds,
  oneOf,
  pageQuery,
  reply,
  RequiredText,
  strict,
  Text,
} from '#contract/fields.ts'
import { webhooksErrors } from './webhooks.errors.ts'
import {
  maxNameLength,
  maxUrlLength,
  maxUserAgentLength,
  overlapHours,
  webhookEvents,
  webhookStatuses,
} from './webhooks.rules.ts'

/** Webhooks of an app. */

const Event = oneOf(webhookEvents)
const Events = Type.Array(Event, { maxItems: 50, uniqueItems: true, description: 'Events to deliver' })
// Longer than allowed, so that the rule reports the error instead of the schema.
const Url = RequiredText(maxUrlLength * 2, 'WEBHOOK_URL_REQUIRED')
const Name = Text(maxNameLength * 5)
const UserAgent = Text(maxUserAgentLength * 5)
const webhookId = Text(40, 1)
const DeliveryTarget = Type.String({ maxLength: 40, description: 'Webhook ID; empty for the chat link' })
const orNull = <T extends ReturnType<typeof Type.Integer>>(schema: T) => Type.Union([schema, Type.Null()])

const WebhookReply = Type.Object({
  id: Type.String(),
  webhookId: Type.String(),
  name: Type.String({ description: 'Empty if it has no name' }),
  url: Type.String(),
  userAgent: Type.String(),
  authenticated: Type.Boolean({ description: 'Whether a program must be signed in to call the webhook' }),
  events: Type.Array(Event),
  stoppedAt: orNull(EpochSeconds),
  failingSince: orNull(EpochSeconds),
  rotatedUntil: orNull(EpochSeconds),
  createdAt: EpochSeconds,
})

const DeliveryReply = Type.Object({
  id: Type.Integer(),
  messageId: Type.String(),
  event: Type.String(),
  state: Type.Union([Type.Literal('waiting'), Type.Literal('delivered'), Type.Literal('failed')]),
  attempts: Type.Integer(),
  status: orNull(Type.Integer()),
  failure: Type.String({ description: 'unreachable, timeout, redirect, busy, refused-address, or empty' }),
  answer: Type.String({ description: 'Response body, up to 2 KiB' }),
  body: Type.String(),
  durationMs: orNull(Type.Integer()),
  attemptedAt: orNull(EpochSeconds),
  nextAt: orNull(EpochSeconds),
  createdAt: EpochSeconds,
})

const webhookSorts = ['id', 'name', 'url', 'user-agent', 'authenticated', 'created'] as const

export const webhooksContract = {
  listWebhooks: appCall('GET /webhooks', {
    summary: 'List webhooks, one page at a time, newest first. `search` matches IDs, names, URLs and user agents.',
    query: strict({
      ...appFields,
      ...pageQuery,
      status: Type.Optional(listField(webhookStatuses)),
      sort: sortField(webhookSorts),
    }),
    reply: reply({
      webhooks: Type.Array(WebhookReply),
      totalPages: Type.Integer(),
      total: Type.Integer(),
      counts: Type.Object(
        {
          total: Type.Integer(),
          working: Type.Integer(),
          failing: Type.Integer({ description: 'All of their deliveries fail and are repeated' }),
          stopped: Type.Integer({ description: 'Nothing is delivered to them' }),
        },
        { description: 'Of all webhooks of the app' },
      ),
      chat: Type.Object({ isSet: Type.Boolean(), events: Type.Array(Event) }),
    }),
  }),
  createWebhook: appCall('POST /create_webhook', {
    planFeature: 'webhooks',
    idempotent: true,
    summary: 'Create a webhook. The secret that signs its requests is shown only once.',
    body: strict({
      ...appFields,
      name: Type.Optional(Name),
      url: Url,
      userAgent: Type.Optional(UserAgent),
      authenticated: Type.Optional(Type.Boolean({ description: 'Default: true' })),
      events: Type.Optional(Events),
    }),
    reply: reply({ id: Type.String(), webhookId: Type.String(), secret: Type.String() }),
    successes: { WEBHOOK_CREATE_OK: 'Webhook created successfully' },
    errors: webhooksErrors,
  }),
  updateWebhook: appCall('POST /update_webhook', {
    summary: 'Update a webhook. Omitted fields keep their value. `start` resumes delivery to a stopped webhook.',
    body: strict({
      ...appFields,
      webhookId,
      name: Type.Optional(Name),
      url: Type.Optional(Url),
      userAgent: Type.Optional(UserAgent),
      authenticated: Type.Optional(Type.Boolean()),
      events: Type.Optional(Events),
      start: Type.Optional(Type.Boolean()),
      ...beforeField({ name: Name, url: Url, userAgent: UserAgent, authenticated: Type.Boolean(), events: Events }),
    }),
    reply: reply({}),
    successes: { WEBHOOK_UPDATE_OK: 'Webhook updated successfully' },
    errors: webhooksErrors,
  }),
  rotateWebhookSecret: appCall('POST /rotate_webhook_secret', {
    idempotent: true,
    summary:
      'Rotate the secret of a webhook. The new secret is shown only once. Requests are also signed with the previous secret for `overlapHours` hours (default: 24).',
    body: strict({
      ...appFields,
      webhookId,
      overlapHours: Type.Optional(
        Type.Integer({ minimum: 0, maximum: overlapHours.max, rejection: 'SECRET_OVERLAP_RANGE' }),
      ),
    }),
    reply: reply({ secret: Type.String() }),
    successes: { WEBHOOK_ROTATE_OK: 'The webhook has a new secret' },
    errors: webhooksErrors,
  }),
  deleteWebhook: appCall('POST /delete_webhook', {
    summary:
      'Delete a webhook. What waits for it is not delivered. It can be restored for 30 days, with its settings and secret.',
    body: strict({ ...appFields, webhookId }),
    reply: reply({ undoId: UndoIdReply }),
    successes: { WEBHOOK_DELETE_OK: 'Webhook deleted successfully' },
    errors: webhooksErrors,
  }),
  deleteAllWebhooks: appCall('POST /delete_all_webhooks', {
    summary: 'Delete all webhooks of the app. They can be restored for 30 days.',
    body: strict({ ...appFields }),
    reply: reply({ deleted: Type.Integer(), undoId: UndoIdReply }),
    successes: { WEBHOOKS_DELETE_ALL_OK: 'All webhooks deleted successfully' },
  }),
  testWebhooks: appCall('POST /test_webhooks', {
    planFeature: 'webhooks',
    summary: 'Send a signed test event to the given webhooks, or to all, and return the result of each.',
    body: strict({ ...appFields, webhookIds: Type.Optional(Type.Array(webhookId, { maxItems: 50 })) }),
    reply: reply({
      delivered: Type.Integer(),
      failed: Type.Integer(),
      results: Type.Array(
        Type.Object({
          webhookId: Type.String(),
          delivered: Type.Boolean(),
          status: orNull(Type.Integer()),
          failure: Type.String(),
          durationMs: Type.Integer(),
          answer: Type.String({ description: 'Response body, up to 2 KiB' }),
          body: Type.String({ description: 'Body of the request' }),
          headers: Type.Record(Type.String(), Type.String(), { description: 'Headers that sign the request' }),
        }),
      ),
    }),
    successes: {
      WEBHOOK_TEST_OK: 'Webhook tested successfully',
      WEBHOOKS_TEST_OK: 'All webhooks tested successfully',
      WEBHOOKS_TEST_FAILED:
        '{delivered, plural, one {# delivered} other {# delivered}}, {failed, plural, one {# failed} other {# failed}}',
    },
    errors: webhooksErrors,
  }),
  listWebhookDeliveries: appCall('GET /webhook_deliveries', {
    summary:
      'List the deliveries to a webhook or the chat link of the last 30 days, newest first, including pending ones.',
    query: strict({
      ...appFields,
      webhookId: Type.Optional(DeliveryTarget),
      page: pageQuery.page,
      limit: pageQuery.limit,
    }),
    reply: reply({ deliveries: Type.Array(DeliveryReply), totalPages: Type.Integer(), total: Type.Integer() }),
  }),
  replayWebhookDelivery: appCall('POST /replay_webhook_delivery', {
    planFeature: 'webhooks',
    summary: 'Deliver a message again, with the same `webhook-id`.',
    body: strict({
      ...appFields,
      webhookId: Type.Optional(DeliveryTarget),
      deliveryId: Type.Integer({ minimum: 1, maximum: 1e15 }),
    }),
    reply: reply({}),
    successes: { WEBHOOK_REPLAY_OK: 'The event is being redelivered' },
    errors: webhooksErrors,
  }),
  updateChatEvents: appCall('POST /update_chat_events', {
    planFeature: 'webhooks',
    summary: 'Choose the events that are announced on the chat webhook link of the app.',
    body: strict({ ...appFields, events: Events, ...beforeField({ events: Events }) }),
    reply: reply({}),
    successes: { CHAT_EVENTS_UPDATE_OK: 'Chat messages updated successfully' },
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof webhooksContract> {}
  interface Codes extends CodesOf<typeof webhooksContract> {}
}
