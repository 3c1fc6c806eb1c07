import { Type } from 'typebox'
import { beforeField, reply, strict } from '#contract/fields.ts'
import { AppFields, appsContract } from '#features/apps/apps.contract.ts'
import { appsErrors } from '#features/apps/apps.errors.ts'
import { fieldsOf, insteadOf, sellerCall } from './seller-call.contract.ts'

/** Settings of the app with a seller key: without its names, its keys, and the chat link, which is a secret. */

const { updateApp } = appsContract

const { settings: SettingsBody } = updateApp.body.properties
const secret = ['discordWebhookLink', 'clientObfuscationKey', 'serverObfuscationKey'] as const
const Settings = fieldsOf(AppFields, ['appName', 'description', 'discordWebhookLink'])

const { APP_NOT_FOUND, APP_VERSION_INVALID, MIN_HWID_LENGTH_INVALID, SESSION_EXPIRY_INVALID } = appsErrors
const { HASH_REQUIRED, HASH_INVALID, AUTO_UPDATE_LINK_INVALID, WEBLOADER_LINK_INVALID } = appsErrors

export const sellerSettingsContract = {
  getSettings: sellerCall('GET /settings', {
    scope: 'settings:read',
    summary: 'Get the settings of the app: its version, program hash, update link, status, and checks.',
    query: strict({}),
    reply: reply({ settings: Settings }),
  }),
  updateSettings: sellerCall('PUT /settings', {
    scope: 'settings:write',
    idempotent: true,
    summary:
      'Update the version, the program hash, the update link, the status, or other settings of the app. Omitted fields keep their value. Takes effect on the next start of each program.',
    body: Type.Object(
      { ...fieldsOf(SettingsBody, secret).properties, ...beforeField(Settings.properties) },
      { additionalProperties: false },
    ),
    reply: reply({ settings: Settings }),
    successes: updateApp.successes,
    errors: {
      APP_NOT_FOUND,
      APP_VERSION_INVALID,
      MIN_HWID_LENGTH_INVALID,
      SESSION_EXPIRY_INVALID,
      HASH_REQUIRED,
      HASH_INVALID,
      AUTO_UPDATE_LINK_INVALID,
      WEBLOADER_LINK_INVALID,
    },
    failure: updateApp.failure,
    replaces: [insteadOf(updateApp)],
  }),
}
