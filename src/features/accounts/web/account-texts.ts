import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'

/** Texts that come from the shared rules or the server in English, with their translations. */
const texts: Record<string, MessageDescriptor> = {
  'Username is required': msg`Username is required`,
  'Username must be at least 3 characters': msg`Username must be at least 3 characters`,
  'Username can only contain letters, numbers, and underscores': msg`Username can only contain letters, numbers, and underscores`,
  'Email is required': msg`Email is required`,
  'Please enter a valid email address': msg`Please enter a valid email address`,
  'Password is required': msg`Password is required`,
  'Password must be at least 8 characters': msg`Password must be at least 8 characters`,
  'Password must contain uppercase, lowercase, and number': msg`Password must contain uppercase, lowercase, and number`,
  'Please confirm your password': msg`Please confirm your password`,
  'Passwords do not match': msg`Passwords do not match`,
  'Display name is required': msg`Display name is required`,
  'You must agree to the terms and conditions': msg`You must agree to the terms and conditions`,
  'Username or email already exists': msg`Username or email already exists`,
  'Invalid username or password': msg`Invalid username or password`,
  'This account has been banned': msg`This account has been banned`,
  'This set-up link is not valid any more': msg`This set-up link is not valid any more`,
  'Registration is closed': msg`Registration is closed`,
  'This password is too easy to guess': msg`This password is too easy to guess`,
  'The password is not right': msg`The password is not right`,
  'This code is not valid': msg`This code is not valid`,
  'Two-factor authentication is on already': msg`Two-factor authentication is on already`,
  'Set up two-factor authentication first': msg`Set up two-factor authentication first`,
  'Two-factor authentication is not available here': msg`Two-factor authentication is not available here`,
  'This sign-in has run out of time. Please start again.': msg`This sign-in has run out of time. Please start again.`,
}

const cooldown = /^Too many failed attempts\. Try again in (\d+) minutes?\.$/

/** The text in the reader's language, or as it came. */
export function translatedText(text: string): string
export function translatedText(text: string | undefined): string | undefined
export function translatedText(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const known = texts[text]
  if (known) return i18n._(known)
  const minutes = Number(cooldown.exec(text)?.[1])
  if (!minutes) return text
  return plural(minutes, {
    one: 'Too many failed attempts. Try again in # minute.',
    other: 'Too many failed attempts. Try again in # minutes.',
  })
}
