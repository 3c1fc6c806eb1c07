import { FilterChip } from './filter-chip.tsx'
import type { TableState } from './use-table-state.ts'

interface ChosenFilterProps {
  state: Pick<TableState, 'filters' | 'setFilter'>
  /** The filter's name in the URL. */
  name: string
  label: string
  /** What the value is called; the value itself while its name isn't known. */
  text?: string | undefined
}

/** A filter that is set from a row's menu or by a link, and offers only its removal. */
export function ChosenFilter({ state: { filters, setFilter }, name, label, text }: ChosenFilterProps) {
  const value = filters[name]
  if (value === undefined) return null
  const options = [{ value, label: text || value }]
  return <FilterChip label={label} value={value} options={options} onChange={(next) => setFilter(name, next)} />
}
