import { t } from '@lingui/core/macro'
import { FilterChip } from '#web/table/filter-chip.tsx'
import type { TableState } from '#web/table/use-table-state.ts'
import { useLevels, withLevel } from './use-levels.ts'

export function LicenseFilters({ state }: { state: TableState }) {
  const { options } = useLevels()
  const { status, level = '' } = state.filters
  return (
    <>
      <FilterChip
        label={t`Status`}
        value={status}
        options={[
          { value: 'unused', label: t`Unused` },
          { value: 'used', label: t`Used` },
          { value: 'banned', label: t`Banned` },
          { value: 'expiring', label: t`Expiring in 7 days` },
        ]}
        onChange={(value) => state.setFilter('status', value)}
      />
      <FilterChip
        label={t`Level`}
        value={level || undefined}
        options={withLevel(options, level || undefined, t`Level ${level}`)}
        onChange={(value) => state.setFilter('level', value)}
      />
    </>
  )
}
