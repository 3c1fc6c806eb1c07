import { type Static, Type } from 'typebox'
import { maxCounted } from './fields.ts'

/** How many entries each value of a filter has, among the newest ones that match the other filters. */
export const FacetField = Type.Object(
  {
    values: Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() }), {
      description: 'Most entries first; values without entries are left out',
    }),
    isMore: Type.Boolean({
      description: `Whether more entries match than the newest ${maxCounted.toLocaleString('en')}, which were counted`,
    }),
  },
  { description: 'Counted without the filter by this field itself' },
)

export type Facet = Static<typeof FacetField>

interface Group {
  value: string
  count: number
}

/** Most entries first; equal counts are sorted by value. */
export function facetOf(groups: readonly Group[], isMore: boolean): Facet {
  const counts = new Map<string, number>()
  for (const { value, count } of groups) counts.set(value, (counts.get(value) ?? 0) + count)
  const values = [...counts].map(([value, count]) => ({ value, count }))
  return {
    values: values.toSorted((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1)),
    isMore,
  }
}
