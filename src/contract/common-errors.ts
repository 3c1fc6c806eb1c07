/** Errors that any call may return: authentication, selected app, invalid input, rate limits. */
export const commonErrors = {
  SESSION_REQUIRED: { status: 401, message: 'Please sign in' },
  FORBIDDEN: { status: 403, message: 'You are not allowed to do this' },
  REAUTH_REQUIRED: { status: 403, message: 'Please confirm your password' },
  CSRF_INVALID: { status: 403, message: 'This request could not be verified. Please try again.' },
  PLAN_FEATURE_MISSING: {
    status: 403,
    message:
      '{feature, select, custom_variables {Your plan does not include custom variables.} file_upload {Your plan does not include file uploads.} advanced_analytics {Your plan does not include advanced analytics.} webhooks {Your plan does not include webhooks.} bulk_operations {Your plan does not include bulk operations.} custom_branding {Your plan does not include custom branding.} other {Your plan does not include this.}} See your profile for what other plans include.',
  },
  APP_NOT_FOUND: { status: 404, message: 'App not found' },
  NO_APP_SELECTED: { status: 400, message: 'No app selected' },
  APP_MISMATCH: { status: 409, message: 'The request names two different apps' },
  NOT_FOUND: { status: 404, message: 'Nothing was found at this address' },

  INVALID_REQUEST: { status: 400, message: '{field} is not valid' },
  FIELD_REQUIRED: { status: 400, message: '{field} is required' },
  TEXT_TOO_LONG: { status: 400, message: '{field} can have at most {max} characters' },
  LIST_TOO_LONG: { status: 400, message: '{field} can have at most {max} entries' },
  NUMBER_TOO_SMALL: { status: 400, message: '{field} must be at least {min}' },
  NUMBER_TOO_LARGE: { status: 400, message: '{field} can be at most {max}' },
  INTEGER_REQUIRED: { status: 400, message: '{field} must be a whole number' },
  FIELD_TWICE: { status: 400, message: '{field} is also sent as {other} with a different value' },
  FIELD_UNKNOWN: { status: 400, message: '{field} is not a field of this call' },
  CHARACTER_NOT_ALLOWED: { status: 400, message: 'The request contains a character that is not allowed' },
  FIELD_CHANGED: { status: 409, message: 'Someone else has changed this in the meantime' },
  INVALID_JSON: { status: 400, message: 'The request body is not valid JSON' },
  JSON_TOO_COMPLEX: { status: 400, message: 'The request body is nested too deeply or has too many fields' },
  FIELD_REPEATED: { status: 400, message: 'The request body contains a field twice' },
  BODY_TOO_LARGE: { status: 413, message: 'The request is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Send {type}' },
  BAD_REQUEST: { status: 400, message: 'The request is not valid' },

  IDEMPOTENCY_KEY_INVALID: { status: 400, message: 'Idempotency-Key must be 1 to 200 printable ASCII characters' },
  IDEMPOTENCY_KEY_REUSED: { status: 422, message: 'This Idempotency-Key was used for another request' },

  MAINTENANCE: { status: 503, message: '{message}' },
  RATE_LIMITED: { status: 429, message: 'Too many requests. Please slow down.' },
  SERVER_BUSY: { status: 503, message: 'The server is busy. Please try again.' },
  DATABASE_UNAVAILABLE: { status: 503, message: 'The service is briefly unavailable.' },
  INTERNAL_ERROR: { status: 500, message: 'An unexpected error occurred' },
} as const

/** Errors of calls that require a seller key. */
export const sellerKeyErrors = {
  SELLER_KEY_INVALID: { status: 401, message: 'Send a valid seller key as a Bearer token' },
  ACCOUNT_BANNED: { status: 403, message: 'This account has been banned' },
  SELLER_KEY_PAUSED: { status: 403, message: 'This seller key is paused' },
  SELLER_KEY_IP_REFUSED: { status: 403, message: 'This seller key can not be used from this address' },
  SCOPE_MISSING: { status: 403, message: 'This seller key lacks the permission {scope}' },
  SELLER_KEY_IN_URL: {
    status: 400,
    message: 'Send the seller key in the Authorization header, never in the URL',
  },
} as const

/** Errors of calls that verify a password or a code. */
export const cooldownErrors = {
  LOGIN_COOLDOWN: {
    status: 429,
    message: 'Too many failed attempts. Try again in {minutes, plural, one {# minute} other {# minutes}}.',
  },
} as const

/** Errors of calls that send email. */
export const mailErrors = {
  MAIL_OFF: { status: 403, message: 'This server does not send mail' },
} as const

/** Kinds of failures between this server and its mail server; the response of the mail server is never included. */
export const mailServerErrors = {
  MAIL_HOST_UNKNOWN: { status: 424, message: "No address was found for the mail server's name" },
  MAIL_SERVER_UNREACHABLE: { status: 424, message: 'The mail server could not be reached' },
  MAIL_SERVER_SILENT: { status: 424, message: 'The mail server did not answer in time' },
  MAIL_TLS_FAILED: { status: 424, message: 'Could not establish a secure connection to the mail server' },
  MAIL_LOGIN_REFUSED: { status: 424, message: 'The mail server rejected the username or password' },
  MAIL_RECIPIENT_REFUSED: { status: 424, message: 'The mail server rejected the recipient' },
  MAIL_REFUSED: { status: 424, message: 'The mail server rejected the message' },
  MAIL_PASSWORD_UNREADABLE: {
    status: 424,
    message: 'The stored password is for a different mail server. Enter it again.',
  },
} as const
