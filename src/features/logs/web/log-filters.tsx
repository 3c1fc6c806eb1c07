import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { TimeRangeChip } from '#web/list/time-range-chip.tsx'
import { countIn } from '#web/table/facet-count.ts'
import { FilterChip } from '#web/table/filter-chip.tsx'
import type { TableState } from '#web/table/use-table-state.ts'
import { loggedCalls } from '../logs.rules.ts'
import { callName, countryName, dayRanges, logFacetsQuery, logList, type LogPage } from './logs-data.ts'
import { rejectionTitle } from './rejection-texts.ts'

interface LogFiltersProps {
  state: TableState
  /** Undefined until the list is loaded. */
  page: LogPage | undefined
  onChooseDays: () => void
}

/** The values of a filter have the number of their entries, counted when a menu opens. */
export function LogFilters({ state, page, onChooseDays }: LogFiltersProps) {
  const { filters, setFilter } = state
  // After the rows, which people wait for.
  const { data: facets, refetch } = useQuery({ ...logFacetsQuery(logList.filter(state)), enabled: page !== undefined })
  const count = () => void refetch()
  const { code } = filters
  const codes = new Set([...(facets?.codes.values.map(({ value }) => value) ?? []), ...(code?.split(',') ?? [])])
  return (
    <>
      <FilterChip
        label={t`Result`}
        several
        value={filters['result']}
        options={[
          { value: 'refused', label: t`Rejected`, count: countIn(facets?.results, 'rejected') },
          { value: 'allowed', label: t`Allowed`, count: countIn(facets?.results, 'allowed') },
        ]}
        onOpen={count}
        onChange={(value) => setFilter('result', value)}
      />
      {codes.size > 0 && (
        <FilterChip
          label={t`Reason`}
          several
          value={code}
          options={[...codes].map((value) => ({
            value,
            label: rejectionTitle(value),
            count: countIn(facets?.codes, value),
          }))}
          onOpen={count}
          onChange={(value) => setFilter('code', value)}
        />
      )}
      <FilterChip
        label={t`Call`}
        several
        value={filters['call']}
        options={loggedCalls.map((call) => ({
          value: call,
          label: callName(call),
          count: countIn(facets?.calls, call),
        }))}
        onOpen={count}
        onChange={(value) => setFilter('call', value)}
      />
      <TimeRangeChip
        label={t`Period`}
        value={filters['days']}
        days={dayRanges}
        onChange={(value) => setFilter('days', value)}
        onCustom={onChooseDays}
      />
      <ChosenFilters state={state} />
    </>
  )
}

/** Filters set from a row's menu or by a link. */
function ChosenFilters({ state: { filters, setFilter } }: Pick<LogFiltersProps, 'state'>) {
  const chosen = [
    { name: 'credential', label: t`Credential` },
    { name: 'hwid', label: t`Device` },
    { name: 'ip', label: t`IP Address` },
    { name: 'country', label: t`Country`, textOf: countryName },
  ]
  return chosen.map(({ name, label, textOf }) => {
    const value = filters[name]
    if (value === undefined) return null
    const options = [{ value, label: textOf?.(value) ?? value }]
    return (
      <FilterChip key={name} label={label} value={value} options={options} onChange={(next) => setFilter(name, next)} />
    )
  })
}
