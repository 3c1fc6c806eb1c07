import { t } from '@lingui/core/macro'
import { FilterChip } from '../table/filter-chip.tsx'
import { readTimeRange, timeRangeText } from '../time/time-range.ts'
import { useTimeZone } from '../browser/time-zone.ts'
import type { FilteredList } from './use-list-page.ts'

interface TimeRangeChipProps {
  label: string
  list: FilteredList
  /** The filter's name in the URL. */
  filter: string
  /** Presets of recent days. */
  days: readonly number[]
  /** The list's `TimeRangeDialog` of this filter. */
  dialog?: string
}

/** Filters a list by recent days or a range of days. */
export function TimeRangeChip({ label, list, filter, days, dialog = filter }: TimeRangeChipProps) {
  const value = list.state.filters[filter]
  const range = readTimeRange(value)
  const timeZone = useTimeZone()
  const isOffered = range !== undefined && 'days' in range && days.includes(range.days)
  const options = days.map((each) => ({ value: String(each), label: timeRangeText({ days: each }, timeZone) }))
  const chosen = range && value !== undefined && !isOffered ? [{ value, label: timeRangeText(range, timeZone) }] : []
  return (
    <FilterChip
      label={label}
      value={range ? value : undefined}
      options={[...options, ...chosen]}
      actions={[{ label: t`Choose dates`, onSelect: () => list.dialog.open(dialog) }]}
      onChange={(chosenValue) => list.state.setFilter(filter, chosenValue)}
    />
  )
}
