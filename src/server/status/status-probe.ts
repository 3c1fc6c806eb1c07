import type { Services } from '../services.ts'

/** What the status page shows, in its order. */
export const statusParts = ['api', 'errors', 'queue', 'database', 'mail', 'ip-data', 'backup', 'ledger'] as const

export type StatusPart = (typeof statusParts)[number]

/** `off`: it is not set up. `unknown`: nobody could tell, which is never shown as well. */
export type StatusState = 'ok' | 'degraded' | 'down' | 'off' | 'unknown'

/** What may be said beside a state: nothing that names a host, a version or a tenant. */
export interface StatusFigures {
  /** The 95th percentile, in milliseconds. */
  responseMs?: number
  /** Between 0 and 1. */
  errorRate?: number
  waitingJobs?: number
  /** When it last went well, epoch seconds. */
  lastAt?: number
}

export interface PartStatus {
  state: StatusState
  figures?: StatusFigures
}

/** How a part is now. A throw is `unknown`, and so is an answer that takes too long. */
export type StatusProbe = (services: Services) => PartStatus | Promise<PartStatus>

export type StatusProbes = Readonly<Partial<Record<StatusPart, StatusProbe>>>
