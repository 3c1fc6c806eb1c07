import { bulkRefusals } from '#contract/bulk.ts'
import { entitlementsRefusals } from '#features/entitlements/entitlements.refusals.ts'
import { levelsRefusals } from '#features/levels/levels.refusals.ts'
import { variablesRefusals } from '#features/variables/variables.refusals.ts'

/** Of calls on one user. */
export const namedUserRefusals = {
  USERNAME_REQUIRED: { status: 400, message: 'Username is required' },
  USER_NOT_FOUND: { status: 404, message: 'User not found' },
} as const

/** Of calls that create or edit a user. */
export const userFormRefusals = {
  ...namedUserRefusals,
  USERNAME_INVALID: { status: 400, message: 'The username must have {min} to {max} visible characters' },
  USERNAME_TAKEN: { status: 409, message: 'This username is already taken' },
  PASSWORD_REQUIRED: { status: 400, message: 'Password is required' },
  PASSWORD_TOO_SHORT: { status: 400, message: 'Password must be at least {min} characters' },
  PASSWORD_TOO_LONG: { status: 400, message: 'Password must be at most {max} characters' },
  EMAIL_INVALID: { status: 400, message: 'Please enter a valid email address' },
  HWID_ONLY_RESET: { status: 400, message: 'A hardware id can only be reset' },
  // Programs hear it too (docs/protocol.md).
  USER_LIMIT_REACHED: { status: 403, message: 'This app has reached its number of users' },
} as const

/** Of calls that give a user time on a level, or take it. */
export const userSubscriptionsRefusals = {
  ...namedUserRefusals,
  ...entitlementsRefusals,
  SUBSCRIPTION_NOT_FOUND: levelsRefusals.SUBSCRIPTION_NOT_FOUND,
} as const

/** Of calls on the variables of one user. */
export const userVariablesRefusals = { ...namedUserRefusals, ...variablesRefusals } as const

/** Of calls on many users. */
export const usersBulkRefusals = {
  ...bulkRefusals,
  ...userSubscriptionsRefusals,
  NO_USERS_SELECTED: { status: 400, message: 'No users selected' },
  SELECTION_CHANGED: { status: 409, message: 'The list has changed: {count} users match now. Please check again.' },
} as const
