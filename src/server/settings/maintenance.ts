import { commonErrors } from '#contract/common-errors.ts'
import { reject } from '#contract/errors.ts'
import type { SettingsCache } from './platform-settings.ts'

interface WithSettings {
  settings: SettingsCache
}

export const isUnderMaintenance = ({ settings }: WithSettings): boolean => settings.latest.platform.maintenanceMode

export function rejectDuringMaintenance(services: WithSettings): void {
  if (!isUnderMaintenance(services)) return
  const { maintenanceMessage: message } = services.settings.latest.platform
  reject(commonErrors, 'MAINTENANCE', { values: { message } })
}
