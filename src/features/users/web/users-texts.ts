import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { CodesOf } from '#contract/codes.ts'
import { accountsTexts } from '#features/accounts/web/accounts-texts.ts'
import { variablesTexts } from '#features/variables/web/variables-texts.ts'
import { bulkTexts } from '#web/texts/common-texts.ts'
import type { userPasswordResetContract } from '../user-password-reset.contract.ts'
import type { userSubscriptionsContract } from '../user-subscriptions.contract.ts'
import type { userVariablesContract } from '../user-variables.contract.ts'
import type { usersBulkContract } from '../users-bulk.contract.ts'
import type { usersContract } from '../users.contract.ts'

type Codes = CodesOf<
  typeof usersContract &
    typeof usersBulkContract &
    typeof userSubscriptionsContract &
    typeof userVariablesContract &
    typeof userPasswordResetContract
>

/** What the calls on users answer, by code. */
export const usersTexts: Record<keyof Codes, MessageDescriptor> = {
  ...accountsTexts,
  ...bulkTexts,
  ...variablesTexts,
  USER_NOT_FOUND: msg`User not found`,
  USERNAME_INVALID: msg({ message: 'The username must have {min} to {max} visible characters' }),
  USERNAME_TAKEN: msg`This username is already taken`,
  HWID_TOO_SHORT: msg({
    message: 'The HWID must have at least {min, plural, one {# character} other {# characters}}',
  }),
  USER_LIMIT_REACHED: msg`This app has reached its number of users`,
  USER_PASSWORD_RESET_OK: msg`Your new password is set. Sign in to your program with it.`,
  NO_USERS_SELECTED: msg`No users selected`,

  USER_SUBSCRIPTION_NOT_FOUND: msg`The user does not have this subscription`,
  USER_SUBSCRIPTION_TAKEN: msg`The user already has this subscription`,
  SUBSCRIPTION_NOT_FOUND: msg`Subscription not found`,
  SUBSCRIPTION_EXPIRED: msg`The subscription has expired`,
  SUBSCRIPTION_NEVER_ENDS: msg`The subscription never ends`,
  SUBSCRIPTION_REQUIRED: msg`Please select a subscription`,
  DURATION_REQUIRED: msg`Please enter a duration`,
  DURATION_TOO_LONG: msg`The duration can be at most 1000 years`,
  TIME_UNIT_REQUIRED: msg`Please choose a unit of time`,
  GRANT_DAYS_RANGE: msg`The duration can be 1 to 3650 days`,

  USER_CREATE_OK: msg`User created successfully`,
  USER_UPDATE_OK: msg`User updated successfully`,
  USER_DELETE_OK: msg`User deleted successfully`,
  USER_HWID_RESET_OK: msg`HWID reset successfully`,
  USER_BAN_OK: msg`User banned successfully`,
  USER_UNBAN_OK: msg`User unbanned successfully`,
  USER_PAUSE_OK: msg`User paused successfully`,
  USER_UNPAUSE_OK: msg`User unpaused successfully`,
  USER_SUBSCRIPTION_ADD_OK: msg`Subscription added successfully`,
  USER_SUBSCRIPTION_UPDATE_OK: msg`Subscription updated successfully`,
  USER_SUBSCRIPTION_REMOVE_OK: msg`Subscription removed successfully`,

  USERS_HWID_RESET_OK: msg({
    message: '{count, plural, one {HWID of # user reset successfully} other {HWID of # users reset successfully}}',
  }),
  USERS_DELETE_OK: msg({
    message: '{count, plural, one {Deleted # user successfully} other {Deleted # users successfully}}',
  }),
  USERS_EXTEND_OK: msg({
    message: '{count, plural, one {Extended # user successfully} other {Extended # users successfully}}',
  }),
  USERS_SUBTRACT_OK: msg({
    message:
      '{count, plural, one {Time subtracted from # user successfully} other {Time subtracted from # users successfully}}',
  }),
  USERS_UNBAN_OK: msg({
    message: '{count, plural, one {Unbanned # user successfully} other {Unbanned # users successfully}}',
  }),
  USERS_BULK_OK: msg({ message: '{done} done, {failed} failed' }),
  USERS_BULK_PREVIEW_OK: msg({ message: '{done} would be done, {failed} skipped' }),
  USERS_UNDO_OK: msg({ message: '{restored} restored, {failed} changed since' }),
}
