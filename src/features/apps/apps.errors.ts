/** Errors of calls on apps. */
export const appsErrors = {
  APP_NOT_FOUND: { status: 404, message: 'App not found' },
  APP_NAME_REQUIRED: { status: 400, message: 'App name is required' },
  APP_NAME_TOO_SHORT: { status: 400, message: 'App name must be at least 3 characters long' },
  APP_NAME_TOO_LONG: { status: 400, message: 'App name must be less than 50 characters' },
  APP_NAME_CHARACTERS: {
    status: 400,
    message: 'App name can only contain letters, numbers, spaces, hyphens, and underscores',
  },
  APP_NAME_TAKEN: { status: 409, message: 'You already have an app with this name' },
  APP_DESCRIPTION_TOO_LONG: {
    status: 400,
    message: 'Description must be at most {max, plural, one {# character} other {# characters}}',
  },
  APP_VERSION_INVALID: { status: 400, message: 'Version can have up to {max} visible characters' },
  APP_LIMIT_REACHED: { status: 403, message: 'Your plan allows {limit, plural, one {# app} other {# apps}}' },
  REPLACED_KEYS_LIMIT: {
    status: 409,
    message: 'The keys were replaced {max} times. Retire the earlier keys first.',
  },
  NO_REPLACED_KEYS: { status: 409, message: 'This app has no earlier keys' },
  MIN_HWID_LENGTH_INVALID: { status: 400, message: 'Minimum HWID length must be between {min} and {max}' },
  SESSION_EXPIRY_INVALID: { status: 400, message: 'Session expiry must be between {min} and {max}' },
  HASH_REQUIRED: { status: 400, message: 'Hash to check is required while hash check is on' },
  HASH_INVALID: { status: 400, message: 'Hash to check must be a SHA-256 in hexadecimal (64 characters)' },
  AUTO_UPDATE_LINK_INVALID: { status: 400, message: 'Auto update link must be a valid URL' },
  WEBLOADER_LINK_INVALID: { status: 400, message: 'Webloader link must be a valid URL' },
  WEBHOOK_LINK_INVALID: { status: 400, message: 'Chat webhook link must be a valid URL' },
  WEBHOOK_LINK_NOT_HTTPS: { status: 400, message: 'Chat webhook link must be an https:// URL' },
} as const
