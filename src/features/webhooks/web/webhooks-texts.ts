import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { CodesOf } from '#contract/codes.ts'
import type { webhooksContract } from '../webhooks.contract.ts'

/** What the calls on webhooks answer, by code. */
export const webhooksTexts: Record<keyof CodesOf<typeof webhooksContract>, MessageDescriptor> = {
  WEBHOOK_URL_REQUIRED: msg`URL is required`,
  WEBHOOK_URL_INVALID: msg`URL must be a valid URL`,
  WEBHOOK_URL_TOO_LONG: msg({
    message: 'The URL can have at most {max, plural, one {# character} other {# characters}}',
  }),
  WEBHOOK_URL_NOT_ALLOWED: msg`This URL cannot be called: it needs https, a public address and port 443, 80 or 8443`,
  WEBHOOK_NAME_INVALID: msg({
    message: 'The name can have at most {max, plural, one {# visible character} other {# visible characters}}',
  }),
  USER_AGENT_REQUIRED: msg`User-Agent is required`,
  USER_AGENT_INVALID: msg({
    message: 'The User-Agent can have at most {max, plural, one {# plain character} other {# plain characters}}',
  }),
  WEBHOOK_NOT_FOUND: msg`Webhook not found`,
  WEBHOOK_LIMIT_REACHED: msg({
    message: 'An app can have at most {limit, plural, one {# webhook} other {# webhooks}}',
  }),
  DELIVERY_NOT_FOUND: msg`Delivery not found`,
  SECRET_OVERLAP_RANGE: msg`The overlap can be 0 to 72 hours`,

  // The specified text: "Webhook created/updated/deleted successfully".
  WEBHOOK_CREATE_OK: msg`Webhook created successfully`,
  WEBHOOK_UPDATE_OK: msg`Webhook updated successfully`,
  WEBHOOK_ROTATE_OK: msg`The webhook has a new secret`,
  WEBHOOK_DELETE_OK: msg`Webhook deleted successfully`,
  WEBHOOKS_DELETE_ALL_OK: msg`All webhooks deleted successfully`,
  WEBHOOK_TEST_OK: msg`Webhook tested successfully`,
  WEBHOOKS_TEST_OK: msg`All webhooks tested successfully`,
  WEBHOOKS_TEST_FAILED: msg({
    message:
      '{delivered, plural, one {# delivered} other {# delivered}}, {failed, plural, one {# failed} other {# failed}}',
  }),
  WEBHOOK_REPLAY_OK: msg`The event is delivered again`,
  CHAT_EVENTS_UPDATE_OK: msg`Chat messages updated successfully`,
}
