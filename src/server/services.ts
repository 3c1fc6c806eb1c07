import type { Logger } from 'pino'
import type { Database } from '#database/database.ts'
import type { Config } from './config.ts'
import type { MasterKey } from './master-key.ts'
import type { Passwords } from './passwords.ts'
import type { SettingsCache } from './platform-settings.ts'
import type { RateLimits } from './rate-limits.ts'
import type { ServerClock } from './server-clock.ts'

/** What actions may need besides the database handle they are given. */
export interface Services {
  config: Config
  db: Database
  masterKey: MasterKey
  passwords: Passwords
  rateLimits: RateLimits
  settings: SettingsCache
  log: Logger
  time: ServerClock
  /** `time.now`: epoch milliseconds. */
  clock: () => number
  /** After how long without progress a download is cut (F21). */
  stalledDownloadMs: number
}

export const epochSeconds = (services: Services): number => Math.floor(services.clock() / 1000)
