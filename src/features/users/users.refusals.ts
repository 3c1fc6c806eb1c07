import { variablesRefusals } from '#features/variables/variables.refusals.ts'
import { entitlementsRefusals } from '#features/entitlements/entitlements.refusals.ts'

/** Every way a call on users is refused. */
export const usersRefusals = {
  ...entitlementsRefusals,
  USER_NOT_FOUND: { status: 404, message: 'User not found' },
  USER_INVALID: { status: 400, message: '{problem}' },
  USERNAME_TAKEN: { status: 409, message: 'This username is already taken' },
  NO_USERS_SELECTED: { status: 400, message: 'No users selected' },
  NAMES_NEEDED: { status: 400, message: 'With an Idempotency-Key, please name the users' },
  SELECTION_CHANGED: { status: 409, message: 'The list has changed: {count} users match now. Please check again.' },
  HWID_ONLY_RESET: { status: 400, message: 'A hardware id can only be reset' },
  USERNAME_REQUIRED: { status: 400, message: 'Username is required' },
  PASSWORD_REQUIRED: { status: 400, message: 'Password is required' },
} as const

const namedUser = {
  USERNAME_REQUIRED: usersRefusals.USERNAME_REQUIRED,
  USER_NOT_FOUND: usersRefusals.USER_NOT_FOUND,
} as const

/** Of the calls on what one user is entitled to. */
export const userSubscriptionsRefusals = { ...namedUser, ...entitlementsRefusals } as const

/** Of the calls on the variables of one user. */
export const userVariablesRefusals = { ...namedUser, ...variablesRefusals } as const
