import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { unitSeconds } from '#contract/duration.ts'
import { call } from '#web/call.ts'
import { failureText, successText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { dateTimeText, durationText } from '#web/time/time-text.ts'
import { useTimeZone } from '#web/time/time-zone.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { maxNotesLength } from '../licenses.rules.ts'
import { type License, refreshLicenses } from './license-list.ts'
import { useLevels, withLevel } from './use-levels.ts'

const maxDays = 365_000

/** Whole days (part 1 §5). Rounded up: 0 must mean a lifetime and nothing else. */
const daysOf = (seconds: number) => Math.ceil(seconds / unitSeconds.days)

export function EditLicenseForm({ license, onClose }: { license: License; onClose: () => void }) {
  const { options, failure } = useLevels()
  const timeZone = useTimeZone()
  // The list may be fetched anew behind the dialog; what is edited is what was opened.
  const [before] = useState(license)
  const [level, setLevel] = useState(String(license.level))
  const [notes, setNotes] = useState(license.notes)
  const [days, setDays] = useState<number | undefined>(() => daysOf(license.expiry))
  const [submitted, setSubmitted] = useState(false)
  const isDaysChanged = days !== daysOf(before.expiry)
  const expiry = isDaysChanged ? (days ?? 0) * unitSeconds.days : before.expiry
  const save = useMutation({
    mutationFn: () => {
      const change = { subscription: Number(level), notes, ...(isDaysChanged && { expiry }) }
      return call('POST /update_license', { body: { licenseKey: before.license, ...change } })
    },
    onSuccess: async (reply) => {
      notify.success(successText(reply))
      onClose()
      await refreshLicenses()
    },
  })
  const isWrong = days === undefined || !Number.isInteger(days) || days < 0 || days > maxDays
  const submit = () => {
    setSubmitted(true)
    if (isWrong) document.querySelector<HTMLElement>('[role=dialog] [name=days]')?.focus()
    else save.mutate()
  }
  return (
    <FormDialog
      title={t`Edit license`}
      submitLabel={t`Save Changes`}
      busy={save.isPending}
      error={save.error ? failureText(save.error, t`Failed to update license`) : undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t`License key`}
        mono
        readOnly
        help={t`A key cannot change.`}
        value={before.license}
        suffix={<CopyButton text={before.license} label={t`Copy license key`} />}
      />
      <SelectField
        label={t`Subscription`}
        required
        options={withLevel(options, String(before.level), before.subscription.name)}
        value={level}
        onChange={(event) => setLevel(event.target.value)}
        error={failure}
      />
      <NumberField
        label={t`Expiry in days`}
        name="days"
        required
        min={0}
        max={maxDays}
        value={days}
        onChange={setDays}
        suffix={isWrong ? undefined : expiryText(before, expiry, timeZone)}
        help={t`0 is a lifetime. The time stays exactly as it is unless you change the days.`}
        error={submitted && isWrong ? t`Please enter a duration` : undefined}
      />
      <TextArea
        label={t`Notes`}
        rows={3}
        maxLength={maxNotesLength}
        value={notes}
        onChange={(event) => setNotes(event.target.value)}
      />
    </FormDialog>
  )
}

function expiryText({ usedAt }: License, expiry: number, timeZone: string): string {
  const length = durationText(expiry)
  if (expiry === 0) return length
  if (usedAt === null) return t`${length} from redeeming`
  const ends = dateTimeText(usedAt + expiry, timeZone)
  return t`${length} → expires ${ends}`
}
