import { t } from '@lingui/core/macro'
import { FilterChip } from '../table/filter-chip.tsx'
import { readTimeRange, timeRangeText } from '../time/time-range.ts'
import { useTimeZone } from '../browser/time-zone.ts'

interface TimeRangeChipProps {
  label: string
  /** Value in the URL. */
  value: string | undefined
  /** Presets of recent days. */
  days: readonly number[]
  onChange: (value: string | undefined) => void
  /** Opens `TimeRangeDialog`. */
  onCustom: () => void
}

/** Filters a list by recent days or a range of days. */
export function TimeRangeChip({ label, value, days, onChange, onCustom }: TimeRangeChipProps) {
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
      actions={[{ label: t`Choose dates`, onSelect: onCustom }]}
      onChange={onChange}
    />
  )
}
