import { bulkErrors } from '#contract/bulk.ts'
import { emailErrors, passwordErrors, resetLinkErrors, usernameErrors } from '#features/accounts/accounts.errors.ts'
import { entitlementsErrors } from '#features/entitlements/entitlements.errors.ts'
import { levelsErrors } from '#features/levels/levels.errors.ts'
import { variablesErrors } from '#features/variables/variables.errors.ts'

/** Errors of calls on one user. */
export const namedUserErrors = {
  USERNAME_REQUIRED: usernameErrors.USERNAME_REQUIRED,
  USER_NOT_FOUND: { status: 404, message: 'User not found' },
} as const

/** Errors of calls that create or edit a user. */
export const userFormErrors = {
  ...namedUserErrors,
  USERNAME_INVALID: { status: 400, message: 'The username must have {min} to {max} visible characters' },
  USERNAME_TAKEN: { status: 409, message: 'This username is already taken' },
  PASSWORD_REQUIRED: passwordErrors.PASSWORD_REQUIRED,
  PASSWORD_TOO_SHORT: passwordErrors.PASSWORD_TOO_SHORT,
  PASSWORD_TOO_LONG: passwordErrors.PASSWORD_TOO_LONG,
  EMAIL_INVALID: emailErrors.EMAIL_INVALID,
  HWID_TOO_SHORT: {
    status: 400,
    message: 'The HWID must have at least {min, plural, one {# character} other {# characters}}',
  },
  // Also sent to programs (docs/protocol.md).
  USER_LIMIT_REACHED: { status: 403, message: 'This app has reached its user limit' },
} as const

/** Errors of resetting a password. */
export const userPasswordResetErrors = {
  PASSWORD_REQUIRED: passwordErrors.PASSWORD_REQUIRED,
  PASSWORD_TOO_SHORT: passwordErrors.PASSWORD_TOO_SHORT,
  PASSWORD_TOO_LONG: passwordErrors.PASSWORD_TOO_LONG,
  ...resetLinkErrors,
} as const

/** Errors of calls that add or subtract time on a level. */
export const userSubscriptionsErrors = {
  ...namedUserErrors,
  ...entitlementsErrors,
  SUBSCRIPTION_NOT_FOUND: levelsErrors.SUBSCRIPTION_NOT_FOUND,
} as const

export const userVariablesErrors = { ...namedUserErrors, ...variablesErrors } as const

/** Errors of calls on many users. */
export const usersBulkErrors = {
  ...bulkErrors,
  ...userSubscriptionsErrors,
  NO_USERS_SELECTED: { status: 400, message: 'No users selected' },
} as const
