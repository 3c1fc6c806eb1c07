import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { isDay, readTimeRange, timeRangeParam } from '../time/time-range.ts'
import { useTimeZone } from '../browser/time-zone.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { TextField } from '../ui/text-field.tsx'

interface TimeRangeDialogProps {
  /** Value in the URL. */
  value: string | undefined
  onChoose: (value: string) => void
  onClose: () => void
}

/** A range of days, both inclusive; either one may be omitted. */
export function TimeRangeDialog({ value, onChoose, onClose }: TimeRangeDialogProps) {
  const range = readTimeRange(value)
  const start = range && 'from' in range ? range : undefined
  const [from, setFrom] = useState(start?.from ?? '')
  const [until, setUntil] = useState(start?.until ?? '')
  const [isSubmitted, setSubmitted] = useState(false)
  const timeZone = useTimeZone()
  const ends = [from, until].filter((each) => each !== '')
  const problem =
    ends.length === 0
      ? t`Choose a first or last day`
      : !ends.every(isDay)
        ? t`This day does not exist`
        : ends.length === 2 && from > until
          ? t`The last day is before the first`
          : undefined
  const error = isSubmitted && problem !== undefined ? { error: problem } : {}
  return (
    <FormDialog
      title={t`Choose dates`}
      description={t`Both days are included. Time zone: ${timeZone}.`}
      size="sm"
      submitLabel={t`Apply`}
      busy={false}
      error={undefined}
      onSubmit={() => {
        if (problem === undefined) onChoose(timeRangeParam({ from, until }))
        else setSubmitted(true)
      }}
      onClose={onClose}
    >
      <TextField type="date" label={t`First day`} value={from} onChange={(event) => setFrom(event.target.value)} />
      <TextField
        type="date"
        label={t`Last day`}
        value={until}
        onChange={(event) => setUntil(event.target.value)}
        {...error}
      />
    </FormDialog>
  )
}
