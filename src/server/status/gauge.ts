import type { Services } from '../services.ts'

export interface GaugeValue {
  /** Few values, all of them from the code: never a name that a user has chosen. */
  labels?: Record<string, string>
  value: number
}

/** A metric that is computed when it is read. */
export interface Gauge {
  /** `signet_…`, with its unit at the end. */
  name: string
  help: string
  labelNames?: readonly string[]
  /** A throw, or an answer that takes too long, leaves the figure out. */
  read(services: Services): readonly GaugeValue[] | Promise<readonly GaugeValue[]>
}
