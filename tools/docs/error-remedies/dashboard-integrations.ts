import type { DashboardCall } from '../error-codes.ts'
import {
  type DashboardRemedies,
  invisible,
  missing,
  noneSelected,
  notFound,
  outside,
  tooLong,
} from './dashboard-calls.ts'

const keyForms = ['POST /create_seller_key', 'POST /update_seller_key'] as const satisfies DashboardCall[]
const hookForms = ['POST /create_webhook', 'POST /update_webhook'] as const satisfies DashboardCall[]
const alerts = [
  'POST /alerts/{id}/review',
  'POST /alerts/{id}/dismiss',
  'POST /alerts/{id}/reopen',
] as const satisfies DashboardCall[]

/** Seller keys, webhooks, and alerts. */
export const dashboardIntegrations = {
  SELLER_KEY_NOT_FOUND: notFound(
    [
      'POST /update_seller_key',
      'POST /toggle_seller_key_status',
      'POST /delete_seller_key',
      'POST /rotate_seller_key',
      'POST /seller_keys/bulk',
    ],
    'seller key',
    'Seller API',
  ),
  NO_SELLER_KEYS_SELECTED: noneSelected(['POST /seller_keys/bulk'], 'seller keys'),
  KEY_NAME_REQUIRED: missing(keyForms, 'The name of the key'),
  KEY_NAME_TOO_LONG: tooLong(keyForms, 'The name of the key'),
  KEY_NAME_CHARACTERS: invisible(keyForms, 'The name of the key'),
  SELLER_KEY_SCOPE_UNKNOWN: {
    calls: keyForms,
    cause: 'The request has a permission that does not exist; the message names it.',
    remedy: 'Use the names that the form shows, such as `licenses:write`.',
  },
  IP_LIST_TOO_LONG: {
    calls: keyForms,
    cause: '**Whitelisted IPs** has more entries than a key can have.',
    remedy: 'Combine addresses into networks, such as `203.0.113.0/24`.',
  },
  IP_ENTRY_INVALID: {
    calls: keyForms,
    cause: 'A line of **Whitelisted IPs** is neither an IP address nor a network; the message names it.',
    remedy: 'Enter addresses, not host names, one per line.',
  },
  OVERLAP_RANGE: outside(['POST /rotate_seller_key'], 'The number of hours for which the old key keeps working'),
  SECRET_OVERLAP_RANGE: outside(
    ['POST /rotate_webhook_secret'],
    'The number of hours for which the old secret keeps signing',
  ),
  WEBHOOK_URL_REQUIRED: missing(hookForms, 'The URL of the webhook'),
  WEBHOOK_URL_INVALID: {
    calls: hookForms,
    cause: 'The URL of the webhook is not a complete address.',
    remedy: 'Enter it with `https://`, such as `https://shop.example.com/signet`.',
  },
  WEBHOOK_URL_TOO_LONG: tooLong(hookForms, 'The URL of the webhook'),
  WEBHOOK_URL_NOT_ALLOWED: {
    calls: hookForms,
    cause:
      'The server does not call this URL: it is not `https://` on port 443, 80, or 8443, its host is not public, or it contains a password or a fragment.',
    remedy: 'Use a public address of yours with HTTPS. The operator can allow plain HTTP with `ALLOW_HTTP_WEBHOOKS`.',
  },
  WEBHOOK_NAME_INVALID: {
    calls: hookForms,
    cause: 'The name of the webhook is too long or contains invisible characters.',
    remedy: 'Shorten it, and type it instead of pasting it.',
  },
  USER_AGENT_REQUIRED: missing(hookForms, 'The User-Agent'),
  USER_AGENT_INVALID: {
    calls: hookForms,
    cause: 'The User-Agent is too long or contains characters that a header cannot have.',
    remedy: 'Use letters, digits, and signs of ASCII.',
  },
  WEBHOOK_LIMIT_REACHED: {
    calls: ['POST /create_webhook', 'POST /bin/restore'],
    cause: 'The app has as many webhooks as an app can have.',
    remedy: 'Delete a webhook that you no longer need. One webhook can receive several events.',
  },
  DELIVERY_NOT_FOUND: {
    calls: ['POST /replay_webhook_delivery'],
    cause: 'The webhook has no such delivery. Deliveries are kept for 30 days.',
    remedy: 'Reload the log of the webhook. An older event cannot be sent again.',
  },
  WEBHOOK_STOPPED: {
    calls: ['POST /replay_webhook_delivery'],
    cause: 'The webhook is stopped, so that nothing is sent to it.',
    remedy: 'Choose **Resume deliveries** in the menu of the webhook, and redeliver the event then.',
  },
  CHAT_LINK_MISSING: {
    calls: ['POST /replay_webhook_delivery'],
    cause: 'The app has no chat webhook link any more, so that the message cannot be sent again.',
    remedy: 'Set the link in the settings of the app.',
  },
  ALERT_NOT_FOUND: notFound([...alerts, 'POST /alerts/bulk'], 'alert', 'Alerts'),
  ALERT_NOT_NEW: {
    calls: ['POST /alerts/{id}/review', 'POST /alerts/{id}/dismiss', 'POST /alerts/bulk'],
    cause: 'Somebody has reviewed or dismissed the alert already.',
    remedy: 'Reload **Alerts**. You can open the alert again from its menu.',
  },
  ALERT_IS_NEW: {
    calls: ['POST /alerts/{id}/reopen', 'POST /alerts/bulk'],
    cause: 'The alert is new already, so it cannot be opened again.',
    remedy: 'Reload **Alerts**.',
  },
  ALERT_RAISED_AGAIN: {
    calls: ['POST /alerts/{id}/reopen', 'POST /alerts/bulk'],
    cause: 'The same activity was found again after you closed this alert, and has a new alert.',
    remedy: 'Work with the new alert.',
  },
  ALERT_THRESHOLD_INVALID: outside(['POST /alerts/thresholds'], 'The threshold'),
  ALERT_WINDOW_INVALID: {
    calls: ['POST /alerts/thresholds'],
    cause: 'The time within which activity is counted is shorter or longer than the message allows.',
    remedy: 'Enter a time in that range.',
  },
} as const satisfies DashboardRemedies
