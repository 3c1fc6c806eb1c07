import type { DashboardCall } from '../error-codes.ts'
import { type DashboardRemedies, missing, noneSelected, notFound, outside, taken, tooLong } from './dashboard-calls.ts'

const forms = ['POST /create_app', 'POST /update_app'] as const satisfies DashboardCall[]
const settings = ['POST /update_app'] as const satisfies DashboardCall[]

/** Apps with their settings, variables, files, logs, and sessions; selections of rows. */
export const dashboardApps = {
  APP_NAME_REQUIRED: missing(forms, 'The name of the app'),
  APP_NAME_TOO_SHORT: {
    calls: forms,
    cause: 'The name of the app has fewer than 3 characters.',
    remedy: 'Choose a longer name.',
  },
  APP_NAME_TOO_LONG: tooLong(forms, 'The name of the app'),
  APP_NAME_CHARACTERS: {
    calls: forms,
    cause: 'The name of the app contains other characters than letters, digits, spaces, hyphens, and underscores.',
    remedy: 'Choose a name without them. Customers see the name that your program shows, not this one.',
  },
  APP_NAME_TAKEN: taken(forms, 'Another app of yours'),
  APP_DESCRIPTION_TOO_LONG: tooLong(forms, 'The description'),
  APP_LIMIT_REACHED: {
    calls: ['POST /create_app'],
    cause: 'You have as many apps as your plan allows.',
    remedy:
      'Delete an app that you no longer need on **Manage Apps**, or ask an administrator of the server for a plan that allows more, which **Profile** shows.',
  },
  REPLACED_KEYS_LIMIT: {
    calls: ['POST /replace_app_keys'],
    cause: 'The keys of the app were replaced four times, and programs with each of the earlier keys still work.',
    remedy:
      'Wait until your customers run a version with the newest keys, then choose **Retire earlier keys** in **Settings**.',
  },
  NO_REPLACED_KEYS: {
    calls: ['POST /retire_replaced_keys'],
    cause: 'The keys of this app were never replaced, or the earlier ones are retired already.',
    remedy: 'Nothing is left to do: only programs with the newest keys work.',
  },
  WEBHOOK_LINK_INVALID: {
    calls: settings,
    cause: '**Chat webhook link** is not an address, is too long, or contains a password.',
    remedy: 'Copy the link from the settings of your chat channel, or leave the field empty.',
  },
  WEBHOOK_LINK_NOT_HTTPS: {
    calls: settings,
    cause:
      '**Chat webhook link** does not start with `https://`. The link is a secret, so it is never sent unencrypted.',
    remedy: 'Enter the address with `https://`.',
  },
  VARIABLE_EXISTS: taken(
    ['POST /modify_app_var', 'POST /user_variables', 'PUT /user_variables', 'POST /bin/restore'],
    'Another variable',
  ),
  VARIABLE_NAME_FIXED: {
    calls: ['PUT /user_variables'],
    cause: 'The call would rename a variable of a user.',
    remedy: 'Create a variable with the new name and delete the old one.',
  },
  LICENSE_TAKEN: {
    calls: ['POST /bin/restore', 'POST /imports/check', 'POST /imports/rows'],
    cause:
      'The app has a license with the same key, regardless of case, because the user who redeems a key is named like it. A deleted one stays in **Deleted**, and an import skips its row.',
    remedy: 'Keep the license that the app has, or delete it first.',
  },
  END_AMBIGUOUS: {
    calls: ['PUT /user/{username}/subscriptions/{id}'],
    cause: 'The call has a `duration` and an `expiry`, which name two ends of the same subscription.',
    remedy: 'Send only the one that you mean.',
  },
  BIN_ITEM_NOT_FOUND: {
    calls: ['POST /bin/restore', 'POST /bin/delete'],
    cause: 'The item was restored or deleted for good, or its 30 days are over.',
    remedy: 'Reload **Deleted** and choose the item there.',
  },
  BIN_ITEM_UNSUPPORTED: {
    calls: ['POST /bin/restore', 'POST /bin/delete'],
    cause:
      'During an upgrade, a server of the newer version deleted the item, and a server of the older version got this call. The item is unchanged.',
    remedy: 'Try again after all servers run the newer version.',
  },
  NO_BIN_ITEMS_SELECTED: noneSelected(['POST /bin/restore', 'POST /bin/delete'], 'items'),
  NO_VARIABLES_SELECTED: noneSelected(['POST /variables/bulk-delete'], 'variables'),
  NO_USERS_SELECTED: noneSelected(
    [
      'POST /users/bulk',
      'POST /bulk_reset_hwid',
      'POST /bulk_delete_users',
      'POST /bulk_extend_users',
      'POST /bulk_subtract_users',
    ],
    'users',
  ),
  NO_LICENSES_SELECTED: noneSelected(
    [
      'POST /licenses/bulk',
      'POST /add_time_licenses',
      'POST /delete_license',
      'POST /toggle_ban_license',
      'POST /update_license',
    ],
    'licenses',
  ),
  NO_SUBSCRIPTIONS_SELECTED: noneSelected(['POST /subscriptions/bulk-delete'], 'subscriptions'),
  NO_SESSIONS_SELECTED: noneSelected(['POST /sessions/bulk-delete'], 'sessions'),
  NO_LOGS_SELECTED: noneSelected(['POST /logs/bulk-delete'], 'log entries'),
  LOG_NOT_FOUND: notFound(['GET /log/{id}', 'POST /delete_log'], 'log entry', 'Logs'),
  LOG_RETENTION_INVALID: outside(['POST /log_retention'], 'The number of days for which logs are stored'),
  DOWNLOAD_AUTH_REQUIRED: {
    calls: ['GET /download/{id}'],
    cause:
      'The file can be downloaded only by a program in which a user has signed in, and the address carries no valid ticket. A ticket lasts a minute.',
    remedy:
      'The program calls `download` and uses the address of its answer at once. To let everybody download the file, turn off **Only when signed in** on **Downloads**.',
  },
} as const satisfies DashboardRemedies
