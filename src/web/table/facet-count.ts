import type { Facet } from '#contract/facet-field.ts'
import type { RowTotal } from './row-total.ts'

/** The number of entries with a value of a filter; undefined while the numbers load. */
export function countIn(facet: Facet | undefined, value: string): RowTotal | undefined {
  if (!facet) return undefined
  return { count: facet.values.find((each) => each.value === value)?.count ?? 0, isMore: facet.isMore }
}
