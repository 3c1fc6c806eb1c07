import type { MissingItem, StatusPart, StatusState, StorageProblem } from '#contract/status-parts.ts'
import type { Services } from '../services.ts'

/** What may be said beside a state: nothing that names a host, a version or a tenant. */
export interface StatusMetrics {
  /** What 95 of 100 requests don't exceed, in milliseconds. */
  responseMs?: number
  /** Of the requests, between 0 and 1. */
  errorRate?: number
  /** Queues that should have been worked on by now. */
  overdueQueues?: number
  /** Whether the server that it needs can be used. */
  isReachable?: boolean
  /** When it last went well, epoch seconds. */
  lastAt?: number
  /** What it needs and doesn't have. */
  missing?: MissingItem[]
  /** For administrators alone. */
  problem?: StorageProblem
}

export interface PartStatus {
  state: StatusState
  metrics?: StatusMetrics
}

/** How a part is now. A throw is `unknown`, and so is an answer that takes too long. */
export type StatusProbe = (services: Services) => PartStatus | Promise<PartStatus>

export type StatusProbes = Readonly<Partial<Record<StatusPart, StatusProbe>>>
