import { plural, t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { unitSeconds } from '#contract/duration.ts'
import { apiCall } from '#web/api-call/api-call.ts'
import { selectedAppStore } from '#web/api/app-selection.ts'
import { ApiCallView } from '#web/api-call/api-call-view.tsx'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { call } from '#web/api/call.ts'
import { successText } from '#web/api/errors.ts'
import type { SaveForm } from '#web/form/save-form.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { notify } from '#web/browser/notify.ts'
import { paths } from '#web/navigation/paths.ts'
import type { App } from '#web/session/session.ts'
import { useTicking } from '#web/time/clock.ts'
import { dateTimeText, durationText } from '#web/time/time-text.ts'
import { useTimeZone } from '#web/browser/time-zone.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { KeysSheet } from '#web/ui/keys-sheet.tsx'
import { besideInput, NumberField } from '#web/ui/number-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { roomLeft, usePlanUsage } from '#features/plans/web/plan-limit-notice.tsx'
import { PlanLink } from '#features/plans/web/plan-link.tsx'
import { useIsPhone } from '#web/browser/use-media.ts'
import {
  amountRange,
  createProblem,
  createUnits,
  defaultDurationDays,
  defaultMask,
  durationProblem,
  expirySeconds,
  maxNotesLength,
} from '../licenses.rules.ts'
import { type License, licenseList, unitOptions, useLevels, withLevel } from './licenses-data.ts'
import { useNoteAtOnce } from './license-note.ts'
import { notifyEdited } from './license-undo.ts'
import { MaskFields } from './mask-fields.tsx'

type CreateUnit = (typeof createUnits)[number]

interface NewLicenses {
  amount: number
  mask: string
  uppercase: boolean
  lowercase: boolean
  subscription: number | undefined
  expiryUnit: CreateUnit
  duration: number | undefined
  notes: string
}

const newLicenses: NewLicenses = {
  amount: 1,
  mask: defaultMask,
  uppercase: true,
  lowercase: true,
  subscription: undefined,
  expiryUnit: 'days',
  duration: defaultDurationDays,
  notes: '',
}

type CreateFields = ReturnType<typeof toCreateFields>

const toCreateFields = (stored: NewLicenses) => ({
  ...stored,
  amount: stored.amount as number | undefined,
  subscription: String(stored.subscription ?? ''),
})

const toNewLicenses = (values: CreateFields): NewLicenses => ({
  ...values,
  amount: values.amount ?? 0,
  subscription: Number(values.subscription) || undefined,
  duration: values.expiryUnit === 'lifetime' ? undefined : values.duration,
})

/** Creates keys and shows them; the equivalent API call is shown next to the fields. */
interface CreateLicensesFormProps {
  app: App
  /** How many licenses the app has; undefined while unknown. */
  used: number | undefined
  onClose: () => void
}

export function CreateLicensesForm({ app, used, onClose }: CreateLicensesFormProps) {
  const { appName, appId } = app
  const [tab, setTab] = useState('form')
  const room = roomLeft(used, usePlanUsage()?.limits.max_licenses_per_app)
  const isPhone = useIsPhone()
  const levels = useLevels()
  const onlyLevel = levels.options?.length === 1 ? (levels.options[0]?.value ?? '') : ''
  // Chosen for the owner, without making the form one with changes.
  const toBody = (values: CreateFields) => toNewLicenses({ ...values, subscription: values.subscription || onlyLevel })
  const form = useSaveForm({
    start: newLicenses,
    isNew: true,
    toForm: toCreateFields,
    toBody,
    problems: (values) => {
      const body = toBody(values)
      const problem = createProblem({ ...body, level: body.subscription })
      return problem?.field ? { [problem.field]: problem } : {}
    },
    send: ({ body, idempotencyKey }) =>
      call('POST /create_licenses', { body: { appName, ...body }, appId, idempotencyKey }),
    failure: t`Failed to create licenses`,
    failureWithCause: (message) => t`Failed to create licenses: ${message}`,
    onSaved: () => licenseList.refresh(),
  })
  const { saved } = form
  if (saved) {
    const { licenses: keys } = saved
    const count = keys.length
    // Only now, because on a phone a toast would cover the buttons of the sheet.
    const finish = () => {
      notify.success(successText(saved))
      onClose()
    }
    return (
      <KeysSheet
        title={plural(count, { one: '# license created', other: '# licenses created' })}
        description={plural(keys.length, {
          one: 'You can also find it in the list.',
          other: 'You can also find them in the list.',
        })}
        label={t`Created license keys`}
        keys={keys}
        copyLabel={t`Copy all`}
        fileName={`licenses-${appName}`}
        offer={{ appName, length: lengthOf(form.body) }}
        onClose={finish}
      />
    )
  }

  const submit = () => {
    // The tab that shows the errors.
    setTab('form')
    form.dialog.onSubmit()
  }
  const fields = <CreateFieldset form={form} levels={levels} onlyLevel={onlyLevel} room={room} />
  const body = { appName, ...form.body }
  const count = Math.max(body.amount, 1)
  const isTooMany = room !== undefined && count > room
  const shown = <ApiCallView calls={[apiCall('POST /create_licenses', { body, appId, idempotencyKey: true })]} />
  return (
    <FormDialog
      title={t`Create licenses`}
      size="lg"
      aside={isTooMany && <LimitNote room={room} />}
      blockedReason={isTooMany ? roomText(room) : undefined}
      submitLabel={plural(count, { one: 'Create license', other: 'Create # licenses' })}
      {...form.dialog}
      onSubmit={submit}
      onClose={onClose}
    >
      {isPhone ? (
        <Tabs
          label={t`Create licenses`}
          value={tab}
          onChange={setTab}
          tabs={[
            { value: 'form', label: t`Form`, content: fields },
            { value: 'call', label: t`Show as API call`, content: shown },
          ]}
        />
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,360px)] gap-6">
          {fields}
          <div className="flex min-w-0 flex-col gap-2">
            <h3 className="text-ui font-medium">{t`Show as API call`}</h3>
            {shown}
          </div>
        </div>
      )}
    </FormDialog>
  )
}

