/** Every way a call on users is refused. */
export const usersRefusals = {
  USER_NOT_FOUND: { status: 404, message: 'User not found' },
  USER_INVALID: { status: 400, message: '{problem}' },
  USERNAME_TAKEN: { status: 409, message: 'This username is already taken' },
  NO_USERS_SELECTED: { status: 400, message: 'No users selected' },
  NAMES_NEEDED: { status: 400, message: 'With an Idempotency-Key, please name the users' },
  SELECTION_CHANGED: { status: 409, message: 'The list has changed: {count} users match now. Please check again.' },
  HWID_ONLY_RESET: { status: 400, message: 'A hardware id can only be reset' },
} as const

export const userSubscriptionsRefusals = {
  USER_NOT_FOUND: usersRefusals.USER_NOT_FOUND,
  USER_SUBSCRIPTION_NOT_FOUND: { status: 404, message: 'The user does not have this subscription' },
  USER_SUBSCRIPTION_TAKEN: { status: 409, message: 'The user already has this subscription' },
  SUBSCRIPTION_REQUIRED: { status: 400, message: 'Please select a subscription' },
  DURATION_REQUIRED: { status: 400, message: 'Please enter a duration' },
} as const

export const userVariablesRefusals = {
  USER_NOT_FOUND: usersRefusals.USER_NOT_FOUND,
  VARIABLE_INVALID: { status: 400, message: '{problem}' },
  VARIABLE_NOT_FOUND: { status: 404, message: 'Variable not found' },
  VARIABLE_EXISTS: { status: 409, message: 'A variable with this name already exists' },
  VARIABLE_NAME_FIXED: { status: 400, message: 'The variable name cannot be changed' },
  VARIABLE_LIMIT_REACHED: { status: 409, message: 'A user can have at most {limit} variables' },
} as const
