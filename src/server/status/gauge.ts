import type { Services } from '../services.ts'

export interface GaugeValue {
  /** Of few values, all of them the program's own: never a name that somebody has chosen. */
  labels?: Record<string, string>
  value: number
}

/** A figure that is read when somebody wants to see it. */
export interface Gauge {
  /** `signet_…`, with its unit at the end. */
  name: string
  help: string
  labelNames?: readonly string[]
  /** A throw, or an answer that takes too long, leaves the figure out. */
  read(services: Services): readonly GaugeValue[] | Promise<readonly GaugeValue[]>
}
