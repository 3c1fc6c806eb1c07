import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { unlimitedPlan } from '#features/plans/plans.rules.ts'
import { TimeRangeChip } from '#web/list/time-range-chip.tsx'
import type { FilteredList } from '#web/list/use-list-page.ts'
import { FacetLine } from '#web/table/facet-line.tsx'
import { FilterChip } from '#web/table/filter-chip.tsx'
import type { TableState } from '#web/table/use-table-state.ts'
import { adminPlansQuery, adminStatsQuery, ownerStatuses } from './admin-data.ts'
import { withFree } from './plan-options.ts'
import { type GrowthDays, growthDays } from './dashboard-data.ts'

/** The ranges offered by the filter, in days. */
const dayRanges = [1, 7, 30, 90, 365] as const
/** Of growth, until another period is chosen. */
const usualDays: GrowthDays = 30

/** How many owners are in each state. */
export function OwnerFacets({ state }: { state: TableState }) {
  const { data } = useQuery(adminStatsQuery)
  const texts = {
    active: t({ message: 'Active', context: 'owners' }),
    banned: t({ message: 'Banned', context: 'owners' }),
    admin: t({ message: 'Admin', context: 'person' }),
  }
  return (
    <FacetLine
      label={t`Owner counts`}
      filter="status"
      filterLabel={t`Status`}
      state={state}
      total={{ label: t({ message: 'All', context: 'owners' }), count: data?.totals.owners }}
      facets={ownerStatuses.map((value) => ({ value, label: texts[value], count: data?.states[value] }))}
    />
  )
}

export function OwnerFilters({ list }: { list: FilteredList }) {
  const { filters, setFilter } = list.state
  const { data: plans = [] } = useQuery(adminPlansQuery)
  const { data: stats } = useQuery(adminStatsQuery)
  const known = [
    ...withFree(plans).map(({ name, displayName }) => ({ value: name, label: displayName })),
    { value: unlimitedPlan.name, label: t`Unlimited` },
  ]
  const chosen = filters['plan']?.split(',') ?? []
  const unknown = chosen.filter((name) => !known.some(({ value }) => value === name))
  const options = [...known, ...unknown.map((name) => ({ value: name, label: name }))].map((option) => ({
    ...option,
    count: stats && (stats.plans.find(({ name }) => name === option.value)?.count ?? 0),
  }))
  return (
    <>
      <FilterChip
        label={t`Plan`}
        several
        value={filters['plan']}
        options={options}
        onChange={(value) => setFilter('plan', value)}
      />
      <TimeRangeChip label={t`Created`} list={list} filter="days" days={dayRanges} />
      <FilterChip
        label={t`Plan ends`}
        value={filters['ends']}
        options={[{ value: 'week', label: t`Within 7 days` }]}
        onChange={(value) => setFilter('ends', value)}
      />
      <FilterChip
        label={t`Plan limits`}
        value={filters['limits']}
        options={[{ value: 'near', label: t`At least 80% used` }]}
        onChange={(value) => setFilter('limits', value)}
      />
      <GrowthFilters list={list} />
    </>
  )
}

/** What grew, and when. */
function GrowthFilters({ list }: { list: FilteredList }) {
  const { filters, setFilters } = list.state
  const { growth, growthIn } = filters
  return (
    <>
      <FilterChip
        label={t`Growth`}
        value={growth}
        options={[
          { value: 'apps', label: t`New apps` },
          { value: 'licenses', label: t`New licenses` },
          { value: 'users', label: t`New users` },
          { value: 'signIns', label: t`Sign-ins` },
        ]}
        onChange={(value) =>
          setFilters({ growth: value, growthIn: value === undefined ? undefined : (growthIn ?? String(usualDays)) })
        }
      />
      {growth !== undefined && (
        <TimeRangeChip label={t`Period`} list={list} filter="growthIn" days={growthDays} dialog="growth-days" />
      )}
    </>
  )
}
