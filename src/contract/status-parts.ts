/** The parts of the platform whose status is shown, in their order. */
export const statusParts = [
  'api',
  'errors',
  'queue',
  'database',
  'mail',
  'ip-data',
  'backup',
  'ledger',
  'storage',
] as const

/** What is wrong with the storage, for administrators. */
export const storageProblems = ['DISK_LOW', 'DATA_DAMAGED', 'KEY_FILE'] as const

export type StorageProblem = (typeof storageProblems)[number]

/** What a part needs and doesn't have. */
export const missingItems = ['backup', 'country-file', 'vpn-file'] as const

export type MissingItem = (typeof missingItems)[number]

export type StatusPart = (typeof statusParts)[number]

/** `off`: it is not set up. `unknown`: nobody could tell, and that is never shown as if all were well. */
export const statusStates = ['ok', 'degraded', 'down', 'off', 'unknown'] as const

export type StatusState = (typeof statusStates)[number]

/** What a minute can be measured as, the better ones first. */
export const measuredStates = ['ok', 'degraded', 'down'] as const satisfies readonly StatusState[]

export type MeasuredState = (typeof measuredStates)[number]

export const isMeasured = (state: StatusState): state is MeasuredState =>
  (measuredStates as readonly StatusState[]).includes(state)
