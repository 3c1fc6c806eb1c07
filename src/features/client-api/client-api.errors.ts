import { mailErrors } from '#contract/common-errors.ts'
import { downloadsErrors } from '#features/downloads/downloads.errors.ts'
import { logsErrors } from '#features/logs/logs.errors.ts'
import { variablesErrors } from '#features/variables/variables.errors.ts'
import { webhooksErrors } from '#features/webhooks/webhooks.errors.ts'

/** All errors of programs' calls; texts for people, codes for programs (docs/protocol.md). */
export const clientErrors = {
  APP_NOT_FOUND: { status: 404, message: 'There is no such app' },
  MALFORMED_REQUEST: { status: 400, message: 'The request is not of the protocol: {problem}' },
  CLOCK_SKEW: { status: 400, message: 'The clock of this machine is off' },
  NONCE_REUSED: { status: 409, message: 'This request was sent before' },
  CANNOT_OPEN_SEALED_BODY: { status: 400, message: 'The sealed request could not be opened' },
  OWNER_BANNED: { status: 403, message: 'This app is not available' },
  APP_DISABLED: { status: 403, message: 'This app is disabled' },
  VERSION_OUTDATED: { status: 403, message: 'This version is out of date. Please update.' },
  HASH_MISMATCH: { status: 403, message: 'The program file has been changed' },
  VPN_BLOCKED: { status: 403, message: 'This app can not be used over a VPN' },
  SESSION_REQUIRED: { status: 401, message: 'Start with init' },
  SESSION_EXPIRED: { status: 401, message: 'The session has expired' },
  SESSION_ENDED: { status: 401, message: 'The session was ended' },
  SESSION_REPLACED: { status: 401, message: 'This account signed in somewhere else' },
  NOT_SIGNED_IN: { status: 403, message: 'Sign in first' },
  LICENSE_NOT_FOUND: { status: 404, message: 'License not found' },
  LICENSE_BANNED: { status: 403, message: 'This license is banned' },
  LICENSE_ALREADY_USED: { status: 409, message: 'This license has already been used' },
  SUBSCRIPTION_EXPIRED: { status: 403, message: 'Your subscription has expired' },
  SUBSCRIPTION_PAUSED: { status: 403, message: 'Your subscription is paused' },
  INVALID_CREDENTIALS: { status: 403, message: 'Invalid username or password' },
  USERNAME_TAKEN: { status: 409, message: 'This username is already taken' },
  USERNAME_INVALID: { status: 400, message: 'The username must have 3 to 64 visible characters' },
  PASSWORD_TOO_SHORT: { status: 400, message: 'Password must be at least 8 characters' },
  EMAIL_INVALID: { status: 400, message: 'Please enter a valid email address' },
  MAIL_OFF: mailErrors.MAIL_OFF,
  USER_BANNED: { status: 403, message: 'You are banned from this app' },
  USER_LIMIT_REACHED: { status: 403, message: 'This app has reached its user limit' },
  USER_PAUSED: { status: 403, message: 'Your account is paused' },
  DOWNLOAD_NOT_FOUND: downloadsErrors.DOWNLOAD_NOT_FOUND,
  VARIABLE_NOT_FOUND: variablesErrors.VARIABLE_NOT_FOUND,
  VARIABLE_REQUIRED: variablesErrors.VARIABLE_REQUIRED,
  VARIABLE_NAME_INVALID: variablesErrors.VARIABLE_NAME_INVALID,
  VARIABLE_NAME_TOO_LONG: variablesErrors.VARIABLE_NAME_TOO_LONG,
  VARIABLE_DATA_TOO_LONG: variablesErrors.VARIABLE_DATA_TOO_LONG,
  VARIABLE_LIMIT_REACHED: variablesErrors.VARIABLE_LIMIT_REACHED,
  LOG_MESSAGE_REQUIRED: logsErrors.LOG_MESSAGE_REQUIRED,
  LOG_MESSAGE_TOO_LONG: logsErrors.LOG_MESSAGE_TOO_LONG,
  WEBHOOK_NOT_FOUND: webhooksErrors.WEBHOOK_NOT_FOUND,
  WEBHOOK_UNREACHABLE: { status: 424, message: 'The webhook could not be reached' },
  WEBHOOK_BUSY: { status: 429, message: 'The webhook is called too often at once' },
  WEBHOOK_ANSWER_TOO_LARGE: { status: 424, message: 'The webhook answered with more than {max} bytes' },
  HWID_REQUIRED: { status: 400, message: 'This app needs a hardware id' },
  HWID_TOO_SHORT: { status: 400, message: 'The hardware id is too short' },
  HWID_MISMATCH: { status: 403, message: 'This account belongs to another machine' },
} as const

export type ClientCode = keyof typeof clientErrors