/** Undefined for licenses that never expire. */
function lengthOf(created: NewLicenses): string | undefined {
  const seconds = expirySeconds(created)
  return seconds === 0 ? undefined : durationText(seconds)
}

const amounts = [1, 10, 100, 1000]

interface CreateFieldsetProps {
  form: SaveForm<NewLicenses, CreateFields, unknown>
  levels: ReturnType<typeof useLevels>
  /** The value of the only level; empty if there are several. */
  onlyLevel: string
  /** How many more licenses the plan allows; undefined without a limit. */
  room: number | undefined
}

function roomText(room: number): string {
  return plural(room, {
    one: 'Your plan has room for # more license in this app.',
    other: 'Your plan has room for # more licenses in this app.',
  })
}

const LimitNote = ({ room }: { room: number }) => (
  <p aria-live="polite" className="text-ui text-danger">
    {roomText(room)} <PlanLink />
  </p>
)

function CreateFieldset({ form, levels: { options, failure }, onlyLevel, room }: CreateFieldsetProps) {
  const { body } = form
  const amount = form.field('amount')
  const subscription = form.field('subscription')
  const duration = form.field('duration')
  const isLifetime = body.expiryUnit === 'lifetime'
  const seconds = expirySeconds(body)
  const timeZone = useTimeZone()
  const ends = useTicking((now) => (seconds > 0 ? dateTimeText(now + seconds, timeZone) : ''))
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="flex items-start gap-3">
        <NumberField label={t`Amount`} required {...amountRange} {...amount} className="w-36 pointer-coarse:w-44" />
        <div role="group" aria-label={t`Amounts`} className={`flex gap-1 ${besideInput}`}>
          {amounts
            .filter((each) => room === undefined || each <= room)
            .map((each) => (
              <button
                key={each}
                type="button"
                aria-pressed={amount.value === each}
                onClick={() => amount.onChange(each)}
                className="h-8 rounded-md border border-line px-2 text-meta text-text-2 tabular-nums hover:border-line-strong hover:text-text aria-pressed:bg-surface-3 aria-pressed:text-text pointer-coarse:h-11"
              >
                {each.toLocaleString(document.documentElement.lang || 'en')}
              </button>
            ))}
        </div>
      </div>
      <MaskFields form={form} />
      <SelectField
        label={t`Subscription`}
        required
        placeholder={t`Select a subscription`}
        options={options ?? []}
        help={
          options?.length === 0 && (
            <Link to={paths.subscriptions()} className="underline underline-offset-2">
              {t`This app has no subscription yet. Create one first.`}
            </Link>
          )
        }
        {...subscription}
        value={subscription.value || onlyLevel}
        error={failure ?? subscription.error}
      />
      <div className="flex flex-wrap items-start gap-3">
        <NumberField
          label={t`Duration`}
          required={!isLifetime}
          min={1}
          disabled={isLifetime}
          {...duration}
          value={isLifetime ? undefined : duration.value}
        />
        <SelectField
          label={t`Unit`}
          className="min-w-36 grow"
          options={unitOptions(createUnits)}
          {...form.field('expiryUnit')}
        />
        <p className="basis-full text-meta text-text-2" aria-live="polite">
          {isLifetime ? t`Never expires` : ends && t`→ if redeemed now, expires ${ends}`}
        </p>
      </div>
      <TextArea label={t`Notes`} rows={2} maxLength={maxNotesLength} {...form.field('notes')} />
    </div>
  )
}

