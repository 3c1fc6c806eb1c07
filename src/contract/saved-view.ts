import type { Problem } from './errors.ts'
import { hasInvisible } from './visible-text.ts'

/** Rules for saved views of tables. Run in the server and the dashboard. */

export const maxViewNameLength = 60
export const maxViewQueryLength = 2000
/** Per person and table. */
export const maxViews = 50

type NameCode = 'VIEW_NAME_REQUIRED' | 'VIEW_NAME_TOO_LONG' | 'VIEW_NAME_CHARACTERS'

export function viewNameProblem(name: string): Problem<NameCode, 'name'> | undefined {
  const text = name.trim()
  if (text === '') return { code: 'VIEW_NAME_REQUIRED', field: 'name' }
  if (text.length > maxViewNameLength) {
    return { code: 'VIEW_NAME_TOO_LONG', values: { max: maxViewNameLength }, field: 'name' }
  }
  return hasInvisible(text) ? { code: 'VIEW_NAME_CHARACTERS', field: 'name' } : undefined
}

/** Parameters of a table's address that a view keeps: not its page, and nothing that is open over the table. */
function isViewParameter(name: string, value: string): boolean {
  if (name === 'q') return value.length <= 200
  if (name === 'sort') return /^-?[A-Za-z][\w-]{0,39}$/.test(value)
  if (name === 'limit') return /^(10|25|50|100)$/.test(value)
  return /^f\.[A-Za-z][\w-]{0,39}$/.test(name) && value.length <= 500
}

const text = (parameters: readonly (readonly [string, string])[]): string =>
  new URLSearchParams(parameters.toSorted(([a], [b]) => (a < b ? -1 : 1)) as [string, string][]).toString()

/** The view's part of an address in one order, so that equal views are equal texts. */
export const viewQueryOf = (search: Readonly<Record<string, string | undefined>>): string =>
  text(
    Object.entries(search).filter(
      (entry): entry is [string, string] => !!entry[1] && isViewParameter(entry[0], entry[1]),
    ),
  )

/** A query in that order; undefined if it contains anything that no view keeps, or something twice. */
export function normalViewQuery(query: string): string | undefined {
  const parameters = [...new URLSearchParams(query)]
  const isValid = parameters.every(([name, value]) => value !== '' && isViewParameter(name, value))
  const areUnique = new Set(parameters.map(([name]) => name)).size === parameters.length
  const normal = isValid && areUnique ? text(parameters) : undefined
  return normal !== undefined && normal.length <= maxViewQueryLength ? normal : undefined
}
