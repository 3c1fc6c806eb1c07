import { t } from '@lingui/core/macro'
import { integerProblem } from '#contract/integer-problem.ts'
import { maxCredits } from '#features/credits/credits.rules.ts'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { call } from '#web/api/call.ts'
import { successText } from '#web/api/errors.ts'
import type { Problem } from '#web/form/use-problem-text.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { notify } from '#web/browser/notify.ts'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { CreditHistory } from './credit-history.tsx'
import { type AssignedApp, type Reseller, refreshResellers } from './resellers-data.ts'

interface CreditsDialogProps {
  reseller: Reseller
  /** Initially selected app. */
  appName?: string | undefined
  onClose: () => void
}

type CreditAction = 'add' | 'set'

const minOf: Record<CreditAction, number> = { add: 1, set: 0 }

/** Adds or sets the credits of one app; the level is recorded with the transaction. */
export function CreditsDialog({ reseller, appName, onClose }: CreditsDialogProps) {
  const { id, username, assignedApps } = reseller
  const form = useSaveForm({
    start: {
      action: 'add' as CreditAction,
      appName: appName ?? assignedApps[0]?.appName ?? '',
      amount: undefined as number | undefined,
      subscriptionLevel: '',
    },
    isNew: true,
    problems: ({ action, amount }) => ({ amount: amountProblem(amount, action) }),
    send: ({ body, idempotencyKey }) => {
      const input = { params: { id }, body: bodyOf(body), idempotencyKey }
      return body.action === 'add'
        ? call('POST /resellers/{id}/credits/add', input)
        : call('POST /resellers/{id}/credits/set', input)
    },
    failure: t`Failed to update credits`,
    onSaved: async (reply) => {
      notify.success(successText(reply))
      onClose()
      await refreshResellers()
    },
  })
  const app = assignedApps.find((each) => each.appName === form.values.appName)
  const { action, amount } = form.values
  const named = app ? assignedApps : [...assignedApps, { appName: form.values.appName }]
  const credits = app?.credits ?? 0
  const isPossible = amount !== undefined && amountProblem(amount, action) === undefined
  const outcome = isPossible ? (action === 'add' ? credits + amount : amount) : undefined
  return (
    <FormDialog
      title={t`Credits of ${username}`}
      submitLabel={action === 'add' ? t`Add credits` : t`Set credits`}
      {...form.dialog}
      onClose={onClose}
    >
      <SelectField
        label={t`App`}
        options={named.map((each) => ({ value: each.appName, label: each.appName, isName: true }))}
        {...form.field('appName')}
      />
      <RadioGroup
        legend={t`Action`}
        value={action}
        onChange={form.field('action').onChange}
        options={[
          { value: 'add', label: t`Add`, help: t`Adds to the current balance.` },
          { value: 'set', label: t`Set`, help: t`Replaces the current balance.` },
        ]}
      />
      <NumberField
        label={t`Credits`}
        required
        min={minOf[action]}
        max={maxCredits}
        suffix={<Outcome before={credits} after={outcome} />}
        {...form.field('amount')}
      />
      {app && <LevelField app={app} {...form.field('subscriptionLevel')} />}
      <ShowApiCall calls={() => [apiCallOf(id, action, bodyOf(form.body))]} />
      <Disclosure label={t`History`}>
        {() => <CreditHistory resellerId={id} appName={form.values.appName} apps={assignedApps} />}
      </Disclosure>
    </FormDialog>
  )
}

const bodyOf = (values: { appName: string; amount: number | undefined; subscriptionLevel: string }) => ({
  appName: values.appName,
  amount: values.amount ?? 0,
  ...(values.subscriptionLevel !== '' && { subscriptionLevel: Number(values.subscriptionLevel) }),
})

const apiCallOf = (id: string, action: CreditAction, body: ReturnType<typeof bodyOf>) =>
  action === 'add'
    ? apiCall('POST /resellers/{id}/credits/add', { params: { id }, body, idempotencyKey: true })
    : apiCall('POST /resellers/{id}/credits/set', { params: { id }, body, idempotencyKey: true })

const amountProblem = (amount: number | undefined, action: CreditAction): Problem | undefined =>
  Number.isInteger(amount)
    ? integerProblem(amount, t`Credits`, { min: minOf[action], max: maxCredits })
    : { code: 'CREDITS_INVALID' }

const number = (value: number) => value.toLocaleString(document.documentElement.lang)

function Outcome({ before, after = before }: { before: number; after: number | undefined }) {
  const [from, to] = [number(before), number(after)]
  return <span className="text-violet tabular-nums">{after === before ? t`${from} now` : t`${from} → ${to}`}</span>
}

interface LevelFieldProps {
  app: AssignedApp
  name: string
  value: string
  onChange: (event: { target: { value: string } }) => void
}

const LevelField = ({ app, ...field }: LevelFieldProps) => (
  <SelectField
    label={t`Subscription level`}
    help={t`Shown in the history only: credits work for every level.`}
    placeholder={t`None`}
    options={Object.entries(app.subscriptions).map(([level, { name }]) => ({
      value: level,
      label: `${level} · ${name}`,
      isName: true,
    }))}
    {...field}
  />
)
