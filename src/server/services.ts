import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import type { Database } from '#database/database.ts'
import type { Config } from './config.ts'
import type { Counts } from './counts.ts'
import type { IpData } from './network/ip-data.ts'
import type { MasterKey } from './master-key.ts'
import type { ResolveTxt } from './network/name-servers.ts'
import type { OutgoingRequests } from './network/outgoing.ts'
import type { Passwords } from './auth/passwords.ts'
import type { InstanceMessages } from './instance-messages.ts'
import type { SettingsCache } from './platform-settings.ts'
import type { RateLimits } from './rate-limits.ts'
import type { Readiness } from './http/readiness.ts'
import type { RequestMetrics } from './metrics/request-metrics.ts'
import type { ServerClock } from './clock/server-clock.ts'

/** What actions may need besides the database handle they are given. */
export interface Services {
  config: Config
  db: Database
  masterKey: MasterKey
  passwords: Passwords
  rateLimits: RateLimits
  /** The other processes of the database. */
  instances: InstanceMessages
  /** The one way out to addresses that owners choose. */
  outgoing: OutgoingRequests
  resolveTxt: ResolveTxt
  settings: SettingsCache
  log: Logger
  time: ServerClock
  /** `time.now`: epoch milliseconds. */
  clock: () => number
  /** After how long without progress a download or an upload is cut. */
  stalledDownloadMs: number
  /** How long the mail server may be silent. */
  mailTimeoutMs: number
  /** How long a stop waits for jobs and mail servers. */
  stopGraceMs: number
  /** Aborted when a stop has waited so long: whatever waits for another server gives up. */
  stopSignal: AbortSignal
  readiness: Readiness
  /** Connections whose request may take longer than others: something else cuts them. */
  slowSenders: WeakSet<Duplex>
  /** What this process did since its start. */
  metrics: { requests: RequestMetrics; jobRuns: Counts<'kind' | 'outcome'> }
  /** Every kind of job that there is. */
  jobKinds: readonly string[]
  /** Where an address is, and whether it hides where. */
  ipData: IpData
}

export const epochSeconds = (services: Services): number => Math.floor(services.clock() / 1000)
