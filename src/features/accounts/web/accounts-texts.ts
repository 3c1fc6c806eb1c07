import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { CodesOf } from '#contract/codes.ts'
import { mailTexts } from '#web/texts/common-texts.ts'
import type { accountSecurityContract } from '../account-security.contract.ts'
import type { accountsContract } from '../accounts.contract.ts'
import type { passwordResetContract } from '../password-reset.contract.ts'
import type { RegistrationCode } from '../accounts.rules.ts'

type AccountsCode = keyof (CodesOf<typeof accountsContract> &
  CodesOf<typeof accountSecurityContract> &
  CodesOf<typeof passwordResetContract>)

/** What the calls on accounts answer and what their forms find wrong, by code. */
export const accountsTexts: Record<AccountsCode | RegistrationCode, MessageDescriptor> = {
  USERNAME_REQUIRED: msg`Username is required`,
  USERNAME_TOO_SHORT: msg`Username must be at least 3 characters`,
  USERNAME_TOO_LONG: msg({ message: 'Username must be at most {max, plural, one {# character} other {# characters}}' }),
  USERNAME_CHARACTERS: msg`Username can only contain letters, numbers, and underscores`,
  EMAIL_REQUIRED: msg`Email is required`,
  EMAIL_INVALID: msg`Please enter a valid email address`,
  PASSWORD_REQUIRED: msg`Password is required`,
  PASSWORD_TOO_SHORT: msg({
    message: 'Password must be at least {min, plural, one {# character} other {# characters}}',
  }),
  PASSWORD_TOO_LONG: msg({ message: 'Password must be at most {max, plural, one {# character} other {# characters}}' }),
  PASSWORD_TOO_SIMPLE: msg`Password must contain uppercase, lowercase, and number`,
  PASSWORD_TOO_COMMON: msg`This password is too easy to guess`,
  PASSWORD_WRONG: msg`The password is not right`,
  // Where no administrator asks for more: Password must be at least 8 characters long.
  NEW_PASSWORD_TOO_SHORT: msg({
    message: 'Password must be at least {min, plural, one {# character long} other {# characters long}}',
  }),
  DISPLAY_NAME_REQUIRED: msg`Display name is required`,
  DISPLAY_NAME_CHARACTERS: msg`Display name can only contain visible characters`,
  DISPLAY_NAME_TOO_LONG: msg({
    message: 'Display name must be at most {max, plural, one {# character} other {# characters}}',
  }),
  CONFIRMATION_REQUIRED: msg`Please confirm your password`,
  CONFIRMATION_DIFFERS: msg`Passwords do not match`,
  TERMS_NOT_ACCEPTED: msg`You must agree to the terms and conditions`,
  ACCOUNT_TAKEN: msg`Username or email already exists`,
  ACCOUNT_BANNED: msg`This account has been banned`,
  REGISTRATION_CLOSED: msg`Registration is closed`,
  SETUP_TOKEN_INVALID: msg`This set-up link is not valid any more`,
  REGISTER_OK: msg`Account created successfully! You are now logged in.`,

  LOGIN_FIELDS_REQUIRED: msg`Username and password are required`,
  LOGIN_FAILED: msg`Invalid username or password`,
  LOGIN_COOLDOWN: msg({
    message: 'Too many failed attempts. Try again in {minutes, plural, one {# minute} other {# minutes}}.',
  }),
  SIGN_IN_ENDED: msg`This sign-in has run out of time. Please start again.`,
  LOGIN_OK: msg`Login successful! Welcome back.`,
  LOGIN_PASSWORD_OK: msg`Enter the code of your authenticator app`,
  LOGOUT_OK: msg`Logged out`,
  LOGOUT_ALL_OK: msg`Logged out from all devices`,
  REAUTHENTICATE_OK: msg`Thank you. Please go on.`,
  SESSION_NOT_FOUND: msg`Session not found`,
  SESSION_DELETE_OK: msg`Session deleted successfully`,
  OTHER_SESSIONS_OK: msg`Signed out everywhere else`,
  PASSWORD_CHANGE_OK: msg`Password changed successfully`,

  ...mailTexts,
  RESET_REQUEST_OK: msg`If there is an account with this address, a link to set a new password is on its way.`,
  RESET_LINK_INVALID: msg`This link is not valid any more. Please ask for a new one.`,
  PASSWORD_RESET_OK: msg`Your new password is set. Please sign in.`,

  TWO_FACTOR_CODE_REQUIRED: msg`Enter the code of your authenticator app`,
  TWO_FACTOR_CODE_WRONG: msg`This code is not valid`,
  TWO_FACTOR_ON_ALREADY: msg`Two-factor authentication is on already`,
  TWO_FACTOR_NOT_STARTED: msg`Set up two-factor authentication first`,
  TWO_FACTOR_UNAVAILABLE: msg`Two-factor authentication is not available here`,
  TWO_FACTOR_OFF: msg`Two-factor authentication is not on`,
  TWO_FACTOR_ON_OK: msg`Two-factor authentication is on`,
  TWO_FACTOR_OFF_OK: msg`Two-factor authentication is off`,
  RECOVERY_CODES_OK: msg`New recovery codes`,
}
