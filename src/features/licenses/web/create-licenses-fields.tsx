import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { useProblemText } from '#web/form/use-problem-text.ts'
import { paths } from '#web/paths.ts'
import { useTicking } from '#web/time/clock.ts'
import { dateTimeText } from '#web/time/time-text.ts'
import { useTimeZone } from '#web/time/time-zone.ts'
import { NumberField } from '#web/ui/number-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { SwitchRow } from '#web/ui/switch-row.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import {
  amountRange,
  type createProblem,
  type CreateField,
  createUnits,
  expirySeconds,
  type LicenseSpec,
  maxNotesLength,
} from '../licenses.rules.ts'
import { MaskPreview } from './mask-preview.tsx'
import { unitOptions } from './unit-options.ts'
import { useLevels } from './use-levels.ts'

interface CreateLicensesFieldsProps {
  form: LicenseSpec
  onChange: (change: Partial<LicenseSpec>) => void
  problem: ReturnType<typeof createProblem>
}

const amounts = [1, 10, 100, 1000]

export function CreateLicensesFields({ form, onChange, problem }: CreateLicensesFieldsProps) {
  const { options, failure } = useLevels()
  const problemText = useProblemText()
  const of = (field: CreateField) => (problem?.field === field ? problemText(problem) : undefined)
  const lifetime = form.expiryUnit === 'lifetime'
  const seconds = expirySeconds(form)
  const timeZone = useTimeZone()
  const ends = useTicking((now) => (seconds > 0 ? dateTimeText(now + seconds, timeZone) : ''))
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
        <NumberField
          label={t`Amount`}
          name="amount"
          required
          {...amountRange}
          value={Number.isNaN(form.amount) ? undefined : form.amount}
          onChange={(amount) => onChange({ amount: amount ?? Number.NaN })}
          error={of('amount')}
        />
        <div role="group" aria-label={t`Amounts`} className={`flex gap-1 ${of('amount') ? 'mb-5.5' : ''}`}>
          {amounts.map((amount) => (
            <button
              key={amount}
              type="button"
              aria-pressed={form.amount === amount}
              onClick={() => onChange({ amount })}
              className="h-8 rounded-md border border-line px-2 text-meta text-text-2 tabular-nums hover:border-line-strong hover:text-text aria-pressed:bg-surface-3 aria-pressed:text-text pointer-coarse:h-11"
            >
              {amount.toLocaleString(document.documentElement.lang || 'en')}
            </button>
          ))}
        </div>
      </div>
      <TextField
        label={t`License mask`}
        name="mask"
        mono
        required
        autoComplete="off"
        spellCheck={false}
        help={t`# stands for a random character; everything else stays as it is.`}
        value={form.mask}
        onChange={(event) => onChange({ mask: event.target.value })}
        error={of('mask')}
      />
      <MaskPreview {...form} />
      <SwitchRow
        label={t`Uppercase letters`}
        checked={form.uppercase}
        onChange={(uppercase) => onChange({ uppercase })}
      />
      <SwitchRow
        label={t`Lowercase letters`}
        checked={form.lowercase}
        onChange={(lowercase) => onChange({ lowercase })}
      />
      <SelectField
        label={t`Subscription`}
        name="subscription"
        required
        placeholder={t`Select a subscription`}
        options={options ?? []}
        value={form.level ?? ''}
        onChange={(event) => onChange({ level: Number(event.target.value) || undefined })}
        help={
          options?.length === 0 && (
            <Link to={paths.subscriptions()} className="underline underline-offset-2">
              {t`This app has no subscription yet. Create one first.`}
            </Link>
          )
        }
        error={failure ?? of('subscription')}
      />
      <div className="flex flex-wrap items-start gap-3">
        <NumberField
          label={t`Duration`}
          name="duration"
          required={!lifetime}
          min={1}
          disabled={lifetime}
          value={lifetime ? undefined : form.duration}
          onChange={(duration) => onChange({ duration })}
          error={of('duration')}
        />
        <SelectField
          label={t`Unit`}
          className="min-w-36 grow"
          options={unitOptions(createUnits)}
          value={form.expiryUnit}
          onChange={(event) => onChange({ expiryUnit: event.target.value as LicenseSpec['expiryUnit'] })}
        />
        <p className="basis-full text-meta text-text-2" aria-live="polite">
          {lifetime ? t`Never expires` : ends && t`→ redeemed now, it expires ${ends}`}
        </p>
      </div>
      <TextArea
        label={t`Notes`}
        rows={2}
        maxLength={maxNotesLength}
        value={form.notes}
        onChange={(event) => onChange({ notes: event.target.value })}
      />
    </div>
  )
}
