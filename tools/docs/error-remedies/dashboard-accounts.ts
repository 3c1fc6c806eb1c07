import type { DashboardCall } from '../error-codes.ts'
import { type DashboardRemedies, invisible, missing, tooLong } from './dashboard-calls.ts'

const registering = ['POST /register'] as const satisfies DashboardCall[]
const addressing = [
  'POST /register',
  'POST /profile/update',
  'POST /forgot-password',
  'POST /resellers/create',
  'PUT /resellers/{id}',
] as const satisfies DashboardCall[]
const naming = ['POST /register', 'POST /profile/update'] as const satisfies DashboardCall[]
const changing = [
  'POST /profile/change-password',
  'POST /reseller/profile/change-password',
  'POST /reset-password',
] as const satisfies DashboardCall[]
const choosing = [
  'POST /register',
  'POST /reseller/setup/{registrationToken}',
  ...changing,
] as const satisfies DashboardCall[]
const signingIn = ['POST /login', 'POST /reseller/login'] as const satisfies DashboardCall[]
const confirming = [
  'POST /profile/reauthenticate',
  'POST /reseller/profile/reauthenticate',
  'POST /profile/change-password',
  'POST /reseller/profile/change-password',
] as const satisfies DashboardCall[]
const startingFactor = [
  'POST /profile/two-factor/start',
  'POST /reseller/profile/two-factor/start',
] as const satisfies DashboardCall[]
const confirmingFactor = [
  'POST /profile/two-factor/confirm',
  'POST /reseller/profile/two-factor/confirm',
] as const satisfies DashboardCall[]
const havingFactor = [
  'POST /profile/two-factor/recovery-codes',
  'POST /profile/two-factor/disable',
  'POST /reseller/profile/two-factor/recovery-codes',
  'POST /reseller/profile/two-factor/disable',
] as const satisfies DashboardCall[]

