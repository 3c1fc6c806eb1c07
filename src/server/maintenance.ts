import { commonRefusals } from '#contract/common-refusals.ts'
import { refuse } from '#contract/refusals.ts'
import type { Services } from './services.ts'

/** Refuses with the administrators' message while the platform is under maintenance (part 2 §3; conflicts C83). */
export function refuseDuringMaintenance({ settings }: Pick<Services, 'settings'>): void {
  const { maintenanceMode, maintenanceMessage: message } = settings.latest.platform
  if (maintenanceMode) refuse(commonRefusals, 'MAINTENANCE', { values: { message } })
}
