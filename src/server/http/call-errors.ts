import { commonErrors, sellerKeyErrors } from '#contract/common-errors.ts'
import { type CallDefinition, needsRecentVerification } from '#contract/define-call.ts'
import type { ErrorDefinitions } from '#contract/errors.ts'

/** Errors that any call can answer. */
export const anyCallErrors = {
  INVALID_REQUEST: commonErrors.INVALID_REQUEST,
  RATE_LIMITED: commonErrors.RATE_LIMITED,
  INTERNAL_ERROR: commonErrors.INTERNAL_ERROR,
  SERVER_BUSY: commonErrors.SERVER_BUSY,
  MAINTENANCE: commonErrors.MAINTENANCE,
  DATABASE_UNAVAILABLE: commonErrors.DATABASE_UNAVAILABLE,
} satisfies ErrorDefinitions

/** The errors of a call as its documentation names them. */
export function errorsOf(call: CallDefinition): ErrorDefinitions {
  const { REAUTH_REQUIRED, SESSION_REQUIRED, FORBIDDEN, CSRF_INVALID, FIELD_CHANGED } = commonErrors
  const { APP_NOT_FOUND, NO_APP_SELECTED, APP_MISMATCH } = commonErrors
  const { IDEMPOTENCY_KEY_INVALID, IDEMPOTENCY_KEY_REUSED, PLAN_FEATURE_MISSING, FIELD_REQUIRED } = commonErrors
  const isSeller = call.access === 'seller-key'
  return {
    ...anyCallErrors,
    ...(call.body && { FIELD_REQUIRED }),
    ...(isSeller && sellerKeyErrors),
    ...(!isSeller && call.access !== 'anyone' && { SESSION_REQUIRED, FORBIDDEN }),
    ...(!isSeller && call.method !== 'GET' && { CSRF_INVALID }),
    ...(call.app && !isSeller && { APP_NOT_FOUND, NO_APP_SELECTED, APP_MISMATCH }),
    ...(call.planFeature && { PLAN_FEATURE_MISSING }),
    ...(call.idempotent && { IDEMPOTENCY_KEY_INVALID, IDEMPOTENCY_KEY_REUSED }),
    ...(needsRecentVerification(call) && { REAUTH_REQUIRED }),
    ...('before' in ((call.body as { properties?: object } | undefined)?.properties ?? {}) && { FIELD_CHANGED }),
    ...call.errors,
  }
}

/** The codes that a call may answer: its own, and those of the server for any request. */
export const answeredCodes = (call: CallDefinition): ReadonlySet<string> =>
  new Set(Object.keys({ ...commonErrors, ...errorsOf(call) }))
