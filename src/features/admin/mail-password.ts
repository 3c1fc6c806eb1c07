import { rejectProblem } from '#contract/errors.ts'
import { mailServerKey } from '#contract/mail-server.ts'
import type { MailSettings } from '#server/mail/mail-connection.ts'
import {
  lockSettings,
  smtpPasswordContext,
  storeSettings,
  unboundPasswordContext,
} from '#server/settings/platform-settings.ts'
import type { Services } from '#server/services.ts'
import { settingsErrors } from './admin.errors.ts'
import { smtpPasswordProblem } from './admin.rules.ts'

/** The password of the mail server, sealed for one host, port and kind of connection. */

interface MailChange {
  before: MailSettings
  next: MailSettings
  smtpPassword: string | undefined
}

/** The new settings with their password: the entered one, or the stored one for the same server. */
export function withPassword(
  { masterKey }: Pick<Services, 'masterKey'>,
  { before, next, smtpPassword = '' }: MailChange,
): MailSettings {
  const stored = { ...before, hasPassword: before.smtpPasswordSealed !== '' }
  const problem = smtpPasswordProblem(stored, { ...next, smtpPassword })
  if (problem) rejectProblem(settingsErrors, { ...problem, field: 'smtpPassword' })
  if (smtpPassword !== '')
    return { ...next, smtpPasswordSealed: masterKey.seal(smtpPassword, smtpPasswordContext(next)) }
  return mailServerKey(before) === mailServerKey(next) ? next : { ...next, smtpPasswordSealed: '' }
}

/**
 * Binds a password sealed by an earlier version to its server. Only at start: afterwards, an unbound password is never
 * opened.
 */
export async function bindStoredPassword({ db, masterKey, settings }: Services): Promise<void> {
  if (openUnbound(masterKey, (await settings.current()).email) === undefined) return
  await db.write(async (tx) => {
    const email = { ...settings.defaults.email, ...(await lockSettings(tx, 'email')) }
    const password = openUnbound(masterKey, email)
    // Another process that started at the same time was first.
    if (password === undefined) return
    await storeSettings(tx, 'email', {
      ...email,
      smtpPasswordSealed: masterKey.seal(password, smtpPasswordContext(email)),
    })
  })
}

function openUnbound(masterKey: Services['masterKey'], { smtpPasswordSealed }: MailSettings): Buffer | undefined {
  if (smtpPasswordSealed === '') return undefined
  try {
    return masterKey.open(smtpPasswordSealed, unboundPasswordContext)
  } catch {
    return undefined
  }
}
