import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { ListFilter, Trash2 } from 'lucide-react'
import { unknownCountry } from '#contract/country-filter.ts'
import { TimeRangeChip } from '#web/list/time-range-chip.tsx'
import type { ListPage } from '#web/list/use-list-page.ts'
import { ChosenFilter } from '#web/table/chosen-filter.tsx'
import { FacetLine } from '#web/table/facet-line.tsx'
import { FilterChip } from '#web/table/filter-chip.tsx'
import type { TableState } from '#web/table/use-table-state.ts'
import { countryText } from '#web/ui/country-text.ts'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import type { SessionStatus } from '#features/session-store/session-store.rules.ts'
import {
  countryFilter,
  type ProgramSession,
  type SessionFilter,
  sessionFacetsQuery,
  type SessionList,
  sessionList,
} from './program-sessions-data.ts'

export type SessionsInView = ListPage<ProgramSession, SessionList, SessionFilter>

/** How many sessions of the app have each status. */
export function SessionFacets({ list: { data, state } }: { list: SessionsInView }) {
  const counts = data?.counts
  const facet = (value: SessionStatus, label: string) => ({ value, label, count: counts?.[value] })
  return (
    <FacetLine
      label={t`Session counts`}
      filter="status"
      filterLabel={t`Status`}
      state={state}
      total={{
        label: t({ message: 'All', context: 'sessions' }),
        count: counts && counts.active + counts.inactive + counts.expired,
      }}
      facets={[
        facet('active', t({ message: 'Active', context: 'sessions' })),
        facet('inactive', t({ message: 'Inactive', context: 'sessions' })),
        facet('expired', t({ message: 'Expired', context: 'sessions' })),
      ]}
    />
  )
}

const countryLabel = (country: string): string => (country === unknownCountry ? t`Unknown` : countryText(country))

/** The ranges that the filters by time offer, in days. */
const periodDays = [1, 7, 30] as const

/** Filters beside the statuses. Countries have the number of their sessions, counted when the menu opens. */
export function SessionFilters({ list }: { list: SessionsInView }) {
  const { data, state } = list
  const { filters, setFilter } = state
  // After the rows, which people wait for.
  const { data: facets, refetch } = useQuery({ ...sessionFacetsQuery(), enabled: data !== undefined })
  const country = countryFilter(filters['country'])
  const counted = (facets?.countries ?? []).map((each) => ({
    value: each.country || unknownCountry,
    count: each.count,
  }))
  const isCounted = (value: string) => counted.some((each) => each.value === value)
  const others = (country?.split(',') ?? []).filter((value) => !isCounted(value)).map((value) => ({ value }))
  return (
    <>
      <FilterChip
        label={t`Country`}
        several
        value={country}
        options={[...counted, ...others].map((each) => ({ ...each, label: countryLabel(each.value) }))}
        onOpen={() => void refetch()}
        onChange={(value) => setFilter('country', value)}
      />
      <TimeRangeChip
        label={t({ message: 'Created', context: 'session' })}
        list={list}
        filter="created"
        days={periodDays}
      />
      <TimeRangeChip label={t`Last Heartbeat`} list={list} filter="seen" days={periodDays} />
      <ChosenFilter state={state} name="hwid" label={t`Device`} />
      <ChosenFilter state={state} name="ip" label={t`IP Address`} />
    </>
  )
}

export function moreMenu(isEmpty: boolean, open: (name: string) => void): MenuEntry[] {
  const disabledReason = isEmpty ? t`There are no sessions` : undefined
  return [{ label: t`Delete all`, icon: <Trash2 />, danger: true, onSelect: () => open('delete-all'), disabledReason }]
}

interface SessionActions {
  setFilter: TableState['setFilter']
  open: (name: string, row: string) => void
}

export function sessionMenu(row: ProgramSession, { setFilter, open }: SessionActions): MenuEntry[] {
  const { hwid, country } = row
  const only = (label: string, name: string, value: string): MenuEntry[] =>
    value === '' ? [] : [{ label, icon: <ListFilter />, onSelect: () => setFilter(name, value) }]
  const filters = [...only(t`Only this device`, 'hwid', hwid), ...only(t`Only this country`, 'country', country)]
  return [
    ...filters,
    ...(filters.length > 0 ? [{ kind: 'separator' as const }] : []),
    { label: t`Delete`, icon: <Trash2 />, danger: true, onSelect: () => open('delete', sessionList.rowId(row)) },
  ]
}
