import { type MailServerAddress, mailServerKey } from '#contract/mail-server.ts'
import type { Database, Tx } from '#database/database.ts'
import { locking } from '#database/row-lock.ts'

/** Settings that administrators change while the server runs, with their defaults. */
export const platformDefaults = {
  platform: {
    platformName: 'Signet',
    maintenanceMode: false,
    maintenanceMessage: 'System is under maintenance. Please check back later.',
    registrationEnabled: true,
    maxFailedLoginAttempts: 5,
    loginCooldownMinutes: 15,
    /** The name of the plan of new owners; `DEFAULT_PLAN` until an administrator chooses another. */
    defaultPlan: 'Free',
    /** The page that stands in a frame on /status; empty for Signet's own. */
    statusPageUrl: '',
  },
  email: {
    enabled: false,
    smtpHost: '',
    smtpPort: 587,
    smtpUser: '',
    /** Empty without a password. */
    smtpPasswordSealed: '',
    senderEmail: '',
    senderName: '',
    useSSL: true,
  },
  api: {
    rateLimitPerMinute: 60,
    rateLimitPerHour: 1000,
    maxRequestSize: '10MB',
    enableCORS: true,
    allowedOrigins: '*',
  },
  security: {
    sessionTimeout: 24,
    enforceHTTPS: true,
    enable2FA: false,
    passwordMinLength: 8,
    requireComplexPassword: true,
  },
}

export type PlatformSettings = typeof platformDefaults

export interface PlatformSettingsTable {
  name: string
  value: string
}

declare module '#database/schema.ts' {
  interface Schema {
    platform_settings: PlatformSettingsTable
  }
}

export type SettingsGroup = keyof PlatformSettings

/** Where the password of the mail server stood until it was bound to its server. */
export const unboundPasswordPlace = 'platform_settings|smtpPasswordSealed|email'

/** Where the password of the mail server stands, for `MasterKey.seal`: a row that names another one can't be opened. */
export const smtpPasswordPlace = (email: MailServerAddress): string => `${unboundPasswordPlace}|${mailServerKey(email)}`

/** What is stored of a group, locked until the transaction ends. */
export async function lockSettings<G extends SettingsGroup>(tx: Tx, name: G): Promise<Partial<PlatformSettings[G]>> {
  await tx.db
    .insertInto('platform_settings')
    .values({ name, value: '{}' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await locking(
    tx.db,
    tx.db.selectFrom('platform_settings').select('value').where('name', '=', name),
  ).executeTakeFirstOrThrow()
  return JSON.parse(row.value) as Partial<PlatformSettings[G]>
}

/** Acts in every process as soon as it is committed. */
export async function storeSettings<G extends SettingsGroup>(
  tx: Tx,
  name: G,
  values: Partial<PlatformSettings[G]>,
): Promise<void> {
  await tx.db
    .updateTable('platform_settings')
    .set({ value: JSON.stringify(values) })
    .where('name', '=', name)
    .execute()
  tx.publish(`settings:${name}`)
}

/** Kept in memory; a change drops it at once, here and in other processes. */
export class SettingsCache {
  readonly #db: Database
  /** What a setting is until an administrator saves its group. */
  readonly defaults: PlatformSettings
  #current: Promise<PlatformSettings> | undefined
  #latest: PlatformSettings

  constructor(db: Database, platform: Partial<PlatformSettings['platform']> = {}) {
    this.#db = db
    this.defaults = { ...platformDefaults, platform: { ...platformDefaults.platform, ...platform } }
    this.#latest = this.defaults
    db.events.on('settings', () => {
      this.#current = undefined
      // Without a database what was known stays; the next caller of `current` asks again.
      this.current().catch(() => {})
    })
  }

  /** As they were when they were last read: where nobody may wait. */
  get latest(): PlatformSettings {
    return this.#latest
  }

  current(): Promise<PlatformSettings> {
    return (this.#current ??= this.#load().catch((error: unknown) => {
      this.#current = undefined
      throw error
    }))
  }

  async #load(): Promise<PlatformSettings> {
    const rows = await this.#db.read.selectFrom('platform_settings').selectAll().execute()
    const settings: PlatformSettings = structuredClone(this.defaults)
    for (const { name, value } of rows) {
      if (name in settings) Object.assign(settings[name as keyof PlatformSettings], JSON.parse(value))
    }
    this.#latest = settings
    return settings
  }
}
