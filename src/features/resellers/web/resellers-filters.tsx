import { t } from '@lingui/core/macro'
import { lowCredits } from '#features/credits/credits.rules.ts'
import { FacetLine } from '#web/table/facet-line.tsx'
import { FilterChip } from '#web/table/filter-chip.tsx'
import type { TableState } from '#web/table/use-table-state.ts'
import type { ResellerCounts } from './resellers-data.ts'

interface FiltersProps {
  state: TableState
  counts: ResellerCounts | undefined
}

/** How many resellers are in each state. */
export const ResellerFacets = ({ state, counts }: FiltersProps) => (
  <FacetLine
    label={t`Reseller counts`}
    filter="status"
    filterLabel={t`Status`}
    state={state}
    total={{ label: t({ message: 'All', context: 'resellers' }), count: counts?.total }}
    facets={[
      { value: 'active', label: t({ message: 'Active', context: 'resellers' }), count: counts?.active },
      { value: 'invited', label: t({ message: 'Invited', context: 'resellers' }), count: counts?.invited },
      { value: 'banned', label: t({ message: 'Banned', context: 'resellers' }), count: counts?.banned },
    ]}
  />
)

export function ResellerFilters({ state: { filters, setFilter }, counts }: FiltersProps) {
  const { app } = filters
  const apps = counts?.apps.map(({ appId, appName, count }) => ({ value: appId, label: appName, count })) ?? []
  const isListed = app === undefined || apps.some(({ value }) => value === app)
  return (
    <>
      {(apps.length > 0 || app !== undefined) && (
        <FilterChip
          label={t`App`}
          value={app}
          options={isListed ? apps : [...apps, { value: app, label: app }]}
          onChange={(value) => setFilter('app', value)}
        />
      )}
      <FilterChip
        label={t`Credits`}
        value={filters['credits']}
        options={[{ value: 'low', label: t`Fewer than ${lowCredits} in an app`, count: counts?.lowCredits }]}
        onChange={(value) => setFilter('credits', value)}
      />
    </>
  )
}
