/** The parts of the platform whose status is shown, in their order. */
export const statusParts = ['api', 'errors', 'queue', 'database', 'mail', 'ip-data', 'backup', 'ledger'] as const

export type StatusPart = (typeof statusParts)[number]

/** `off`: it is not set up. `unknown`: nobody could tell, and that is never shown as if all were well. */
export const statusStates = ['ok', 'degraded', 'down', 'off', 'unknown'] as const

export type StatusState = (typeof statusStates)[number]

/** What a minute can be measured as, the better ones first. */
export const measuredStates = ['ok', 'degraded', 'down'] as const satisfies readonly StatusState[]

export type MeasuredState = (typeof measuredStates)[number]

export const isMeasured = (state: StatusState): state is MeasuredState =>
  (measuredStates as readonly StatusState[]).includes(state)
