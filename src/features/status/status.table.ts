import type { MeasuredState, StatusPart } from '#contract/status-parts.ts'

export interface StatusMinutesTable {
  /** Minutes since 1970. */
  minute: number
  part: StatusPart
  state: MeasuredState
}

/** Number of minutes by state of one UTC day. */
export interface StatusDaysTable extends Record<MeasuredState, number> {
  /** Days since 1970. */
  day: number
  part: StatusPart
}

declare module '#database/schema.ts' {
  interface Schema {
    status_minutes: StatusMinutesTable
    status_days: StatusDaysTable
  }
}
