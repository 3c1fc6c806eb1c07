import { plural, t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { unitSeconds } from '#contract/duration.ts'
import { amountRange, defaultMask, maskProblem, maxNotesLength } from '#features/licenses/licenses.rules.ts'
import { planPrice } from '#features/resellers/resellers.rules.ts'
import { MaskFields } from '#features/licenses/web/mask-fields.tsx'
import type { AssignedApp } from './assigned-apps.ts'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { call } from '#web/api/call.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { CallFailed } from '#web/api/call-failed.ts'
import { successText } from '#web/api/errors.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { notify } from '#web/browser/notify.ts'
import { paths } from '#web/navigation/paths.ts'
import { CreditsAsOf } from './credits-left.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import type { KeyOffer } from '#web/ui/key-message.ts'
import { KeysSheet } from '#web/ui/keys-sheet.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { creditsMoved, daysText, levelOptions, planOptions, saleStart } from './reseller-data.ts'

interface NewKeys {
  subscriptionLevel: number
  plan: string
  amount: number
  mask: string
  lowercase: boolean
  uppercase: boolean
  notes: string
}

const toFields = (stored: NewKeys) => ({
  ...stored,
  subscriptionLevel: String(stored.subscriptionLevel),
  amount: stored.amount as number | undefined,
})

const toBody = (values: ReturnType<typeof toFields>): NewKeys => ({
  ...values,
  subscriptionLevel: Number(values.subscriptionLevel),
  amount: values.amount ?? 0,
})

const isAmount = (amount: number) => Number.isInteger(amount) && amount >= amountRange.min && amount <= amountRange.max

function useGenerateForm(app: AssignedApp, plan?: string) {
  const { appName, appId } = app
  return useSaveForm({
    start: {
      ...saleStart(app, plan),
      amount: 1,
      mask: defaultMask,
      lowercase: true,
      uppercase: true,
      notes: '',
    },
    isNew: true,
    toForm: toFields,
    toBody,
    problems: (values) => {
      const body = toBody(values)
      return {
        amount: isAmount(body.amount) ? undefined : { code: 'AMOUNT_INVALID' },
        plan: body.plan === '' ? { code: 'PLAN_REQUIRED' } : undefined,
        mask: isAmount(body.amount) || body.mask.trim() === '' ? maskProblem(body) : undefined,
      }
    },
    send: async ({ body, idempotencyKey }) => {
      const sale = { appName, ...body, expectedCost: costOf(app, body) }
      try {
        return await call('POST /reseller/licenses/create', { body: sale, appId, idempotencyKey })
      } catch (error) {
        // After a rejection over the price, or without a response, the displayed price and credits may be wrong.
        void creditsMoved()
        throw error
      }
    },
    failure: (error) =>
      error instanceof CallFailed && error.status > 0
        ? t`Failed to generate license`
        : t`Failed to generate license. Try again when you're back online: nothing is sold twice.`,
    onSaved: creditsMoved,
  })
}

/** What the form shows and expects to be charged. */
const costOf = (app: AssignedApp, { plan, amount }: { plan: string; amount: number }): number =>
  (planPrice(app, plan) ?? 0) * (isAmount(amount) ? amount : 0)

interface GenerateFormProps {
  app: AssignedApp
  /** The plan to start with; by default what was sold last. */
  plan?: string | undefined
  onClose: () => void
}

/** Creates licenses for credits, then shows the keys. */
export function GenerateForm({ app, plan, onClose }: GenerateFormProps) {
  const form = useGenerateForm(app, plan)
  if (form.saved) {
    const offer = { appName: app.appName, length: daysText(Number(form.body.plan) * unitSeconds.days) }
    return <GeneratedKeys offer={offer} reply={form.saved} onClose={onClose} />
  }
  const price = costOf(app, form.body)
  const amount = form.field('amount')
  const count = Math.max(form.body.amount, 1)
  return (
    <FormDialog
      title={t`Generate License`}
      submitLabel={plural(count, { one: 'Generate License', other: 'Generate # Licenses' })}
      aside={<Price app={app} plan={form.body.plan} amount={form.body.amount} />}
      blockedReason={price > app.credits ? tooMuchText(price, app.credits) : undefined}
      {...form.dialog}
      onClose={onClose}
    >
      <SelectField
        label={t`Plan duration`}
        required
        placeholder={t`Select a plan`}
        options={planOptions(app, form.values.plan)}
        {...form.field('plan')}
      />
      <SelectField
        label={t`Subscription`}
        required
        options={levelOptions(app, form.values.subscriptionLevel)}
        {...form.field('subscriptionLevel')}
      />
      <NumberField label={t`Amount`} required {...amountRange} {...amount} />
      <MaskFields form={form} />
      <TextArea label={t`Notes`} rows={2} maxLength={maxNotesLength} {...form.field('notes')} />
      <ShowApiCall
        calls={() => {
          const body = { appName: app.appName, ...form.body }
          return [apiCall('POST /reseller/licenses/create', { body, appId: app.appId, idempotencyKey: true })]
        }}
      />
    </FormDialog>
  )
}

interface GeneratedKeysProps {
  offer: KeyOffer
  reply: CallReply<'POST /reseller/licenses/create'>
  onClose: () => void
}

function GeneratedKeys({ offer, reply, onClose }: GeneratedKeysProps) {
  const { licenses: keys } = reply
  const count = keys.length
  const left = number(reply.creditInfo.remainingCredits)
  // Only on close: on a phone, a toast would cover the sheet's buttons.
  const finish = () => {
    notify.success(successText(reply))
    notify.success(t`Credits remaining: ${left}`)
    onClose()
  }
  return (
    <KeysSheet
      title={plural(count, { one: '# license generated', other: '# licenses generated' })}
      description={
        <>
          <span className="block">{paidText(reply.creditInfo)}</span>
          {plural(count, {
            one: 'You can also find it in the list.',
            other: 'You can also find them in the list.',
          })}
        </>
      }
      label={t`Created license keys`}
      keys={keys}
      copyLabel={t`Copy All Keys`}
      copiedText={t`Keys copied to clipboard!`}
      closeLabel={t`OK`}
      fileName={`licenses-${offer.appName}`}
      offer={offer}
      onClose={finish}
    />
  )
}

/** The balance of the moment of the sale: other tabs may have moved credits since. */
function paidText({ cost, remainingCredits }: CallReply<'POST /reseller/licenses/create'>['creditInfo']): string {
  const paid = plural(cost, { one: '# credit', other: '# credits' })
  const left = plural(remainingCredits, { one: '# credit was left', other: '# credits were left' })
  return t`Paid with ${paid}; ${left}.`
}

const number = (value: number) => value.toLocaleString(document.documentElement.lang || 'en')

function tooMuchText(price: number, balance: number): string {
  const total = number(price)
  const credits = number(balance)
  return t`Costs ${total} credits; you have ${credits}`
}

/** The cost, shown next to the button. The server computes the actual price from the same data. */
function Price({ app, plan, amount }: { app: AssignedApp; plan: string; amount: number }) {
  if (plan === '' || !isAmount(amount)) return null
  const cost = planPrice(app, plan)
  if (cost === undefined) return null
  const price = cost * amount
  const isTooMuch = price > app.credits
  const total = number(price)
  const credits = number(app.credits)
  return (
    <p aria-live="polite" className={`text-ui tabular-nums ${isTooMuch ? 'text-danger' : 'text-text-2'}`}>
      {isTooMuch ? tooMuchText(price, app.credits) : t`Costs ${total} of ${credits} credits`}
      {isTooMuch && (
        <Link to={paths.resellerCredits()} className="block underline underline-offset-2">
          {t`How to get more credits`}
        </Link>
      )}
      <CreditsAsOf className="block text-meta text-warn" />
    </p>
  )
}
