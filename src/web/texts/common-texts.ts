import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { bulkRefusals } from '#contract/bulk.ts'
import type { commonRefusals, mailRefusals } from '#contract/common-refusals.ts'

/** What any call may answer. */
export const commonTexts: Record<keyof typeof commonRefusals, MessageDescriptor> = {
  SESSION_REQUIRED: msg`Please sign in`,
  FORBIDDEN: msg`You are not allowed to do this`,
  REAUTH_REQUIRED: msg`Please confirm your password`,
  CSRF_INVALID: msg`This request could not be verified. Please try again.`,
  PLAN_FEATURE_MISSING: msg({
    message:
      '{feature, select, custom_variables {Your plan does not include custom variables.} file_upload {Your plan does not include file uploads.} advanced_analytics {Your plan does not include advanced analytics.} webhooks {Your plan does not include webhooks.} bulk_operations {Your plan does not include acts on many rows.} custom_branding {Your plan does not include custom branding.} other {Your plan does not include this.}} Your profile shows what other plans have.',
  }),
  APP_NOT_FOUND: msg`App not found`,
  NO_APP_SELECTED: msg`No app selected`,
  APP_MISMATCH: msg`The request names two different apps`,
  NOT_FOUND: msg`There is nothing at this address`,
  INVALID_REQUEST: msg({ message: '{field} is not valid' }),
  FIELD_REQUIRED: msg({ message: '{field} is required' }),
  TEXT_TOO_LONG: msg({ message: '{field} can have at most {max} characters' }),
  LIST_TOO_LONG: msg({ message: '{field} can have at most {max} entries' }),
  NUMBER_TOO_SMALL: msg({ message: '{field} must be at least {min}' }),
  NUMBER_TOO_LARGE: msg({ message: '{field} can be at most {max}' }),
  INTEGER_REQUIRED: msg({ message: '{field} must be a whole number' }),
  FIELD_TWICE: msg({ message: '{field} is also sent as {other}, with another value' }),
  FIELD_UNKNOWN: msg({ message: '{field} is not a field of this call' }),
  CHARACTER_NOT_ALLOWED: msg`The request holds a character that is not allowed`,
  FIELD_CHANGED: msg`Somebody else has changed this meanwhile`,
  INVALID_JSON: msg`The request body is not valid JSON`,
  JSON_TOO_COMPLEX: msg`The request body is nested too deeply or has too many fields`,
  FIELD_REPEATED: msg`The request body names a field twice`,
  BODY_TOO_LARGE: msg`The request is too large`,
  UNSUPPORTED_MEDIA_TYPE: msg`Send application/json`,
  BAD_REQUEST: msg`The request is not valid`,
  IDEMPOTENCY_KEY_INVALID: msg`Idempotency-Key must be 8 to 100 visible characters`,
  IDEMPOTENCY_KEY_REUSED: msg`This Idempotency-Key was used for another request`,
  // What administrators have written, in their own words.
  MAINTENANCE: msg({ message: '{message}' }),
  RATE_LIMITED: msg`Too many requests. Please slow down.`,
  SERVER_BUSY: msg`The server is busy. Please try again.`,
  DATABASE_UNAVAILABLE: msg`The service is briefly unavailable.`,
  INTERNAL_ERROR: msg`An unexpected error occurred`,
}

/** What any call on many rows may answer, whatever the rows are. */
export const bulkTexts: Record<keyof typeof bulkRefusals | 'SELECTION_CHANGED', MessageDescriptor> = {
  UNDO_NOT_FOUND: msg`This can no longer be undone`,
  SELECTION_CHANGED: msg({
    message: 'The list has changed: {count, plural, one {# row matches} other {# rows match}} now. Please check again.',
  }),
}

/** What any call that needs mail may answer. */
export const mailTexts: Record<keyof typeof mailRefusals, MessageDescriptor> = {
  MAIL_OFF: msg`This server does not send mail`,
}
