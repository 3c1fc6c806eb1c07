import { t } from '@lingui/core/macro'
import { integerProblem } from '#contract/integer-problem.ts'
import { planFeatures } from '#contract/plan-features.ts'
import { nestedPlan, planLimitNames } from '#features/plans/plan-fields.rules.ts'
import { displayNameProblem, planNameProblem } from '#features/plans/plans.rules.ts'
import { call } from '#web/api/call.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { priceProblem, type WithEmptyNumbers } from '../number.rules.ts'
import type { AdminPlan } from './admin-data.ts'
import { onPlanSaved, savePlan } from './plan-undo.ts'
import { featureLabels } from '#features/plans/web/plan-labels.ts'

const newPlan = {
  name: '',
  displayName: '',
  price: 0,
  order: 0,
  active: true,
  max_apps: 1,
  max_users_per_app: 10,
  max_licenses_per_app: 25,
  max_variables_per_app: 3,
  max_storage_mb: 2,
  custom_variables: false,
  file_upload: false,
  advanced_analytics: false,
  priority_support: false,
  webhooks: false,
  bulk_operations: false,
  custom_branding: false,
}

type Fields = WithEmptyNumbers<typeof newPlan>
type Limit = (typeof planLimitNames)[number]

/** Creates or edits a plan; the name of an existing plan cannot be changed. */
export function PlanForm({ plan, onClose }: { plan?: AdminPlan; onClose: () => void }) {
  const { limits, features, ...fields } = plan ?? { limits: {}, features: {} }
  const labels = featureLabels()
  const limitLabels: Record<Limit, string> = {
    max_apps: t`Max apps`,
    max_users_per_app: t`Max users per app`,
    max_licenses_per_app: t`Max licenses per app`,
    max_variables_per_app: t`Max variables per app`,
    max_storage_mb: t`Max storage (MB)`,
  }
  const minOf = (name: Limit) => (name === 'max_storage_mb' ? 1 : -1)
  const form = useSaveForm({
    start: { ...newPlan, ...fields, ...limits, ...features } as Fields,
    isNew: plan === undefined,
    toBody: (values: Fields) => ({
      ...values,
      name: values.name.trim(),
      displayName: values.displayName.trim(),
    }),
    toForm: (stored: Fields) => stored,
    problems: (values) => ({
      name: plan ? undefined : planNameProblem(values.name.trim()),
      displayName: displayNameProblem(values.displayName.trim()),
      price: priceProblem(values.price, t`Price`),
      order: integerProblem(values.order, t`Order`, { min: 0 }),
      ...Object.fromEntries(
        planLimitNames.map((name) => [name, integerProblem(values[name], limitLabels[name], { min: minOf(name) })]),
      ),
    }),
    send: async ({ body, changes, before, idempotencyKey }) => {
      if (plan) return savePlan(plan.name, { changes: nestedPlan(changes), before: nestedPlan(before) })
      const { name, displayName } = body
      const created = { ...nestedPlan(body), name, displayName }
      const reply = await call('POST /admin/plans', { body: created, idempotencyKey })
      return { ...reply, undo: undefined }
    },
    failure: plan ? t`Failed to update plan` : t`Failed to create plan`,
    onSaved: (reply) => {
      onPlanSaved(reply)
      onClose()
    },
    onUnchanged: onClose,
  })
  const { name, displayName } = form.values
  const planName = plan?.displayName ?? ''
  const title = plan ? t`Edit ${planName}` : t`Create Plan`
  return (
    <FormDialog
      title={title}
      submitLabel={plan ? t`Save Changes` : t`Create Plan`}
      blockedReason={name.trim() === '' || displayName.trim() === '' ? t`Enter both names` : undefined}
      {...form.dialog}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t`Name`}
          required
          mono
          readOnly={plan !== undefined}
          help={plan ? t`It cannot be changed.` : t`Letters, digits, hyphens and underscores; can't be changed later.`}
          {...form.field('name')}
        />
        <TextField label={t`Display name`} required {...form.field('displayName')} />
        <NumberField label={t`Price`} min={0} step={0.01} suffix={t`$ per month`} {...form.field('price')} />
        <NumberField label={t`Order`} min={0} help={t`Its position among the plans.`} {...form.field('order')} />
      </div>
      <CheckboxField
        label={t({ message: 'Active', context: 'plan' })}
        help={t`Offered to owners. Owners who already have the plan keep it.`}
        {...form.checkbox('active')}
      />
      <fieldset className="grid gap-4 sm:grid-cols-2">
        <legend className="mb-2 text-ui font-semibold">{t`Limits`}</legend>
        {planLimitNames.map((limit) => (
          <NumberField
            key={limit}
            label={limitLabels[limit]}
            min={minOf(limit)}
            help={limit === 'max_storage_mb' ? undefined : t`-1 is unlimited`}
            {...form.field(limit)}
          />
        ))}
      </fieldset>
      <fieldset className="grid gap-3 sm:grid-cols-2">
        <legend className="mb-2 text-ui font-semibold">{t`Features`}</legend>
        {planFeatures.map((feature) => (
          <CheckboxField key={feature} label={labels[feature]} {...form.checkbox(feature)} />
        ))}
      </fieldset>
    </FormDialog>
  )
}