/** Accounts of owners and resellers: names, passwords, two-factor authentication, sessions. */
export const dashboardAccounts = {
  USERNAME_TOO_SHORT: {
    calls: [...registering, 'POST /resellers/create'],
    cause: 'The username of the account has fewer than 3 characters.',
    remedy: 'Choose a longer name.',
  },
  USERNAME_TOO_LONG: tooLong([...registering, 'POST /resellers/create'], 'The username of the account'),
  USERNAME_CHARACTERS: {
    calls: [...registering, 'POST /resellers/create'],
    cause: 'The username of the account contains other characters than letters, digits, and underscores.',
    remedy: 'Choose a name without spaces and accents. The display name can have them.',
  },
  USERNAME_FIXED: {
    calls: ['POST /profile/update'],
    cause: 'The call would change your username, which never changes.',
    remedy: 'Change the display name instead.',
  },
  EMAIL_REQUIRED: missing(addressing, 'The email address'),
  PASSWORD_TOO_SIMPLE: {
    calls: choosing,
    cause:
      "The password lacks an upper case letter, a lower case letter, or a digit, which this server's settings require.",
    remedy: 'Choose a password that has all three.',
  },
  NEW_PASSWORD_TOO_SHORT: {
    calls: changing,
    cause: "The new password is shorter than this server's settings require.",
    remedy: 'Choose a longer password. A sentence is easy to remember and hard to guess.',
  },
  PASSWORD_TOO_COMMON: {
    calls: choosing,
    cause: 'The password is one of those that everybody tries first, or is made from your name or address.',
    remedy: 'Choose another one, for example several unrelated words.',
  },
  PASSWORD_WRONG: {
    calls: [...confirming, ...havingFactor],
    cause: 'The current password that you entered is wrong. It counts as a failed attempt.',
    remedy: 'Enter it again, or sign out and choose **Forgot password?** on the sign-in page.',
  },
  DISPLAY_NAME_REQUIRED: missing(naming, 'The display name'),
  DISPLAY_NAME_CHARACTERS: invisible(naming, 'The display name'),
  DISPLAY_NAME_TOO_LONG: tooLong(naming, 'The display name'),
  ACCOUNT_TAKEN: {
    calls: ['POST /register', 'POST /profile/update', 'POST /resellers/create', 'PUT /resellers/{id}'],
    cause: 'Another account has this username or this email address.',
    remedy: 'Choose another one. If the address is yours, sign in, or choose **Forgot password?**.',
  },
  LOGIN_FIELDS_REQUIRED: {
    calls: signingIn,
    cause: 'The username or the password is empty.',
    remedy: 'Fill in both.',
  },
  LOGIN_FAILED: {
    calls: signingIn,
    cause: 'The username or the password is wrong; the answer is the same for both.',
    remedy: 'Check both and try again, or choose **Forgot password?**.',
  },
  REGISTRATION_CLOSED: {
    calls: registering,
    cause: 'Administrators have turned off **Registration** on this server.',
    remedy: 'Ask an administrator. The setup link that the first start of a server prints still works.',
  },
  SETUP_TOKEN_INVALID: {
    calls: registering,
    cause: 'The setup link was used, or is older than a day, or the server has an administrator already.',
    remedy: 'Start the server again: it prints a new link while it has no administrator.',
  },
  SIGN_IN_ENDED: {
    calls: ['POST /login/two-factor'],
    cause: 'More than five minutes passed between the password and the code, or this sign-in was completed already.',
    remedy: 'Start again with the username and the password.',
  },
  TWO_FACTOR_CODE_REQUIRED: {
    calls: ['POST /login/two-factor', ...confirming, ...havingFactor],
    cause: 'Two-factor authentication is on for your account, and the request has no code.',
    remedy: 'Enter the code that your authenticator app shows, or one of your recovery codes.',
  },
  TWO_FACTOR_CODE_WRONG: {
    calls: ['POST /login/two-factor', ...confirming, ...confirmingFactor, ...havingFactor],
    cause: 'The code is wrong, too old, or was used already.',
    remedy: "Wait for the next code, and check that your phone's clock is right. Each recovery code works once.",
  },
  TWO_FACTOR_ON_ALREADY: {
    calls: [...startingFactor, ...confirmingFactor],
    cause: 'Two-factor authentication is on already, perhaps since you confirmed it in another tab.',
    remedy: 'To move to another phone, turn it off on **Profile** and set it up again.',
  },
  TWO_FACTOR_NOT_STARTED: {
    calls: confirmingFactor,
    cause: 'The code belongs to a setup that was not started or is no longer valid.',
    remedy: 'Start the setup again on **Profile** and scan the new code.',
  },
  TWO_FACTOR_SETUP_REPLACED: {
    calls: confirmingFactor,
    cause: 'The setup was started again, for example in another tab, and only the latest secret can be confirmed.',
    remedy: 'Continue in the other tab, or start the setup again and scan the new code.',
  },
  TWO_FACTOR_OFF: {
    calls: [...havingFactor, 'POST /resellers/{id}/two-factor/disable'],
    cause: 'Two-factor authentication is off, so there is nothing to turn off and there are no recovery codes.',
    remedy: 'Reload the page. You can set it up on **Profile**.',
  },
  TWO_FACTOR_UNAVAILABLE: {
    calls: startingFactor,
    cause: 'Administrators have turned off **Two-factor authentication** on this server.',
    remedy: 'Ask an administrator, who can turn it on in **System Settings**.',
  },
  RESET_LINK_INVALID: {
    calls: ['POST /reset-password', 'POST /reset-user-password'],
    cause: 'The link for a new password was used, is older than 30 minutes, or was replaced by a newer one.',
    remedy: 'Request a new link, and open the newest mail.',
  },
  TIME_ZONE_UNKNOWN: {
    calls: ['POST /profile/update', 'GET /overview', 'GET /admin/growth'],
    cause: 'The time zone is not one that the server knows.',
    remedy: 'Choose one from the list, such as `America/New_York`.',
  },
  OVERVIEW_RANGE_INVALID: {
    calls: ['GET /overview'],
    cause:
      'Only one of `from` and `to` was sent, one of them is not on a full hour, or the range is empty, begins in the future, or begins more than 91 days ago.',
    remedy: 'Send both in epoch seconds that are multiples of 3600, or neither and use `days`.',
  },
  LAST_ADMIN: {
    calls: ['POST /profile/delete-account'],
    cause: 'You are the only administrator of the server, which would have none without you.',
    remedy:
      'Keep the account. If somebody else takes over the server, change its email address, display name, and password.',
  },
} as const satisfies DashboardRemedies
