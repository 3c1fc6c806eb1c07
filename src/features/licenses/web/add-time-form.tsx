import { plural, t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { durationSeconds } from '#contract/duration.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { failureTextWithCause } from '#web/errors.ts'
import { useRequestKey } from '#web/form/use-request-key.ts'
import { notify } from '#web/notify.ts'
import { durationText } from '#web/time/time-text.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { addTimeUnits, defaultDurationDays, durationProblem } from '../licenses.rules.ts'
import { addTimeCalls, addTimeToLicenses } from './add-time.ts'
import { type BulkTarget, targetCount } from './bulk-licenses.ts'
import { refreshLicenses } from './license-list.ts'
import { problemText, unitOptions } from './problem-text.ts'

interface AddTimeFormProps {
  appId: string
  target: BulkTarget
  onDone: () => void
  onClose: () => void
}

export function AddTimeForm({ appId, target, onDone, onClose }: AddTimeFormProps) {
  const [duration, setDuration] = useState<number | undefined>(defaultDurationDays)
  const [expiryUnit, setExpiryUnit] = useState<(typeof addTimeUnits)[number]>('days')
  const [submitted, setSubmitted] = useState(false)
  const { keyOf } = useRequestKey()
  const count = targetCount(target)
  const request = { appId, target, time: { duration: duration ?? 0, expiryUnit } }
  const add = useMutation({
    mutationFn: () => addTimeToLicenses({ ...request, attemptKey: keyOf }),
    onSuccess: ({ updated, skipped }) => {
      void refreshLicenses()
      const added = t`Time added to ${updated} licenses`
      if (skipped === 0) notify.success(added)
      else notify.warning(`${added}. ${skippedText(skipped)}`)
      onDone()
    },
  })
  const problem = durationProblem(duration, expiryUnit)
  const nothing = submitted && count === 0 ? t`No licenses selected` : undefined
  const submit = () => {
    setSubmitted(true)
    if (problem === undefined && count > 0) return add.mutate()
    if (problem) document.querySelector<HTMLElement>('[role=dialog] [name=duration]')?.focus()
  }
  const length = problem === undefined ? durationText(durationSeconds(duration ?? 0, expiryUnit)) : ''
  return (
    <FormDialog
      title={t`Add time`}
      description={plural(count, {
        one: 'To # license, and to whoever redeemed it. A lifetime has nothing to add to and is skipped.',
        other: 'To # licenses, and to whoever redeemed them. A lifetime has nothing to add to and is skipped.',
      })}
      size="sm"
      submitLabel={t`Add time`}
      busy={add.isPending}
      error={
        nothing ??
        (add.error
          ? failureTextWithCause(add.error, t`Failed to add time`, (message) => t`Failed to add time: ${message}`)
          : undefined)
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="flex flex-wrap items-start gap-3">
        <NumberField
          label={t`Duration`}
          name="duration"
          required
          min={1}
          value={duration}
          onChange={setDuration}
          error={submitted && problem ? problemText(problem) : undefined}
        />
        <SelectField
          label={t`Unit`}
          className="min-w-36 grow"
          options={unitOptions(addTimeUnits)}
          value={expiryUnit}
          onChange={(event) => setExpiryUnit(event.target.value as typeof expiryUnit)}
        />
        <p aria-live="polite" className="min-h-4 basis-full text-meta text-text-2">
          {length && t`Each one gets ${length} more`}
        </p>
      </div>
      <ShowApiCall
        calls={() => addTimeCalls(request)}
        note={'keys' in target ? undefined : t`The button asks for the keys that match and puts them into the list.`}
        sellerApi
      />
    </FormDialog>
  )
}

const skippedText = (skipped: number) =>
  plural(skipped, {
    one: '# was skipped: it is a lifetime license or gone.',
    other: '# were skipped: they are lifetime licenses or gone.',
  })
