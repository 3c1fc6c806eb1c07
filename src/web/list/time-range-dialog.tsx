import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { type ChangeEvent, useRef, useState } from 'react'
import { earliestDay, isDay, latestDay, readTimeRange, timeRangeParam } from '../time/time-range.ts'
import { useTimeZone } from '../browser/time-zone.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { TextField } from '../ui/text-field.tsx'
import type { FilteredList } from './use-list-page.ts'
import { useSetSearchParams } from '../navigation/search-params.ts'

interface TimeRangeDialogProps {
  list: FilteredList
  /** The filter's name in the URL. */
  filter: string
}

const dayText = (day: string) =>
  new Intl.DateTimeFormat(i18n.locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(day))

/** What is wrong with a day by itself. The browser has no value for one that is typed in part. */
function dayProblem(day: string, isIncomplete: boolean): string | undefined {
  if (isIncomplete) return t`This date is incomplete`
  if (day === '' || isDay(day)) return undefined
  const [first, last] = [dayText(earliestDay), dayText(latestDay)]
  return day < earliestDay || day > latestDay ? t`Choose a day from ${first} to ${last}` : t`This day does not exist`
}

/** A range of days, both inclusive; either one may be omitted. */
export function TimeRangeDialog({ list: { state, dialog }, filter }: TimeRangeDialogProps) {
  const setParams = useSetSearchParams()
  const range = readTimeRange(state.filters[filter])
  const start = range && 'from' in range ? range : undefined
  const [from, setFrom] = useState(start?.from ?? '')
  const [until, setUntil] = useState(start?.until ?? '')
  const [isSubmitted, setSubmitted] = useState(false)
  const fields = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)] as const
  const [incomplete, setIncomplete] = useState([false, false])
  const timeZone = useTimeZone()
  const problemsOf = (isIncomplete: readonly boolean[]) => {
    const [first, last] = [from, until].map((day, at) => dayProblem(day, isIncomplete[at] === true))
    if (first !== undefined || last !== undefined) return [first, last]
    if (from === '' && until === '') return [undefined, t`Choose a first or last day`]
    return [undefined, from !== '' && until !== '' && from > until ? t`The last day is before the first` : undefined]
  }
  const readIncomplete = () => {
    const now = fields.map(({ current }) => current?.validity.badInput === true)
    setIncomplete(now)
    return now
  }
  const field = (at: 0 | 1, value: string, onChange: (value: string) => void) => {
    const error = isSubmitted ? problemsOf(incomplete)[at] : undefined
    return {
      type: 'date',
      ref: fields[at],
      max: latestDay,
      value,
      onChange: (event: ChangeEvent<HTMLInputElement>) => {
        onChange(event.target.value)
        readIncomplete()
      },
      // A date that is typed in part changes without `onChange`.
      onKeyUp: readIncomplete,
      onBlur: readIncomplete,
      ...(error !== undefined && { error }),
    }
  }
  return (
    <FormDialog
      title={t`Choose dates`}
      description={t`Both days are included. Time zone: ${timeZone}.`}
      size="sm"
      submitLabel={t`Apply`}
      busy={false}
      error={undefined}
      onSubmit={() => {
        const problems = problemsOf(readIncomplete())
        if (problems.some((each) => each !== undefined)) return setSubmitted(true)
        const chosen = { [`f.${filter}`]: timeRangeParam({ from, until }) }
        void setParams({ ...chosen, page: undefined, dialog: undefined }, { replace: true })
      }}
      onClose={dialog.close}
    >
      <TextField label={t`First day`} {...field(0, from, setFrom)} />
      <TextField label={t`Last day`} {...field(1, until, setUntil)} />
    </FormDialog>
  )
}
