/** Parts of the platform on the status page, in display order. */
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

/** Problems of the storage, for administrators. */
export const storageProblems = ['DISK_LOW', 'DATA_DAMAGED', 'KEY_FILE'] as const

export type StorageProblem = (typeof storageProblems)[number]

/** Required settings that may be missing. */
export const missingItems = ['backup', 'country-file', 'vpn-file'] as const

export type MissingItem = (typeof missingItems)[number]

export type StatusPart = (typeof statusParts)[number]

/** `off`: not set up. `unknown`: could not be determined, and never shown as operational. */
export const statusStates = ['ok', 'degraded', 'down', 'off', 'unknown'] as const

export type StatusState = (typeof statusStates)[number]

/** States of a measured minute, best first. */
export const measuredStates = ['ok', 'degraded', 'down'] as const satisfies readonly StatusState[]

export type MeasuredState = (typeof measuredStates)[number]

export const isMeasured = (state: StatusState): state is MeasuredState =>
  (measuredStates as readonly StatusState[]).includes(state)
