import { t } from '@lingui/core/macro'
import { FilterChip } from '#web/table/filter-chip.tsx'
import type { TableState } from '#web/table/use-table-state.ts'

/** As licenses are counted on the dashboard, banned or not. */
export const RedeemedFilter = ({ state: { filters, setFilter } }: { state: TableState }) => (
  <FilterChip
    label={t`Redeemed`}
    value={filters.redeemed}
    options={[
      { value: 'yes', label: t`Redeemed` },
      { value: 'no', label: t`Not redeemed` },
    ]}
    onChange={(value) => setFilter('redeemed', value)}
  />
)

/** Narrows a list to what ends soon, to be sold again. */
export const ExpiringFilter = ({ state: { filters, setFilter } }: { state: TableState }) => (
  <FilterChip
    label={t`Time left`}
    value={filters.status}
    options={[{ value: 'expiring', label: t`Expiring in 7 days` }]}
    onChange={(value) => setFilter('status', value)}
  />
)
