import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { FilterChip } from '#web/table/filter-chip.tsx'
import { levelsQuery } from './user-list.ts'

interface UserFiltersProps {
  state: {
    filters: { status?: string; level?: string }
    setFilter: (name: 'status' | 'level', value?: string) => void
  }
}

export function UserFilters({ state }: UserFiltersProps) {
  const { data } = useQuery(levelsQuery())
  return (
    <>
      <FilterChip
        label={t`Status`}
        value={state.filters.status}
        options={[
          { value: 'active', label: t`Active` },
          { value: 'expired', label: t`Expired` },
          { value: 'paused', label: t`Paused` },
          { value: 'banned', label: t`Banned` },
        ]}
        onChange={(value) => state.setFilter('status', value)}
      />
      <FilterChip
        label={t`Level`}
        value={state.filters.level}
        options={(data?.subscriptions ?? []).map(({ level, name }) => ({ value: String(level), label: name }))}
        onChange={(value) => state.setFilter('level', value)}
      />
    </>
  )
}
