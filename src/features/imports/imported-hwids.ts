import { machineOf } from '#features/users/machines.ts'
import type { AppScope } from '#server/audit/actors.ts'
import type { Services } from '#server/services.ts'
import type { UserRow } from './imported-rows.rules.ts'
import type { Hwids } from './batch-context.ts'

/** The HWIDs of these rows, hashed as programs of the app send them. */
export async function hashesOfHwids(services: Services, app: AppScope, rows: readonly UserRow[]): Promise<Hwids> {
  const hashes = new Map<string, { hwidHash: string; missingLength?: number }>()
  for (const hwid of new Set(rows.map((row) => row.hwid?.trim() ?? ''))) {
    const machine = hwid === '' ? undefined : await machineOf(services, app, hwid)
    if (machine) hashes.set(hwid, machine)
  }
  return hashes
}
