import { type MailServerAddress, mailServerKey } from '#contract/mail-server.ts'
import type { Database, Tx } from '#database/database.ts'
import { locking } from '#database/row-lock.ts'

/** Settings that administrators change while the server runs, with their defaults. */
export const platformDefaults = {
  platform: {
    platformName: 'Signet',
    maintenanceMode: false,
    /** Epoch seconds; null while it is off, or if it was turned on before this was recorded. */
    maintenanceSince: null as number | null,
    maintenanceMessage: 'System is under maintenance. Please check back later.',
    registrationEnabled: true,
    maxFailedLoginAttempts: 5,
    loginCooldownMinutes: 15,
    /** Name of the plan of new owners; `DEFAULT_PLAN` until an administrator chooses another. */
    defaultPlan: 'Free',
    /** URL of the page framed on /status; empty for Signet's own status page. */
    statusPageUrl: '',
  },
  email: {
    enabled: false,
    smtpHost: '',
    smtpPort: 587,
    smtpUser: '',
    /** Empty if there is no password. */
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

/** Former place of the mail server password, before it was bound to its server. */
export const unboundPasswordContext = 'platform_settings|smtpPasswordSealed|email'

/** Place of the mail server password for `MasterKey.seal`: it cannot be opened for another server. */
export const smtpPasswordContext = (email: MailServerAddress): string =>
  `${unboundPasswordContext}|${mailServerKey(email)}`

/** The stored values of a group, locked until the transaction ends. */
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

/** Takes effect in every process on commit. */
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

/** Cached; a change invalidates the cache immediately, here and in other processes. */
export class SettingsCache {
  readonly #db: Database
  /** Defaults until an administrator saves the group. */
  readonly defaults: PlatformSettings
  #current: Promise<PlatformSettings> | undefined
  #latest: PlatformSettings
  #loads = 0
  /** Which of the loads `#latest` is of. */
  #latestLoad = 0

  constructor(db: Database, platform: Partial<PlatformSettings['platform']> = {}) {
    this.#db = db
    this.defaults = { ...platformDefaults, platform: { ...platformDefaults.platform, ...platform } }
    this.#latest = this.defaults
    db.events.on('settings', () => {
      this.#current = undefined
      // If the database is unavailable, the previous values stay; the next caller of `current` tries again.
      this.current().catch(() => {})
    })
  }

  /** The most recently read values, for callers that cannot wait, such as inside a transaction. */
  get latest(): PlatformSettings {
    return this.#latest
  }

  /** Before a transaction, never inside: after a change it reads, which takes a second connection. */
  current(): Promise<PlatformSettings> {
    return (this.#current ??= this.#loadNext())
  }

  async #loadNext(): Promise<PlatformSettings> {
    const nth = ++this.#loads
    try {
      const settings = await this.#load()
      // Settings read before a change may arrive after newer ones.
      if (nth > this.#latestLoad) {
        this.#latestLoad = nth
        this.#latest = settings
      }
      return settings
    } catch (error) {
      if (nth === this.#loads) this.#current = undefined
      throw error
    }
  }

  async #load(): Promise<PlatformSettings> {
    const rows = await this.#db.read.selectFrom('platform_settings').selectAll().execute()
    const settings: PlatformSettings = structuredClone(this.defaults)
    for (const { name, value } of rows) {
      if (name in settings) Object.assign(settings[name as keyof PlatformSettings], JSON.parse(value))
    }
    return settings
  }
}
