import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { unlimitedPlan } from '#features/plans/plans.rules.ts'
import { TimeRangeChip } from '#web/list/time-range-chip.tsx'
import { FilterChip } from '#web/table/filter-chip.tsx'
import type { TableState } from '#web/table/use-table-state.ts'
import { adminPlansQuery } from './admin-data.ts'
import { type GrowthDays, growthDays } from './dashboard-data.ts'

/** The ranges offered by the filter, in days. */
const dayRanges = [1, 7, 30, 90, 365] as const
/** Of growth, until another period is chosen. */
const usualDays: GrowthDays = 30

interface OwnerFiltersProps {
  state: TableState
  onChooseDays: () => void
  onChooseGrowthDays: () => void
}

export function OwnerFilters({ state, onChooseDays, onChooseGrowthDays }: OwnerFiltersProps) {
  const { filters, setFilter } = state
  const { data: plans = [] } = useQuery(adminPlansQuery)
  const known = [
    ...plans.map(({ name, displayName }) => ({ value: name, label: displayName })),
    { value: unlimitedPlan.name, label: t`Unlimited` },
  ]
  const plan = filters['plan']
  const isKnown = plan === undefined || known.some(({ value }) => value === plan)
  return (
    <>
      <FilterChip
        label={t`Plan`}
        value={plan}
        options={isKnown ? known : [...known, { value: plan, label: plan }]}
        onChange={(value) => setFilter('plan', value)}
      />
      <FilterChip
        label={t`Status`}
        value={filters['status']}
        options={[
          { value: 'active', label: t`Active` },
          { value: 'banned', label: t`Banned` },
          { value: 'admin', label: t({ message: 'Admin', context: 'person' }) },
        ]}
        onChange={(value) => setFilter('status', value)}
      />
      <TimeRangeChip
        label={t`Created`}
        value={filters['days']}
        days={dayRanges}
        onChange={(value) => setFilter('days', value)}
        onCustom={onChooseDays}
      />
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
      <GrowthFilters state={state} onChooseDays={onChooseGrowthDays} />
    </>
  )
}

/** What grew, and when. */
function GrowthFilters({ state, onChooseDays }: { state: TableState; onChooseDays: () => void }) {
  const { filters, setFilter, setFilters } = state
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
        <TimeRangeChip
          label={t`Period`}
          value={growthIn}
          days={growthDays}
          onChange={(value) => setFilter('growthIn', value)}
          onCustom={onChooseDays}
        />
      )}
    </>
  )
}
