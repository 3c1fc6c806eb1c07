import type { TSchema } from 'typebox'
import type { Values } from '#contract/errors.ts'
import { maxDurationSeconds, unitSeconds } from '#contract/duration.ts'
import { appFields, pageQuery } from '#contract/fields.ts'
import { Level } from '#contract/level-field.ts'
import {
  displayNameProblem,
  maxPasswordLength,
  minPasswordLength,
  usernameProblem,
} from '#features/accounts/accounts.rules.ts'
import { appsContract } from '#features/apps/apps.contract.ts'
import {
  hwidLengthRange,
  maxDescriptionLength as maxAppDescriptionLength,
  sessionExpiryRange,
  versionProblem,
} from '#features/apps/apps.rules.ts'
import { clientBodies } from '#features/client-api/client-calls.ts'
import { maxDescriptionLength, maxDownloadNameLength } from '#features/downloads/downloads.rules.ts'
import { grantDays } from '#features/entitlements/entitlements.rules.ts'
import { maxMaskLength, maxNotesLength } from '#features/licenses/licenses.rules.ts'
import { maxMessageLength } from '#features/logs/logs.rules.ts'
import { maxKeyNameLength, maxOverlapHours } from '#features/seller-keys/seller-keys.rules.ts'
import { subscriptionsContract } from '#features/subscriptions/subscriptions.contract.ts'
import { usernameLength } from '#features/users/users.rules.ts'
import { maxVariableDataLength, maxVariableNameLength } from '#features/variables/variables.rules.ts'
import { maxNameLength, maxUrlLength, maxUserAgentLength } from '#features/webhooks/webhooks.rules.ts'
import { number } from '../page.ts'
import { characters, type Limit, range } from './limit.ts'

/** `maxLength` of a schema, also of an optional one, and of a text or null. */
function maxLength(schema: TSchema): number {
  const { maxLength, anyOf } = schema as { maxLength?: number; anyOf?: TSchema[] }
  const max =
    maxLength ?? anyOf?.map((each) => (each as { maxLength?: number }).maxLength).find((each) => each !== undefined)
  if (max === undefined) throw new Error('The schema has no maximum length')
  return max
}

/** The maximum that a rule names when a text is much too long. */
function maxOf(problem: { values?: Values } | undefined): number {
  const max = problem?.values?.['max']
  if (typeof max !== 'number') throw new Error('The rule names no maximum')
  return max
}

const longText = 'a'.repeat(100_000)
const maxLevel = (Level as { maximum?: number }).maximum ?? 0
const { properties: appSettings } = appsContract.updateApp.body.properties.settings
const { license, login, init, register } = clientBodies

export const fieldLimits = (): Limit[] => [
  { what: 'License key', value: characters(maxLength(license.properties.key)), code: 'TEXT_TOO_LONG' },
  { what: 'Mask of license keys', value: characters(maxMaskLength), code: 'MASK_TOO_LONG' },
  { what: 'Note of a license', value: characters(maxNotesLength), code: 'TEXT_TOO_LONG' },
  { what: 'Duration', value: `${number(maxDurationSeconds / unitSeconds.years)} years`, code: 'DURATION_TOO_LONG' },
  {
    what: 'Days of a subscription given by hand',
    value: range(grantDays.min, grantDays.max),
    code: 'GRANT_DAYS_RANGE',
  },
  { what: 'Number of a subscription level', value: range(1, maxLevel), code: 'SUBSCRIPTION_REQUIRED' },
  {
    what: 'Name of a subscription level',
    value: characters(maxLength(subscriptionsContract.createSubscription.body.properties.name)),
    code: 'TEXT_TOO_LONG',
  },
  { what: 'Username of a user', value: characters(usernameLength.max, usernameLength.min), code: 'USERNAME_INVALID' },
  {
    what: 'Password of a user',
    value: characters(maxPasswordLength, minPasswordLength),
    code: 'PASSWORD_TOO_LONG',
  },
  { what: 'Email address', value: characters(maxLength(register.properties.email)), code: 'EMAIL_INVALID' },
  { what: 'Hardware ID', value: characters(maxLength(login.properties.hwid)), code: 'TEXT_TOO_LONG' },
  {
    what: 'Minimum length of a hardware ID, in the settings of an app',
    value: range(hwidLengthRange.min, hwidLengthRange.max),
    code: 'MIN_HWID_LENGTH_INVALID',
  },
  { what: 'Name of a variable', value: characters(maxVariableNameLength), code: 'VARIABLE_NAME_TOO_LONG' },
  { what: 'Data of a variable', value: characters(maxVariableDataLength), code: 'VARIABLE_DATA_TOO_LONG' },
  { what: 'Message of a program in the log', value: characters(maxMessageLength), code: 'LOG_MESSAGE_TOO_LONG' },
  {
    what: 'Version that a program sends',
    value: characters(maxLength(init.properties.version)),
    code: 'TEXT_TOO_LONG',
  },
  { what: 'Version of an app', value: characters(maxOf(versionProblem(longText))), code: 'APP_VERSION_INVALID' },
  { what: 'Name of an app', value: characters(maxLength(appFields.appName)), code: 'APP_NAME_TOO_LONG' },
  { what: 'Description of an app', value: characters(maxAppDescriptionLength), code: 'APP_DESCRIPTION_TOO_LONG' },
  {
    what: 'Links in the settings of an app',
    value: characters(maxLength(appSettings.autoUpdateDownloadLink)),
    code: 'TEXT_TOO_LONG',
  },
  {
    what: 'Session expiry of an app',
    value: range(sessionExpiryRange.min, sessionExpiryRange.max, 'seconds'),
    code: 'SESSION_EXPIRY_INVALID',
  },
  { what: 'Name of a file', value: characters(maxDownloadNameLength), code: 'DOWNLOAD_NAME_TOO_LONG' },
  { what: 'Description of a file', value: characters(maxDescriptionLength), code: 'DOWNLOAD_DESCRIPTION_TOO_LONG' },
  { what: 'URL of a webhook', value: characters(maxUrlLength), code: 'WEBHOOK_URL_TOO_LONG' },
  { what: 'Name of a webhook', value: characters(maxNameLength), code: 'WEBHOOK_NAME_INVALID' },
  { what: 'User-Agent of a webhook', value: characters(maxUserAgentLength), code: 'USER_AGENT_INVALID' },
  { what: 'Name of a seller key', value: characters(maxKeyNameLength), code: 'KEY_NAME_TOO_LONG' },
  { what: 'Overlap of a rotated seller key', value: range(0, maxOverlapHours, 'hours'), code: 'OVERLAP_RANGE' },
  {
    what: 'Username of an account',
    value: characters(maxOf(usernameProblem(longText))),
    code: 'USERNAME_TOO_LONG',
  },
  {
    what: 'Display name of an account',
    value: characters(maxOf(displayNameProblem(longText))),
    code: 'DISPLAY_NAME_TOO_LONG',
  },
  {
    what: 'Password of an account',
    value: characters(maxPasswordLength, minPasswordLength),
    code: 'PASSWORD_TOO_LONG',
    setting: '**Minimum password length**',
  },
  { what: 'Search', value: characters(maxLength(pageQuery.search)), code: 'TEXT_TOO_LONG' },
]
