import type { App } from '#web/session.ts'

export const appStatuses = ['enabled', 'disabled'] as const
export type AppStatus = (typeof appStatuses)[number] | 'unknown'

/** Unknown when the server says nothing about it (part 2 §4). */
export function appStatus({ settings }: { settings?: Partial<App['settings']> }): AppStatus {
  if (settings?.appStatus === undefined) return 'unknown'
  return settings.appStatus ? 'enabled' : 'disabled'
}
