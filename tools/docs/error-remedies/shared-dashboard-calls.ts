import type { DashboardCall, SharedDashboardError } from '../error-codes.ts'

const passwords = [
  'POST /register',
  'POST /create_user',
  'POST /edit_user',
  'POST /reset-password',
  'POST /reset-user-password',
] as const satisfies DashboardCall[]
const accountPasswords = [
  'POST /register',
  'POST /profile/change-password',
  'POST /reset-password',
  'POST /reset-user-password',
] as const satisfies DashboardCall[]
const namedUser = [
  'POST /edit_user',
  'POST /delete_user',
  'POST /reset_user_hwid',
  'POST /toggle_ban_user',
  'POST /toggle_pause_user',
  'GET /user/{username}/subscriptions',
  'POST /user/{username}/subscriptions',
  'PUT /user/{username}/subscriptions/{id}',
  'DELETE /user/{username}/subscriptions/{id}',
  'GET /user_variables',
  'POST /user_variables',
  'PUT /user_variables',
  'DELETE /user_variables',
] as const satisfies DashboardCall[]
const namedLicense = [
  'POST /update_license',
  'POST /toggle_ban_license',
  'POST /delete_license',
] as const satisfies DashboardCall[]
const creating = ['POST /create_licenses', 'POST /reseller/licenses/create'] as const satisfies DashboardCall[]
const bulkTime = [
  'POST /bulk_extend_users',
  'POST /bulk_subtract_users',
  'POST /users/bulk',
] as const satisfies DashboardCall[]
const addingTime = [
  'POST /create_licenses',
  'POST /add_time_licenses',
  'POST /licenses/bulk',
  ...bulkTime,
] as const satisfies DashboardCall[]
const importing = ['POST /imports/check', 'POST /imports/rows'] as const satisfies DashboardCall[]
const levelForms = ['POST /create_subscription', 'POST /update_subscription'] as const satisfies DashboardCall[]
const writingVariables = [
  'POST /modify_app_var',
  'POST /user_variables',
  'PUT /user_variables',
] as const satisfies DashboardCall[]

const appSettings = ['POST /update_app'] as const satisfies DashboardCall[]
const uploads = ['POST /downloads/upload'] as const satisfies DashboardCall[]
const files = ['POST /downloads/upload', 'PUT /downloads/file/{name}'] as const satisfies DashboardCall[]

