import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { licenseList } from '#features/licenses/web/licenses-data.ts'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { call } from '#web/api/call.ts'
import { failureText, successText } from '#web/api/errors.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { DeleteDialog, type DeleteHandlers } from '#web/bulk/delete-dialog.tsx'
import { notify } from '#web/browser/notify.ts'
import { appsQuery } from '#web/session/session.ts'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { customPlanDays, type CustomPlanUnit } from '../resellers.rules.ts'
import { CreditsInput, planText } from './plan-board.tsx'
import { type AssignedApp, refreshResellers, type Reseller } from './resellers-data.ts'

interface AssignProps {
  reseller: Reseller
  onAssigned: (appName: string) => void
  onClose: () => void
}

/** Assigns another app; each app only once. Plans and levels are set on its card afterward. */
export function AssignAppDialog({ reseller, onAssigned, onClose }: AssignProps) {
  const { id, username, assignedApps } = reseller
  const { data: apps, error } = useQuery(appsQuery)
  const free = apps?.filter(({ appId }) => !assignedApps.some((each) => each.appId === appId))
  const form = useSaveForm({
    start: { appName: '', credits: 0 },
    isNew: true,
    problems: ({ appName }) => ({ appName: appName === '' ? t`Please select an app` : undefined }),
    send: ({ body, idempotencyKey }) => call('POST /resellers/{id}/apps', { params: { id }, body, idempotencyKey }),
    failure: t`Failed to assign app`,
    onSaved: async (reply) => {
      notify.success(successText(reply))
      onAssigned(form.values.appName)
      onClose()
      await refreshResellers()
    },
  })
  return (
    <FormDialog
      title={t`Assign an app to ${username}`}
      size="sm"
      submitLabel={t`Assign app`}
      {...form.dialog}
      error={error ? failureText(error, t`Failed to load apps`) : form.dialog.error}
      onClose={onClose}
    >
      <SelectField
        label={t`App`}
        required
        placeholder={t`Choose an app`}
        help={free?.length === 0 ? t`All your apps are already assigned.` : undefined}
        options={(free ?? []).map(({ appName }) => ({ value: appName, label: appName, isName: true }))}
        {...form.field('appName')}
      />
      <CreditsInput
        label={t`Credits`}
        help={t`Licenses are paid for with credits; you set the plans' costs next.`}
        value={form.values.credits}
        onChange={form.field('credits').onChange}
      />
      <ShowApiCall
        calls={() => [apiCall('POST /resellers/{id}/apps', { params: { id }, body: form.body, idempotencyKey: true })]}
      />
    </FormDialog>
  )
}

/** Removes an app; its licenses are kept unless you choose to delete them. */
export function RemoveAppDialog({
  reseller,
  app,
  ...handlers
}: DeleteHandlers & { reseller: Reseller; app: AssignedApp }) {
  const { id, username } = reseller
  const { appName, credits } = app
  const [deleteData, setDeleteData] = useState(false)
  const left = credits.toLocaleString(document.documentElement.lang)
  return (
    <DeleteDialog
      title={t`Remove ${appName} from ${username}?`}
      description={t`The reseller can no longer sell its licenses. Unspent credits are lost.`}
      impact={t`Unspent credits: ${left}`}
      isAll={deleteData}
      appName={appName}
      confirmLabel={t`Remove app`}
      send={() =>
        call('DELETE /resellers/{id}/apps/{app}', {
          params: { id, app: appName },
          query: { deleteData },
          body: { deleteData },
        })
      }
      refresh={() => Promise.all([refreshResellers(), deleteData && licenseList.refresh()])}
      failure={t`Failed to remove app`}
      {...handlers}
    >
      <CheckboxField
        label={t`Also delete its licenses and users`}
        help={t`Only those of this app and this reseller. Otherwise, the licenses stay valid.`}
        checked={deleteData}
        onChange={(event) => setDeleteData(event.target.checked)}
      />
    </DeleteDialog>
  )
}

interface CustomPlanProps {
  onCreated: (plan: string) => void
  onClose: () => void
}

/** Creates a plan with a custom length; it exists only on the page until allowed for an app. */
export function CustomPlanDialog({ onCreated, onClose }: CustomPlanProps) {
  const [duration, setDuration] = useState<number>()
  const [unit, setUnit] = useState<CustomPlanUnit>('days')
  const [isSubmitted, setIsSubmitted] = useState(false)
  const days = duration === undefined ? undefined : customPlanDays(duration, unit)
  const submit = () => {
    setIsSubmitted(true)
    if (days === undefined) return
    notify.success(t`Custom plan created! Now you can drag it to your allowed plans.`)
    onCreated(String(days))
    onClose()
  }
  const units = [
    { value: 'hours', label: t`Hours` },
    { value: 'days', label: t`Days` },
    { value: 'weeks', label: t`Weeks` },
    { value: 'months', label: t`Months` },
  ]
  return (
    <FormDialog
      title={t`Custom plan`}
      description={t`Plans are whole days: hours are rounded up, a month has 30 days.`}
      size="sm"
      submitLabel={t`Create plan`}
      busy={false}
      error={undefined}
      isDirty={duration !== undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <NumberField
        label={t`Duration`}
        required
        min={1}
        value={duration}
        onChange={setDuration}
        error={isSubmitted && days === undefined ? t`Please enter a valid duration` : undefined}
        suffix={days === undefined ? undefined : `= ${planText(String(days))}`}
      />
      <SelectField
        label={t`Unit`}
        value={unit}
        options={units}
        onChange={(event) => setUnit(event.target.value as CustomPlanUnit)}
      />
    </FormDialog>
  )
}
