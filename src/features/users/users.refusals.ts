import { bulkRefusals } from '#contract/bulk.ts'
import {
  emailRefusals,
  passwordRefusals,
  resetLinkRefusals,
  usernameRefusals,
} from '#features/accounts/accounts.refusals.ts'
import { entitlementsRefusals } from '#features/entitlements/entitlements.refusals.ts'
import { levelsRefusals } from '#features/levels/levels.refusals.ts'
import { variablesRefusals } from '#features/variables/variables.refusals.ts'

/** Of calls on one user. */
export const namedUserRefusals = {
  USERNAME_REQUIRED: usernameRefusals.USERNAME_REQUIRED,
  USER_NOT_FOUND: { status: 404, message: 'User not found' },
} as const

/** Of calls that create or edit a user. */
export const userFormRefusals = {
  ...namedUserRefusals,
  USERNAME_INVALID: { status: 400, message: 'The username must have {min} to {max} visible characters' },
  USERNAME_TAKEN: { status: 409, message: 'This username is already taken' },
  PASSWORD_REQUIRED: passwordRefusals.PASSWORD_REQUIRED,
  PASSWORD_TOO_SHORT: passwordRefusals.PASSWORD_TOO_SHORT,
  PASSWORD_TOO_LONG: passwordRefusals.PASSWORD_TOO_LONG,
  EMAIL_INVALID: emailRefusals.EMAIL_INVALID,
  HWID_TOO_SHORT: {
    status: 400,
    message: 'The HWID must have at least {min, plural, one {# character} other {# characters}}',
  },
  // Programs hear it too (docs/protocol.md).
  USER_LIMIT_REACHED: { status: 403, message: 'This app has reached its number of users' },
} as const

/** Of setting a forgotten password. */
export const userPasswordResetRefusals = {
  PASSWORD_REQUIRED: passwordRefusals.PASSWORD_REQUIRED,
  PASSWORD_TOO_SHORT: passwordRefusals.PASSWORD_TOO_SHORT,
  PASSWORD_TOO_LONG: passwordRefusals.PASSWORD_TOO_LONG,
  ...resetLinkRefusals,
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
} as const
