import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { CodesOf } from '#contract/codes.ts'
import type { appsContract } from '../apps.contract.ts'

/** What the calls on apps answer, by code. */
export const appsTexts: Record<keyof CodesOf<typeof appsContract>, MessageDescriptor> = {
  APP_NOT_FOUND: msg`App not found`,
  APP_NAME_REQUIRED: msg`App name is required`,
  APP_NAME_TOO_SHORT: msg`App name must be at least 3 characters long`,
  APP_NAME_TOO_LONG: msg`App name must be less than 50 characters`,
  APP_NAME_CHARACTERS: msg`App name can only contain letters, numbers, spaces, hyphens, and underscores`,
  APP_NAME_TAKEN: msg`You already have an app with this name`,
  APP_DESCRIPTION_TOO_LONG: msg({
    message: 'Description must be at most {max, plural, one {# character} other {# characters}}',
  }),
  APP_VERSION_INVALID: msg({ message: 'Version can have up to {max} visible characters' }),
  APP_LIMIT_REACHED: msg({ message: 'Your plan allows {limit, plural, one {# app} other {# apps}}' }),
  MIN_HWID_LENGTH_INVALID: msg({ message: 'Minimum HWID length must be between {min} and {max}' }),
  SESSION_EXPIRY_INVALID: msg({ message: 'Session expiry must be between {min} and {max}' }),
  HASH_REQUIRED: msg`Hash to check is required while hash check is on`,
  HASH_INVALID: msg`Hash to check must be a SHA-256 in hexadecimal (64 characters)`,
  AUTO_UPDATE_LINK_INVALID: msg`Auto update link must be a valid URL`,
  WEBLOADER_LINK_INVALID: msg`Webloader link must be a valid URL`,
  WEBHOOK_LINK_INVALID: msg`Chat webhook link must be a valid URL`,
  WEBHOOK_LINK_NOT_HTTPS: msg`Chat webhook link must be an https:// URL`,
  TLS_NOT_SERVED: msg`This server does not serve TLS itself`,

  APP_SELECT_OK: msg({ message: 'Switched to app: {appName}' }),
  APP_CREATE_OK: msg`App created successfully`,
  APP_UPDATE_OK: msg`Settings saved successfully!`,
  APP_DELETE_OK: msg`App deleted successfully`,
}
