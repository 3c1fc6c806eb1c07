export const webhookListenersErrors = {
  LISTENER_NOT_FOUND: { status: 404, message: 'Listener not found' },
  LISTENER_LIMIT_REACHED: {
    status: 409,
    message: 'An app can have at most {limit, plural, one {# listener} other {# listeners}}',
  },
} as const
