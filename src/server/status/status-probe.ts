import type { MissingItem, StatusPart, StatusState, StorageProblem } from '#contract/status-parts.ts'
import type { Services } from '../services.ts'

/** Details besides the state. They must not contain a host, a version or a tenant. */
export interface StatusMetrics {
  /** 95th percentile in milliseconds. */
  responseMs?: number
  /** Share of failed requests, between 0 and 1. */
  errorRate?: number
  /** Number of queues with overdue jobs. */
  overdueQueues?: number
  /** Whether the required server can be used. */
  isReachable?: boolean
  /** Last success, in epoch seconds. */
  lastAt?: number
  /** Required settings that are missing. */
  missing?: MissingItem[]
  /** Only for administrators. */
  problem?: StorageProblem
}

export interface PartStatus {
  state: StatusState
  metrics?: StatusMetrics
}

/** The current state of a part. `unknown` if the probe throws or takes too long. */
export type StatusProbe = (services: Services) => PartStatus | Promise<PartStatus>

export type StatusProbes = Readonly<Partial<Record<StatusPart, StatusProbe>>>
