import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { levelFilter } from '#web/list/level-filter.ts'
import { TimeRangeChip } from '#web/list/time-range-chip.tsx'
import { FilterChip } from '#web/table/filter-chip.tsx'
import type { SelectOption } from '#web/ui/select-field.tsx'
import { licenseFacetsQuery, useLevels, withLevel } from './licenses-data.ts'
import type { LicensesInView } from './licenses-menus.tsx'

/** The ranges that the filters by creation and redemption offer, in days. */
const periodDays = [1, 7, 30, 90] as const

/** Filters beside the statuses. Levels and resellers have the number of their licenses, counted when a menu opens. */
export function LicenseFilters({ list }: { list: LicensesInView }) {
  const { filters, setFilter } = list.state
  const { options } = useLevels()
  // After the rows, which people wait for.
  const { data: facets, refetch } = useQuery({ ...licenseFacetsQuery(), enabled: list.data !== undefined })
  const count = () => void refetch()
  const level = levelFilter(filters['level'])
  let levels: readonly SelectOption[] = options ?? []
  for (const chosen of level?.split(',') ?? []) levels = withLevel(levels, chosen)
  const reseller = filters['reseller']
  const resellers = facets?.resellers.map((each) => ({ value: each.resellerId, label: each.name, count: each.count }))
  const isListed = reseller === undefined || resellers?.some(({ value }) => value === reseller)
  const hasResellers = (resellers?.length ?? 0) > 0
  return (
    <>
      <FilterChip
        label={t`Level`}
        several
        value={level}
        options={levels.map((option) => ({
          ...option,
          count: facets?.levels.find((each) => String(each.level) === option.value),
        }))}
        onOpen={count}
        onChange={(value) => setFilter('level', value)}
      />
      {(hasResellers || reseller !== undefined) && (
        <FilterChip
          label={t`Reseller`}
          value={reseller}
          options={[...(resellers ?? []), ...(isListed ? [] : [{ value: reseller, label: reseller }])]}
          onOpen={count}
          onChange={(value) => setFilter('reseller', value)}
        />
      )}
      <TimeRangeChip
        label={t({ message: 'Created', context: 'license' })}
        list={list}
        filter="created"
        days={periodDays}
      />
      <TimeRangeChip label={t`Redeemed`} list={list} filter="redeemed" days={periodDays} />
      {/* Offered by the statuses; other days come from the overview. */}
      {filters['expires'] !== undefined && <TimeRangeChip label={t`Expires`} list={list} filter="expires" days={[]} />}
    </>
  )
}
