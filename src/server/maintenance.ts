import { commonRefusals } from '#contract/common-refusals.ts'
import { refuse } from '#contract/refusals.ts'
import type { Services } from './services.ts'

export const isUnderMaintenance = ({ settings }: Pick<Services, 'settings'>): boolean =>
  settings.latest.platform.maintenanceMode

/** Refuses with the administrators' message while the platform is under maintenance. */
export function refuseDuringMaintenance(services: Pick<Services, 'settings'>): void {
  if (!isUnderMaintenance(services)) return
  const { maintenanceMessage: message } = services.settings.latest.platform
  refuse(commonRefusals, 'MAINTENANCE', { values: { message } })
}
