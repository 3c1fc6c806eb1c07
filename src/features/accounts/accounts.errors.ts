import { cooldownErrors, mailErrors } from '#contract/common-errors.ts'

export const usernameErrors = {
  USERNAME_REQUIRED: { status: 400, message: 'Username is required' },
  USERNAME_TOO_SHORT: { status: 400, message: 'Username must be at least 3 characters' },
  USERNAME_TOO_LONG: {
    status: 400,
    message: 'Username must be at most {max, plural, one {# character} other {# characters}}',
  },
  USERNAME_CHARACTERS: { status: 400, message: 'Username can only contain letters, numbers, and underscores' },
} as const

export const emailErrors = {
  EMAIL_REQUIRED: { status: 400, message: 'Email is required' },
  EMAIL_INVALID: { status: 400, message: 'Please enter a valid email address' },
} as const

export const passwordErrors = {
  PASSWORD_REQUIRED: { status: 400, message: 'Password is required' },
  PASSWORD_TOO_SHORT: {
    status: 400,
    message: 'Password must be at least {min, plural, one {# character} other {# characters}}',
  },
  PASSWORD_TOO_LONG: {
    status: 400,
    message: 'Password must be at most {max, plural, one {# character} other {# characters}}',
  },
  PASSWORD_TOO_SIMPLE: { status: 400, message: 'Password must contain uppercase, lowercase, and number' },
} as const

export const displayNameErrors = {
  DISPLAY_NAME_REQUIRED: { status: 400, message: 'Display name is required' },
  DISPLAY_NAME_CHARACTERS: { status: 400, message: 'Display name can only contain visible characters' },
  DISPLAY_NAME_TOO_LONG: {
    status: 400,
    message: 'Display name must be at most {max, plural, one {# character} other {# characters}}',
  },
} as const

/** Only used by the screen: the call takes neither a confirmation nor the terms. */
export const registrationFormErrors = {
  CONFIRMATION_REQUIRED: { status: 400, message: 'Please confirm your password' },
  CONFIRMATION_DIFFERS: { status: 400, message: 'Passwords do not match' },
  TERMS_NOT_ACCEPTED: { status: 400, message: 'You must agree to the terms and conditions' },
} as const

/** All errors of the calls of this feature. */
export const accountsErrors = {
  ...usernameErrors,
  ...emailErrors,
  ...passwordErrors,
  ...displayNameErrors,
  ...cooldownErrors,
  LOGIN_FIELDS_REQUIRED: { status: 400, message: 'Username and password are required' },
  LOGIN_FAILED: { status: 403, message: 'Invalid username or password' },
  ACCOUNT_BANNED: { status: 403, message: 'This account has been banned' },
  ACCOUNT_TAKEN: { status: 409, message: 'Username or email already exists' },
  REGISTRATION_CLOSED: { status: 403, message: 'Registration is closed' },
  NEW_PASSWORD_TOO_SHORT: {
    status: 400,
    message: 'Password must be at least {min, plural, one {# character long} other {# characters long}}',
  },
  PASSWORD_TOO_COMMON: { status: 400, message: 'This password is too easy to guess' },
  PASSWORD_WRONG: { status: 403, message: 'The password is incorrect' },
  TWO_FACTOR_CODE_REQUIRED: { status: 403, message: 'Enter the code of your authenticator app' },
  TWO_FACTOR_CODE_WRONG: { status: 403, message: 'This code is not valid' },
  TWO_FACTOR_ON_ALREADY: { status: 409, message: 'Two-factor authentication is already on' },
  TWO_FACTOR_SETUP_REPLACED: {
    status: 409,
    message: 'This secret is no longer valid because the setup was started again',
  },
  TWO_FACTOR_NOT_STARTED: { status: 409, message: 'Set up two-factor authentication first' },
  SIGN_IN_ENDED: { status: 403, message: 'This sign-in has expired. Please start again.' },
  SETUP_TOKEN_INVALID: { status: 403, message: 'This setup link is no longer valid' },
  SESSION_NOT_FOUND: { status: 404, message: 'Session not found' },
  TWO_FACTOR_UNAVAILABLE: { status: 403, message: 'Two-factor authentication is not available here' },
  TWO_FACTOR_OFF: { status: 409, message: 'Two-factor authentication is not on' },
} as const

/** Errors of password reset links, also used by the calls of end users. */
export const resetLinkErrors = {
  RESET_LINK_INVALID: { status: 403, message: 'This link is no longer valid. Please request a new one.' },
} as const

/** Errors of requesting a password reset and of setting the password. */
export const passwordResetErrors = {
  ...mailErrors,
  ...emailErrors,
  ...passwordErrors,
  ...resetLinkErrors,
  NEW_PASSWORD_TOO_SHORT: accountsErrors.NEW_PASSWORD_TOO_SHORT,
  PASSWORD_TOO_COMMON: accountsErrors.PASSWORD_TOO_COMMON,
} as const

/** Errors of actions on another account, and of deleting the only administrator. */
export const ownerErrors = {
  OWNER_NOT_FOUND: { status: 404, message: 'Owner not found' },
  OWNER_IS_ADMIN: { status: 403, message: 'Administrators cannot be banned or deleted' },
  LAST_ADMIN: { status: 409, message: 'The only administrator cannot be deleted' },
} as const

/** Errors of a reset link created by somebody else. */
export const startResetErrors = {
  RESET_LIMIT: { status: 429, message: 'Three links were sent to this address within the last hour' },
} as const

/** Errors of a reset link created by an administrator for an owner. */
export const ownerResetErrors = {
  ...startResetErrors,
  OWNER_NOT_FOUND: ownerErrors.OWNER_NOT_FOUND,
  OWNER_BANNED: { status: 409, message: 'The owner is banned' },
  ADMIN_RESET_ON_SERVER: {
    status: 403,
    message: "A reset link for an administrator is created on the server's console: npm run reset-password",
  },
} as const
