import { appVersion } from '#web/api/app-selection.ts'
import type { ListRequest } from '#web/list/list-request.ts'
import { type SortValues, sortRows } from '#web/list/sort-rows.ts'
import type { App } from '#web/session/session.ts'

export const appStatuses = ['enabled', 'disabled'] as const
type AppStatus = (typeof appStatuses)[number] | 'unknown'

/** Unknown if the reply lacks the status. */
export function appStatus({ settings }: { settings?: Partial<App['settings']> }): AppStatus {
  if (settings?.appStatus === undefined) return 'unknown'
  return settings.appStatus ? 'enabled' : 'disabled'
}

const sortValues: SortValues<App> = {
  name: ({ appName }) => appName,
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
  return sortRows(found, sort, sortValues)
}
