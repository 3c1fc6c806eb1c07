import { licenseExportTitles as titles } from '#features/licenses/licenses.rules.ts'

// What only our own exports of licenses say: a bare number in their JSON is in seconds, and who redeemed a license.

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The licenses of a JSON list or of the export of an app, as tables of others have them; other items as they are. */
export function ownLicenses(items: readonly unknown[]): readonly unknown[] {
  return items.map((item) => {
    if (!isObject(item) || typeof item.license !== 'string' || typeof item.used !== 'boolean') return item
    const { expiry, durationSeconds = expiry, used, banned, ...rest } = item
    return {
      ...rest,
      ...(typeof durationSeconds === 'number' && { duration: `${durationSeconds} seconds` }),
      status: used ? 'used' : banned === true ? 'banned' : 'unused',
    }
  })
}

const ownTitles: ReadonlySet<string> = new Set(Object.values(titles))

/** The rows of a CSV file. In ours, the status of a banned license doesn't say whether it was redeemed. */
export function inOwnColumns<R extends { cells: readonly string[] }>(
  header: readonly string[],
  rows: readonly R[],
): readonly R[] {
  const status = header.indexOf(titles.status)
  const marks = [titles.usedBy, titles.expiresAt].map((title) => header.indexOf(title)).filter((at) => at >= 0)
  const isOwn = header.includes(titles.license) && header.every((title) => ownTitles.has(title))
  if (!isOwn || status < 0 || marks.length === 0) return rows
  return rows.map((row) =>
    marks.some((at) => (row.cells[at] ?? '') !== '') ? { ...row, cells: row.cells.with(status, 'used') } : row,
  )
}
