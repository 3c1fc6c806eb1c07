import type { App } from '#web/session.ts'
import type { TableSort } from '#web/table/table-params.ts'
import { appStatus } from './app-status.ts'

interface Wanted {
  search: string
  filters: Record<string, string>
  sort: TableSort | undefined
  page: number
  limit: number
}

const sortValues: Record<string, (app: App) => string | number> = {
  name: ({ appName }) => appName.toLowerCase(),
  created: ({ creationDate }) => creationDate,
}

/** The server sends all apps at once; searched, sorted and paged here. */
export function appList(apps: readonly App[], { search, filters, sort, page, limit }: Wanted) {
  const text = search.trim().toLowerCase()
  const found = apps.filter(
    (app) =>
      [app.appName, app.version, app.description].some((part) => part.toLowerCase().includes(text)) &&
      (filters.status === undefined || appStatus(app) === filters.status),
  )
  const valueOf = sort && sortValues[sort.id]
  if (valueOf) {
    const direction = sort.descending ? -1 : 1
    found.sort((a, b) => (valueOf(a) < valueOf(b) ? -direction : valueOf(a) > valueOf(b) ? direction : 0))
  }
  return { rows: found.slice((page - 1) * limit, page * limit), total: found.length }
}
