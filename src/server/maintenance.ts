import { commonErrors } from '#contract/common-errors.ts'
import { reject } from '#contract/errors.ts'
import type { Services } from './services.ts'

export const isUnderMaintenance = ({ settings }: Pick<Services, 'settings'>): boolean =>
  settings.latest.platform.maintenanceMode

/** Rejects with the administrators' message during maintenance. */
export function rejectDuringMaintenance(services: Pick<Services, 'settings'>): void {
  if (!isUnderMaintenance(services)) return
  const { maintenanceMessage: message } = services.settings.latest.platform
  reject(commonErrors, 'MAINTENANCE', { values: { message } })
}