/** Calls of the dashboard that answer a code which has a page, because programs or the seller API answer it too. */
export const sharedDashboardCalls: Record<SharedDashboardError, readonly DashboardCall[]> = {
  ACCOUNT_BANNED: ['POST /login', 'POST /login/two-factor', 'POST /reseller/login'],
  AMOUNT_INVALID: creating,
  APP_VARIABLE_LIMIT_REACHED: ['POST /modify_app_var', 'POST /bin/restore'],
  APP_VERSION_INVALID: ['POST /create_app', 'POST /update_app'],
  AUTO_UPDATE_LINK_INVALID: appSettings,
  DOWNLOAD_DESCRIPTION_TOO_LONG: files,
  DOWNLOAD_FILE_REQUIRED: uploads,
  DOWNLOAD_LIMIT_REACHED: [...uploads, 'POST /bin/restore'],
  DOWNLOAD_NAME_INVALID: files,
  DOWNLOAD_NAME_REQUIRED: files,
  DOWNLOAD_NAME_TAKEN: [...files, 'POST /bin/restore'],
  DOWNLOAD_NAME_TOO_LONG: files,
  DOWNLOAD_NOT_FOUND: [
    'PUT /downloads/file/{name}',
    'DELETE /downloads/file/{name}',
    'POST /downloads/file/{name}/toggle',
    'GET /downloads/file/{name}/stats',
    'GET /download/{id}/info',
    'GET /download/{id}',
  ],
  DURATION_REQUIRED: [...addingTime, 'PUT /user/{username}/subscriptions/{id}'],
  DURATION_TOO_LONG: [...importing, ...addingTime],
  EMAIL_INVALID: [
    ...importing,
    'POST /register',
    'POST /profile/update',
    'POST /create_user',
    'POST /edit_user',
    'POST /resellers/create',
    'PUT /resellers/{id}',
    'POST /forgot-password',
  ],
  FILES_UNAVAILABLE: [...uploads, 'GET /download/{id}'],
  FILE_INFECTED: files,
  FILE_TOO_LARGE: uploads,
  GRANT_DAYS_RANGE: ['POST /user/{username}/subscriptions', 'PUT /user/{username}/subscriptions/{id}'],
  HASH_INVALID: appSettings,
  HASH_REQUIRED: appSettings,
  HWID_TOO_SHORT: [...importing, 'POST /edit_user'],
  KEYS_EXHAUSTED: creating,
  LEVEL_TAKEN_BY_USER: ['POST /update_license', 'POST /bin/restore'],
  LICENSE_LIMIT_REACHED: [...importing, 'POST /create_licenses', 'POST /bin/restore'],
  // Licenses without an end are skipped there.
  LICENSE_NEVER_ENDS: [],
  LICENSE_NOT_FOUND: [...namedLicense, 'POST /licenses/bulk', 'DELETE /reseller/licenses/{id}'],
  LOGIN_COOLDOWN: [
    'POST /login',
    'POST /login/two-factor',
    'POST /reseller/login',
    'POST /profile/reauthenticate',
    'POST /profile/change-password',
  ],
  // Only programs write messages.
  LOG_MESSAGE_REQUIRED: [],
  LOG_MESSAGE_TOO_LONG: [],
  MAIL_OFF: ['POST /forgot-password', 'POST /admin/settings/email/test'],
  MASK_CHARACTERS: creating,
  MASK_GUESSABLE: creating,
  MASK_REQUIRED: creating,
  MASK_TOO_LONG: creating,
  MIN_HWID_LENGTH_INVALID: appSettings,
  OWNER_BANNED: ['POST /admin/owners/{id}/password-reset'],
  PASSWORD_REQUIRED: passwords,
  PASSWORD_TOO_LONG: [...accountPasswords, 'POST /create_user', 'POST /edit_user'],
  PASSWORD_TOO_SHORT: passwords,
  SESSION_EXPIRY_INVALID: appSettings,
  SESSION_NOT_FOUND: [
    'DELETE /profile/sessions/{id}',
    'DELETE /reseller/profile/sessions/{id}',
    'POST /delete_session',
  ],
  STORAGE_FULL: uploads,
  STORAGE_LIMIT_REACHED: [...uploads, 'POST /bin/restore'],
  SUBSCRIPTION_EXPIRED: bulkTime,
  SUBSCRIPTION_IN_USE: ['POST /delete_subscription', 'POST /subscriptions/bulk-delete'],
  SUBSCRIPTION_LEVEL_TAKEN: ['POST /create_subscription'],
  SUBSCRIPTION_NAME_CHARACTERS: levelForms,
  SUBSCRIPTION_NAME_REQUIRED: levelForms,
  SUBSCRIPTION_NEVER_ENDS: bulkTime,
  SUBSCRIPTION_NOT_FOUND: [
    ...importing,
    ...creating,
    'POST /update_license',
    'POST /user/{username}/subscriptions',
    'POST /bulk_extend_users',
    'POST /users/bulk',
    'POST /update_subscription',
    'POST /toggle_subscription_status',
    'POST /delete_subscription',
    'POST /subscriptions/bulk-delete',
    'POST /bin/restore',
  ],
  SUBSCRIPTION_REQUIRED: ['POST /create_licenses', 'POST /update_license', ...bulkTime],
  TIME_UNIT_REQUIRED: addingTime,
  USERNAME_INVALID: [...importing, 'POST /create_user'],
  USERNAME_REQUIRED: [...importing, 'POST /register', 'POST /resellers/create', 'POST /create_user', ...namedUser],
  USERNAME_TAKEN: [...importing, 'POST /create_user', 'POST /bin/restore'],
  USER_LIMIT_REACHED: [...importing, 'POST /create_user', 'POST /bin/restore'],
  USER_NOT_FOUND: [...namedUser, 'POST /users/bulk', 'POST /reseller/users/{u}/reset-hwid'],
  USER_SUBSCRIPTION_NOT_FOUND: [
    'PUT /user/{username}/subscriptions/{id}',
    'DELETE /user/{username}/subscriptions/{id}',
    ...bulkTime,
  ],
  USER_SUBSCRIPTION_TAKEN: ['POST /user/{username}/subscriptions'],
  VARIABLE_DATA_TOO_LONG: writingVariables,
  VARIABLE_LIMIT_REACHED: ['POST /user_variables'],
  VARIABLE_NAME_INVALID: writingVariables,
  VARIABLE_NAME_TOO_LONG: writingVariables,
  VARIABLE_NOT_FOUND: ['POST /modify_app_var', 'PUT /user_variables', 'DELETE /user_variables'],
  VARIABLE_REQUIRED: writingVariables,
  WEBLOADER_LINK_INVALID: appSettings,
  WEBHOOK_NOT_FOUND: [
    'POST /update_webhook',
    'POST /rotate_webhook_secret',
    'POST /delete_webhook',
    'POST /test_webhooks',
    'POST /replay_webhook_delivery',
  ],
}
