import { hashHwid, programApps } from '#features/apps/program-apps.ts'
import type { AppScope } from '#server/audit/actors.ts'
import type { Services } from '#server/services.ts'
import type { UserFilter } from './users.reads.ts'

/** Validates a hardware ID sent by a program of the app. */
export interface Machine {
  hwidHash: string
  /** Minimum length required by the app, if this one is shorter. */
  missingLength?: number
}

export async function machineOf(services: Services, app: AppScope, hwid: string): Promise<Machine | undefined> {
  const program = await programApps(services).find(app.ownerId, app.name)
  if (!program) return undefined
  const min = program.row.hwid_lock === 1 ? program.row.minimum_hwid_length : 1
  return { hwidHash: hashHwid(program, hwid), ...(hwid.length < min && { missingLength: min }) }
}

/** Searching for a complete hardware ID finds its user, although only its hash is stored. */
export async function withMachine<F extends UserFilter>(services: Services, app: AppScope, filter: F): Promise<F> {
  const text = filter.search?.trim() ?? ''
  if (text === '') return filter
  return { ...filter, hwidHash: (await machineOf(services, app, text))?.hwidHash }
}
