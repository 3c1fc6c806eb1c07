import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TimeRangeChip } from '#web/list/time-range-chip.tsx'
import type { FilteredList } from '#web/list/use-list-page.ts'
import { ChosenFilter } from '#web/table/chosen-filter.tsx'
import { countIn } from '#web/table/facet-count.ts'
import { FilterChip } from '#web/table/filter-chip.tsx'
import { totalText } from '#web/table/row-total.ts'
import { loggedCalls } from '../logs.rules.ts'
import { callName, countryName, dayRanges, logFacetsQuery, logList, type LogPage } from './logs-data.ts'
import { rejectionTitle } from './rejection-texts.ts'

interface LogFiltersProps {
  list: FilteredList
  page: LogPage | undefined
}

/** `7 rejected`; without a number while it loads. */
function customersText(filter: string | undefined, customers: LogPage['customers'] | undefined): string {
  if (!customers) return filter === 'rejected' ? t`Rejected` : t`Signed in`
  const number = customers.count
  const count = totalText(customers)
  return filter === 'rejected'
    ? plural(number, { one: `${count} rejected`, other: `${count} rejected` })
    : plural(number, { one: `${count} signed in`, other: `${count} signed in` })
}

/** The values of a filter have the number of their entries, and reasons are listed, once a menu has been opened. */
export function LogFilters({ list, page }: LogFiltersProps) {
  const { state } = list
  const { filters, setFilter } = state
  const [isCounted, setIsCounted] = useState(false)
  const { data: facets, refetch } = useQuery({ ...logFacetsQuery(logList.filter(state)), enabled: isCounted })
  const count = () => (isCounted ? void refetch() : setIsCounted(true))
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
      <FilterChip
        label={t`Reason`}
        several
        value={code}
        options={[...codes].map((value) => ({
          value,
          label: rejectionTitle(value),
          count: countIn(facets?.codes, value),
        }))}
        groups={codes.size > 0 ? [] : [{ label: facets ? t`No rejections` : t`Loading…`, options: [] }]}
        onOpen={count}
        onChange={(value) => setFilter('code', value)}
      />
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
      <TimeRangeChip label={t`Period`} list={list} filter="days" days={dayRanges} />
      <ChosenFilter
        state={state}
        name="customers"
        label={t`Customers`}
        text={customersText(filters['customers'], page?.customers)}
      />
      <ChosenFilter state={state} name="credential" label={t`Credential`} />
      <ChosenFilter state={state} name="hwid" label={t`Device`} />
      <ChosenFilter state={state} name="ip" label={t`IP Address`} />
      <ChosenFilter
        state={state}
        name="country"
        label={t`Country`}
        text={filters['country'] && countryName(filters['country'])}
      />
    </>
  )
}
