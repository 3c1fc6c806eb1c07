import { t } from '@lingui/core/macro'
import { FilterChip } from '#web/table/filter-chip.tsx'
import type { TableState } from '#web/table/use-table-state.ts'

/** Narrows a list to what ends soon, to be sold again. */
export const ExpiringFilter = ({ state: { filters, setFilter } }: { state: TableState }) => (
  <FilterChip
    label={t`Time left`}
    value={filters.status}
    options={[{ value: 'expiring', label: t`Expiring in 7 days` }]}
    onChange={(value) => setFilter('status', value)}
  />
)
