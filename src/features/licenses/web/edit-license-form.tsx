import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { unitSeconds } from '#contract/duration.ts'
import { call } from '#web/call.ts'
import { successText } from '#web/errors.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
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

interface StoredFields {
  subscription: number
  notes: string
  /** Seconds; shown in days. */
  expiry: number
}

interface ShownFields {
  subscription: string
  notes: string
  expiry: number | undefined
}

const toForm = ({ subscription, notes, expiry }: StoredFields): ShownFields => ({
  subscription: String(subscription),
  notes,
  expiry: daysOf(expiry),
})

const isWrong = (days: number | undefined): boolean =>
  !Number.isInteger(days) || Number(days) < 0 || Number(days) > maxDays

export function EditLicenseForm({ license, onClose }: { license: License; onClose: () => void }) {
  const { options, failure } = useLevels()
  const timeZone = useTimeZone()
  // The list may be fetched anew behind the dialog; what is edited is what was opened.
  const [opened] = useState(license)
  const levels = withLevel(options, String(opened.level), opened.subscription.name)
  const form = useSaveForm({
    start: { subscription: opened.level, notes: opened.notes, expiry: opened.expiry },
    isNew: false,
    toForm,
    toBody: ({ subscription, notes, expiry: days }: ShownFields): StoredFields => ({
      subscription: Number(subscription),
      notes,
      // Whole days would cut what is no whole number of them.
      expiry: days === daysOf(opened.expiry) ? opened.expiry : (days ?? 0) * unitSeconds.days,
    }),
    problems: ({ expiry }) => ({ expiry: isWrong(expiry) ? { code: 'DURATION_REQUIRED' as const } : undefined }),
    send: ({ changes, before }) =>
      call('POST /update_license', { body: { licenseKey: opened.license, ...changes, before } }),
    failure: t`Failed to update license`,
    texts: {
      subscription: (level) => String(levels.find(({ value }) => value === level)?.label ?? level),
      expiry: (days) => durationText((days ?? 0) * unitSeconds.days),
    },
    onSaved: async (reply) => {
      notify.success(successText(reply))
      onClose()
      await refreshLicenses()
    },
    onUnchanged: onClose,
  })
  const subscription = form.field('subscription')
  return (
    <FormDialog title={t`Edit license`} submitLabel={t`Save Changes`} {...form.dialog} onClose={onClose}>
      <TextField
        label={t`License key`}
        mono
        readOnly
        help={t`A key cannot change.`}
        value={opened.license}
        suffix={<CopyButton text={opened.license} label={t`Copy license key`} />}
      />
      <SelectField
        label={t`Subscription`}
        required
        options={levels}
        {...subscription}
        error={failure ?? subscription.error}
      />
      <NumberField
        label={t`Expiry in days`}
        required
        min={0}
        max={maxDays}
        suffix={isWrong(form.values.expiry) ? undefined : expiryText(opened, form.body.expiry, timeZone)}
        help={t`0 is a lifetime. The time stays exactly as it is unless you change the days.`}
        {...form.field('expiry')}
      />
      <TextArea label={t`Notes`} rows={3} maxLength={maxNotesLength} {...form.field('notes')} />
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
