import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import type { Database } from '#database/database.ts'
import type { Config } from './config/config.ts'
import type { Counts } from './metrics/counts.ts'
import type { IpData } from './network/ip-data.ts'
import type { MasterKey } from './secrets/master-key.ts'
import type { ResolveTxt } from './network/name-servers.ts'
import type { OutgoingRequests } from './network/outgoing.ts'
import type { Passwords } from './passwords/passwords.ts'
import type { InstanceMessages } from './process/instance-messages.ts'
import type { SettingsCache } from './settings/platform-settings.ts'
import type { RateLimits } from './rate-limits.ts'
import type { Readiness } from './process/readiness.ts'
import type { RequestMetrics } from './metrics/request-metrics.ts'
import type { ServerClock } from './clock/server-clock.ts'

/** Dependencies of actions besides their database handle. */
export interface Services {
  config: Config
  db: Database
  masterKey: MasterKey
  passwords: Passwords
  rateLimits: RateLimits
  /** Messages to the other processes of the database. */
  instances: InstanceMessages
  /** Sends all requests to URLs that owners choose. */
  outgoing: OutgoingRequests
  resolveTxt: ResolveTxt
  settings: SettingsCache
  log: Logger
  time: ServerClock
  /** `time.now`: epoch milliseconds. */
  clock: () => number
  /** Time without progress after which a download or an upload is cut off. */
  stalledTransferMs: number
  /** Timeout of the mail server. */
  mailTimeoutMs: number
  /** How long a stop waits for jobs and mail servers. */
  stopGraceMs: number
  /** Aborted when that time is over, so that work waiting for another server gives up. */
  stopSignal: AbortSignal
  /** How long a stop waits for open requests, such as downloads; then it cuts them off. */
  stopRequestsMs: number
  readiness: Readiness
  /** Connections exempt from the request timeout because they have limits of their own. */
  slowSenders: WeakSet<Duplex>
  /** Counters of this process since its start. */
  metrics: { requests: RequestMetrics; jobRuns: Counts<'kind' | 'outcome'> }
  /** All kinds of jobs. */
  jobKinds: readonly string[]
  /** Country and VPN lookup of IP addresses. */
  ipData: IpData
}

/** A value per running server, created on first use and released with the server. */
export function perServer<T extends object>(create: (services: Services) => T): (services: Services) => T {
  const all = new WeakMap<Services, T>()
  return (services) => {
    const existing = all.get(services)
    if (existing) return existing
    const created = create(services)
    all.set(services, created)
    return created
  }
}

export const epochSeconds = (services: Services): number => Math.floor(services.clock() / 1000)
