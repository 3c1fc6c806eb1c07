export const webhooksErrors = {
  WEBHOOK_URL_REQUIRED: { status: 400, message: 'URL is required' },
  WEBHOOK_URL_INVALID: { status: 400, message: 'URL must be a valid URL' },
  WEBHOOK_URL_TOO_LONG: {
    status: 400,
    message: 'The URL can have at most {max, plural, one {# character} other {# characters}}',
  },
  WEBHOOK_URL_NOT_ALLOWED: {
    status: 400,
    message: 'This URL cannot be called: it needs https, a public address and port 443, 80 or 8443',
  },
  WEBHOOK_NAME_INVALID: {
    status: 400,
    message: 'The name can have at most {max, plural, one {# visible character} other {# visible characters}}',
  },
  USER_AGENT_REQUIRED: { status: 400, message: 'User-Agent is required' },
  USER_AGENT_INVALID: {
    status: 400,
    message: 'The User-Agent can have at most {max, plural, one {# plain character} other {# plain characters}}',
  },
  WEBHOOK_NOT_FOUND: { status: 404, message: 'Webhook not found' },
  WEBHOOK_LIMIT_REACHED: {
    status: 409,
    message: 'An app can have at most {limit, plural, one {# webhook} other {# webhooks}}',
  },
  DELIVERY_NOT_FOUND: { status: 404, message: 'Delivery not found' },
  WEBHOOK_STOPPED: { status: 409, message: 'This webhook is stopped. Resume its deliveries first.' },
  CHAT_LINK_MISSING: { status: 409, message: 'This app has no chat webhook link yet. Set it on the Settings page.' },
  SECRET_OVERLAP_RANGE: { status: 400, message: 'The overlap can be 0 to 72 hours' },
} as const
