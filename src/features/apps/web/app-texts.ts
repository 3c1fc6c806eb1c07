import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** Texts that come from the shared rules or the server in English, with their translations. */
const texts: Record<string, MessageDescriptor> = {
  'App name is required': msg`App name is required`,
  'App name must be at least 3 characters long': msg`App name must be at least 3 characters long`,
  'App name must be less than 50 characters': msg`App name must be less than 50 characters`,
  'App name can only contain letters, numbers, spaces, hyphens, and underscores': msg`App name can only contain letters, numbers, spaces, hyphens, and underscores`,
  'Description must be at most 500 characters': msg`Description must be at most 500 characters`,
  'Version can have up to 32 letters, digits, dots and hyphens': msg`Version can have up to 32 letters, digits, dots and hyphens`,
  'Minimum HWID length must be between 1 and 64': msg`Minimum HWID length must be between 1 and 64`,
  'Session expiry must be between 300 and 86400': msg`Session expiry must be between 300 and 86400`,
  'Hash to check is required while hash check is on': msg`Hash to check is required while hash check is on`,
  'Hash to check must be a SHA-256 in hexadecimal (64 characters)': msg`Hash to check must be a SHA-256 in hexadecimal (64 characters)`,
  'Auto update link must be a valid URL': msg`Auto update link must be a valid URL`,
  'Webloader link must be a valid URL': msg`Webloader link must be a valid URL`,
  'Chat webhook link must be a valid URL': msg`Chat webhook link must be a valid URL`,
  'Chat webhook link must be an https:// URL': msg`Chat webhook link must be an https:// URL`,
  'You already have an app with this name': msg`You already have an app with this name`,
  'App not found': msg`App not found`,
}

/** The text in the reader's language, or as it came. */
export function translatedText(text: string): string
export function translatedText(text: string | undefined): string | undefined
export function translatedText(text: string | undefined): string | undefined {
  const known = text === undefined ? undefined : texts[text]
  return known ? i18n._(known) : text
}
