import { appVersion } from '#web/api/app-selection.ts'
import type { ListRequest } from '#web/list/list-request.ts'
import type { App } from '#web/session/session.ts'

export const appStatuses = ['enabled', 'disabled'] as const
type AppStatus = (typeof appStatuses)[number] | 'unknown'

/** Unknown if the reply lacks the status. */
export function appStatus({ settings }: { settings?: Partial<App['settings']> }): AppStatus {
  if (settings?.appStatus === undefined) return 'unknown'
  return settings.appStatus ? 'enabled' : 'disabled'
}

const sortValues: Record<string, (app: App) => string | number> = {
  name: ({ appName }) => appName.toLowerCase(),
  created: ({ creationDate }) => creationDate,
}

/** All apps are loaded, so the page searches, filters and sorts them itself. */
export function arrangeApps(apps: readonly App[], { search, filters, sort }: ListRequest): readonly App[] {
  const text = search.trim().toLowerCase()
  const found = apps.filter(
    (app) =>
      [app.appName, appVersion(app), app.description].some((part) => part.toLowerCase().includes(text)) &&
      (filters.status === undefined || appStatus(app) === filters.status),
  )
  const valueOf = sort && sortValues[sort.id]
  if (valueOf) {
    const direction = sort.descending ? -1 : 1
    found.sort((a, b) => (valueOf(a) < valueOf(b) ? -direction : valueOf(a) > valueOf(b) ? direction : 0))
  }
  return found
}
