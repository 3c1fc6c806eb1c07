import type { DashboardCall } from '../error-codes.ts'
import { type DashboardRemedies, missing, noneSelected, notFound, outside, taken, tooLong } from './dashboard-calls.ts'

const forms = ['POST /create_app', 'POST /update_app'] as const satisfies DashboardCall[]
const settings = ['POST /update_app'] as const satisfies DashboardCall[]
const uploads = ['POST /downloads/upload'] as const satisfies DashboardCall[]
const files = ['POST /downloads/upload', 'PUT /downloads/file/{name}'] as const satisfies DashboardCall[]

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
  APP_VERSION_INVALID: {
    calls: forms,
    cause: 'The version is empty, too long, or contains invisible characters.',
    remedy: 'Enter the version exactly as your program passes it to the client, such as `1.0.0`.',
  },
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
  MIN_HWID_LENGTH_INVALID: outside(settings, '**Minimum HWID length**'),
  SESSION_EXPIRY_INVALID: outside(settings, '**Session expiry**'),
  HASH_REQUIRED: {
    calls: settings,
    cause: '**Hash check** is on and **Hash to check** is empty, so no program could start.',
    remedy: 'Enter the SHA-256 of the released file, or turn the hash check off.',
  },
  HASH_INVALID: {
    calls: settings,
    cause: '**Hash to check** is not 64 hexadecimal digits.',
    remedy: 'Copy the SHA-256 of the file, for example from `sha256sum` or `Get-FileHash`.',
  },
  AUTO_UPDATE_LINK_INVALID: {
    calls: settings,
    cause: '**Auto update link** is not an `http://` or `https://` address, is too long, or contains a password.',
    remedy: 'Enter the whole address of your download page, or leave the field empty.',
  },
  WEBLOADER_LINK_INVALID: {
    calls: settings,
    cause: '**Webloader link** is not an `http://` or `https://` address, is too long, or contains a password.',
    remedy: 'Enter the whole address, or leave the field empty.',
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
  VARIABLE_EXISTS: taken(['POST /modify_app_var', 'POST /user_variables', 'PUT /user_variables'], 'Another variable'),
  VARIABLE_NAME_FIXED: {
    calls: ['PUT /user_variables'],
    cause: 'The call would rename a variable of a user.',
    remedy: 'Create a variable with the new name and delete the old one.',
  },
  APP_VARIABLE_LIMIT_REACHED: {
    calls: ['POST /modify_app_var'],
    cause: 'The app has as many variables as your plan allows.',
    remedy:
      'Delete some on **Variables**, or ask an administrator of the server for a plan that allows more, which **Profile** shows.',
  },
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
  LOG_NOT_FOUND: notFound(['POST /delete_log'], 'log entry', 'Logs'),
  LOG_RETENTION_INVALID: outside(['POST /log_retention'], 'The number of days for which logs are stored'),
  DOWNLOAD_FILE_REQUIRED: {
    calls: uploads,
    cause: 'The upload has no file.',
    remedy: 'Select a file. In a call, send it in the form field `file`.',
  },
  DOWNLOAD_NAME_REQUIRED: missing(files, 'The name of the file'),
  DOWNLOAD_NAME_TOO_LONG: tooLong(files, 'The name of the file'),
  DOWNLOAD_NAME_INVALID: {
    calls: files,
    cause: 'The name of the file contains invisible characters, or has none that are visible.',
    remedy: 'Type the name instead of pasting it.',
  },
  DOWNLOAD_NAME_TAKEN: taken(files, 'Another file of the app'),
  DOWNLOAD_DESCRIPTION_TOO_LONG: tooLong(files, 'The description'),
  DOWNLOAD_LIMIT_REACHED: {
    calls: uploads,
    cause: 'The app has as many files as an app can have.',
    remedy: 'Delete files that nobody downloads anymore on **Downloads**.',
  },
  DOWNLOAD_AUTH_REQUIRED: {
    calls: ['GET /download/{id}'],
    cause:
      'The file can be downloaded only by a program in which a user has signed in, and the address carries no valid ticket. A ticket lasts a minute.',
    remedy:
      'The program calls `download` and uses the address of its answer at once. To let everybody download the file, turn off **Only when signed in** on **Downloads**.',
  },
  FILE_TOO_LARGE: {
    calls: uploads,
    cause: "The file is larger than the server's settings allow.",
    remedy: 'Compress or divide it. The operator can raise `MAX_UPLOAD_MB`, and administrators **Max request size**.',
  },
  FILE_INFECTED: {
    calls: files,
    cause:
      "The server's virus scanner found something in the file, so the file was not stored. Packed and obfuscated programs cause false alarms.",
    remedy:
      'Check your computer. If the file is clean, sign it or use another packer, and report the false alarm to the makers of ClamAV.',
  },
  FILES_UNAVAILABLE: {
    calls: [...uploads, 'GET /download/{id}'],
    cause: "The server can't reach the place where it stores files, or a file is missing there.",
    remedy: 'Try again in a few minutes. The operator checks the bucket or the disk.',
  },
  STORAGE_FULL: {
    calls: uploads,
    cause: "The server's disk or bucket has no space left.",
    remedy: 'Tell the operator of the server, who has to make space.',
  },
  STORAGE_LIMIT_REACHED: {
    calls: uploads,
    cause: 'Your files together would be larger than your plan allows.',
    remedy:
      'Delete files on **Downloads**, in any of your apps, or ask an administrator of the server for a plan that allows more, which **Profile** shows.',
  },
} as const satisfies DashboardRemedies
