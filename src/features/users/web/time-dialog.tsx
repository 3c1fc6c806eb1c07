import { plural, t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type TimeUnit, timeUnits } from '#features/entitlements/entitlements.rules.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { batchFailureText } from '#web/batch-failure-text.ts'
import { notify } from '#web/notify.ts'
import { ResumableBatches } from '#web/resumable-batches.ts'
import { appKey } from '#web/query-keys.ts'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { ProgressLine } from '#web/ui/progress-line.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import {
  actOnUsers,
  bulkUserCalls,
  changeTimeOfUsers,
  type NameScan,
  targetCount,
  type UserBatches,
  type UserTarget,
} from './bulk-users.ts'
import { levelsQuery, refreshUsers } from './user-list.ts'

interface TimeDialogProps {
  act: 'extend' | 'subtract'
  target: UserTarget
  onDone: () => void
  onClose: () => void
}

const unitLabel = (unit: TimeUnit) =>
  ({ hours: t`Hours`, days: t`Days`, weeks: t`Weeks`, months: t`Months`, years: t`Years` })[unit]

/** Adds or takes time; says before sending how many it will pass over (part 1 §5, §8). */
export function TimeDialog({ act, target, onDone, onClose }: TimeDialogProps) {
  const [duration, setDuration] = useState<number | undefined>(30)
  const [unit, setUnit] = useState<TimeUnit>('days')
  const [level, setLevel] = useState('')
  const [extendExpired, setExtendExpired] = useState(false)
  const [submitted, setSubmitted] = useState(false)
  const { data: levels } = useQuery(levelsQuery())
  const isExtend = act === 'extend'
  const chosen = level || (isExtend ? String(levels?.subscriptions[0]?.level ?? '') : '')
  const options = (levels?.subscriptions ?? []).map(({ level: value, name }) => ({ value: String(value), label: name }))
  const wish = {
    action: act,
    duration: duration ?? 0,
    unit,
    ...(chosen && { subscription: Number(chosen) }),
    ...(isExtend && { extendExpired }),
  }
  const isWrong = duration === undefined || !Number.isInteger(duration) || duration < 1
  const preview = useQuery({
    queryKey: appKey('user-totals', target, wish),
    queryFn: () => actOnUsers(target, { ...wish, dryRun: true }),
    enabled: !isWrong && (!isExtend || chosen !== ''),
    gcTime: 0,
    retry: false,
  })
  const [running] = useState(() => ({
    batches: new ResumableBatches() as UserBatches,
    scan: { found: [] } as NameScan,
  }))
  const [progress, setProgress] = useState(0)
  const run = useMutation({
    mutationFn: () => changeTimeOfUsers(target, wish, { ...running, onProgress: setProgress }),
    onSuccess: async ({ done, skipped }) => {
      notify.success(plural(done, { one: '# user updated', other: '# users updated' }))
      const lacking = skipped.withoutSubscription
      const lackingText = plural(lacking, {
        one: '# user did not have the subscription and was skipped',
        other: '# users did not have the subscription and were skipped',
      })
      if (lacking > 0) notify.warning(lackingText)
      onDone()
      await refreshUsers()
    },
  })
  const failure = isExtend ? t`Failed to extend users` : t`Failed to subtract time`
  const count = targetCount(target)
  const title = isExtend
    ? plural(count, { one: 'Extend # user', other: 'Extend # users' })
    : plural(count, { one: 'Subtract time from # user', other: 'Subtract time from # users' })
  const submit = () => {
    setSubmitted(true)
    if (!isWrong) run.mutate()
  }
  return (
    <FormDialog
      title={title}
      size="sm"
      submitLabel={isExtend ? t`Extend` : t`Subtract`}
      busy={run.isPending}
      submitDisabled={preview.data?.done === 0}
      error={run.error ? batchFailureText(run.error, failure, progress) : undefined}
      onSubmit={submit}
      onClose={() => {
        if (progress > 0) void refreshUsers()
        onClose()
      }}
    >
      <SelectField
        label={t`Subscription`}
        required={isExtend}
        options={isExtend ? options : [{ value: '', label: t`All subscriptions` }, ...options]}
        value={chosen}
        onChange={(event) => setLevel(event.target.value)}
      />
      <div className="grid grid-cols-2 gap-3">
        <NumberField
          label={t`Duration`}
          required
          min={1}
          value={duration}
          onChange={setDuration}
          error={submitted && isWrong ? t`Please enter a duration` : undefined}
        />
        <SelectField
          label={t`Unit`}
          options={timeUnits.map((value) => ({ value, label: unitLabel(value) }))}
          value={unit}
          onChange={(event) => setUnit(event.target.value as TimeUnit)}
        />
      </div>
      {isExtend && (
        <CheckboxField
          label={t`Extend expired subscriptions from now`}
          help={t`Without this, users whose time is over are skipped.`}
          checked={extendExpired}
          onChange={(event) => setExtendExpired(event.target.checked)}
        />
      )}
      <p aria-live="polite" className="min-h-5 text-meta text-text-2">
        {preview.data && previewText(preview.data)}
      </p>
      {run.isPending ? (
        <ProgressLine label={title} done={progress} total={count} />
      ) : (
        <ShowApiCall calls={() => bulkUserCalls(target, wish)} sellerApi />
      )}
    </FormDialog>
  )
}

function previewText({ done, skipped }: Awaited<ReturnType<typeof actOnUsers>>): string {
  const parts = [plural(done, { one: 'Changes # user.', other: 'Changes # users.' })]
  const { withoutSubscription, expired, lifetime } = skipped
  if (withoutSubscription > 0) parts.push(t`Skips ${withoutSubscription} without the subscription.`)
  if (expired > 0) parts.push(t`Skips ${expired} whose time is over.`)
  if (lifetime > 0) parts.push(t`Skips ${lifetime} with a lifetime.`)
  return parts.join(' ')
}
