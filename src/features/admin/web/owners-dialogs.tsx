import { plural, t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { freePlan, unlimitedPlan } from '#features/plans/plans.rules.ts'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/errors.ts'
import { ConfirmCall } from '#web/form/confirm-call.tsx'
import { useTimeZone } from '#web/browser/time-zone.ts'
import { dateTimeText } from '#web/time/time-text.ts'
import { priceText } from '#web/ui/price-text.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { type AdminOwner, adminPlansQuery, notifyPlanChange, refreshOwners, setOwnerBanned } from './admin-data.ts'
import { withFree } from './plan-options.ts'

/** The unlimited plan is only for administrators and is not sold. */
const ownPlans = ({ role }: AdminOwner) =>
  role === 'admin' ? [{ value: unlimitedPlan.name, label: t`Unlimited` }] : []

/** The plan in force, until another one is chosen. */
function presentText({ planDisplayName: plan, planExpiresAt }: AdminOwner, timeZone: string): string {
  if (planExpiresAt === null) return t`Now on ${plan}, without an end.`
  const end = dateTimeText(planExpiresAt, timeZone)
  return t`Now on ${plan} until ${end}.`
}

/** Explains the effect of the change; plans of this kind do not expire. */
const changeText = (planType: string): string =>
  planType === freePlan.name || planType === unlimitedPlan.name
    ? t`The plan updates immediately and does not expire.`
    : t`The plan updates immediately and expires in 30 days. Then the owner returns to Free.`

function planLabel(displayName: string, price: number): string {
  const amount = priceText(price)
  return t`${displayName} (${amount}/month)`
}

/** Changes the plan immediately; paid plans expire after 30 days. Options are shown as "displayName ($price/month)". */
export function ChangePlanDialog({ owner, onClose }: { owner: AdminOwner; onClose: () => void }) {
  const { data: plans, error: loadError } = useQuery(adminPlansQuery)
  const [planType, setPlanType] = useState('')
  const timeZone = useTimeZone()
  const change = useMutation({
    mutationFn: () => call('POST /admin/owners/{id}/plan', { params: { id: owner.ownerid }, body: { planType } }),
    onSuccess: async (reply) => {
      notifyPlanChange(owner, { ...reply, planType })
      onClose()
      await refreshOwners()
    },
  })
  const loadFailure = loadError ? failureText(loadError, t`Failed to load plans`) : undefined
  return (
    <FormDialog
      title={t`Change plan`}
      description={planType === '' ? presentText(owner, timeZone) : changeText(planType)}
      size="sm"
      submitLabel={t`Update plan`}
      blockedReason={planType === '' ? t`Choose a plan` : undefined}
      busy={change.isPending}
      error={change.error ? failureText(change.error, t`Failed to update owner plan`) : loadFailure}
      isDirty={planType !== ''}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <TextField label={t`Owner`} value={owner.username} readOnly />
      <SelectField
        label={t`Plan`}
        value={planType}
        placeholder={t`Choose a plan`}
        onChange={(event) => setPlanType(event.target.value)}
        options={[
          ...(plans ? withFree(plans) : [])
            .filter(({ active }) => active)
            .map(({ name, displayName, price }) => ({ value: name, label: planLabel(displayName, price) })),
          ...ownPlans(owner),
        ]}
      />
    </FormDialog>
  )
}

/** Its customers can't start their programs while the owner is banned, so the name must be typed if there are any. */
export function BanOwnerDialog({ owner, onClose }: { owner: AdminOwner; onClose: () => void }) {
  const { username, stats } = owner
  const ban = () => {
    void setOwnerBanned(owner, true)
    onClose()
  }
  const users = plural(stats.users, { one: '# user', other: '# users' })
  const licenses = plural(stats.licenses, { one: '# license', other: '# licenses' })
  return (
    <ConfirmDialog
      title={t`Ban ${username}?`}
      description={t`The owner is signed out, and all programs and seller keys are rejected until you unban the owner.`}
      impact={plural(stats.apps, {
        0: 'The owner has no apps.',
        one: `# app with ${users} and ${licenses} stops working.`,
        other: `# apps with ${users} and ${licenses} stop working.`,
      })}
      {...(stats.users > 0 && { typedName: username, typedLabel: t`Username` })}
      confirmLabel={t`Ban`}
      onConfirm={ban}
      onClose={onClose}
    />
  )
}

interface DeleteOwnerProps {
  owner: AdminOwner
  onDone: () => void
  onClose: () => void
}

export function DeleteOwnerDialog({ owner, onDone, onClose }: DeleteOwnerProps) {
  const { username, ownerid } = owner
  return (
    <ConfirmCall
      title={t`Delete ${username}?`}
      description={t`This action cannot be undone. There is no recovery.`}
      impact={
        <>
          <p>{t`All data of this owner is deleted:`}</p>
          <ul className="mt-1 list-disc pl-5">
            <li>{t`All apps, users and licenses`}</li>
            <li>{t`All subscriptions and variables`}</li>
            <li>{t`All API keys and sessions`}</li>
            <li>{t`All logs and analytics`}</li>
          </ul>
        </>
      }
      typedName={username}
      typedLabel={t`Username`}
      confirmLabel={t`Delete owner`}
      send={() => call('DELETE /admin/owners/{id}', { params: { id: ownerid } })}
      failure={t`Failed to delete owner`}
      onDone={onDone}
      refresh={refreshOwners}
      onClose={onClose}
    />
  )
}