interface StoredFields {
  subscription: number
  /** Seconds; 0 for a lifetime license. */
  expiry: number
  notes: string
}

/** Whole days, rounded up, because 0 means a lifetime license. */
const daysOf = (seconds: number) => Math.ceil(seconds / unitSeconds.days)

/** Edits a license; the key cannot be changed. */
export function EditLicenseForm({ license, onClose }: { license: License; onClose: () => void }) {
  const { options, failure } = useLevels()
  const timeZone = useTimeZone()
  // The list may be refetched behind the dialog; the form keeps the values it opened with.
  const [opened] = useState(license)
  const [appId] = useState(() => selectedAppStore.get()?.appId)
  const { license: licenseKey, level, subscription, notes, expiry } = opened
  const levels = withLevel(options, String(level), subscription.name)
  const note = useNoteAtOnce(opened, onClose)
  const form = useSaveForm({
    start: { subscription: level, expiry, notes },
    isNew: false,
    toForm: (stored: StoredFields) => ({
      ...stored,
      subscription: String(stored.subscription),
      expiry: daysOf(stored.expiry) as number | undefined,
    }),
    toBody: (values) => ({
      ...values,
      subscription: Number(values.subscription),
      // An unchanged field keeps the exact duration, which may not be a whole number of days.
      expiry: values.expiry === daysOf(expiry) ? expiry : (values.expiry ?? 0) * unitSeconds.days,
    }),
    problems: ({ expiry: days }) => ({ expiry: days === 0 ? undefined : durationProblem(days, 'days') }),
    draft: note.draft,
    sendAtOnce: note.send,
    send: ({ changes, before }) => call('POST /update_license', { body: { licenseKey, ...changes, before } }),
    failure: t`Failed to update license`,
    texts: {
      subscription: (value) => withLevel(levels, value).find((option) => option.value === value)?.label ?? value,
      expiry: (days) => (days === undefined ? '' : durationText(days * unitSeconds.days)),
    },
    onSaved: async (reply) => {
      notifyEdited(reply, appId)
      note.close()
      await licenseList.refresh()
    },
    onUnchanged: note.close,
  })
  const chosen = form.field('subscription')
  const days = form.field('expiry')
  const isShown = days.value !== undefined && days.value >= 0
  return (
    <FormDialog title={t`Edit license`} submitLabel={t`Save Changes`} {...form.dialog} onClose={note.close}>
      <TextField
        label={t`License key`}
        mono
        readOnly
        help={t`A key can't be changed.`}
        value={licenseKey}
        suffix={<CopyButton text={licenseKey} label={t`Copy license key`} />}
      />
      <SelectField
        label={t`Subscription`}
        required
        options={withLevel(levels, chosen.value)}
        {...chosen}
        error={failure ?? chosen.error}
      />
      <NumberField
        label={t`Expiry in days`}
        required
        min={0}
        suffix={isShown && expiryText(opened, form.body.expiry, timeZone)}
        help={t`0 = lifetime. Leave it unchanged to keep the current time.`}
        {...days}
      />
      <TextArea label={t`Notes`} rows={3} maxLength={maxNotesLength} {...form.field('notes')} />
      <ShowApiCall
        calls={() => form.changes && [apiCall('POST /update_license', { body: { licenseKey, ...form.changes } })]}
      />
    </FormDialog>
  )
}

function expiryText({ usedAt }: License, expiry: number, timeZone: string): string {
  const length = durationText(expiry)
  if (expiry === 0) return length
  if (usedAt === null) return t`${length} after redemption`
  const ends = dateTimeText(usedAt + expiry, timeZone)
  return t`${length} → expires ${ends}`
}
