import { t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Pencil, Plus, Save, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { grantDays } from '#features/entitlements/entitlements.rules.ts'
import { variableProblem } from '#features/variables/variables.rules.ts'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { call } from '#web/api/call.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { failureText, successText } from '#web/api/errors.ts'
import type { Problem } from '#web/form/use-problem-text.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { notifyDone, undoOf } from '#web/bulk/bulk-toasts.ts'
import { notify, notifyUndoable } from '#web/browser/notify.ts'
import { useTicking } from '#web/time/clock.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { ButtonWithReason } from '#web/ui/button-with-reason.tsx'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { notifyChanged } from './user-undo.ts'
import { EntitlementTimeLeft } from './users-columns.tsx'
import { type EntitlementState, type User, userList, userSubscriptionsQuery, userUndo } from './users-data.ts'

/** Subscriptions and variables, beside each other where there is room. */
export function UserDetails({ user }: { user: User }) {
  return (
    <div className="@container">
      <div className="grid gap-6 @3xl:grid-cols-2">
        <section aria-label={t`Subscriptions of ${user.username}`} className="min-w-0">
          <h2 className="mb-2 text-ui font-semibold">{t`Subscriptions`}</h2>
          <Subscriptions user={user} />
        </section>
        <section aria-label={t`Variables of ${user.username}`} className="min-w-0">
          <h2 className="mb-2 text-ui font-semibold">{t`Variables`}</h2>
          <Variables user={user} />
        </section>
      </div>
    </div>
  )
}

function Subscriptions({ user }: { user: User }) {
  const { data, error } = useQuery(userSubscriptionsQuery(user.username))
  // Until they are loaded, the subscriptions from the list.
  const entitlements = data?.subscriptions ?? Object.values(user.subscriptions)
  return (
    <div className="flex flex-col gap-3">
      {entitlements.length === 0 ? (
        <p className="text-ui text-text-2">{t`No active subscriptions found.`}</p>
      ) : (
        <ul className="rounded-md border border-line bg-surface-1">
          {entitlements.map((each) => (
            <EntitlementRow key={each.level} user={user} entitlement={each} />
          ))}
        </ul>
      )}
      <AddSubscription
        username={user.username}
        available={data?.availableSubscriptions ?? []}
        error={error ? failureText(error, t`Failed to load user subscriptions`) : undefined}
      />
    </div>
  )
}

function EntitlementRow({ user, entitlement }: { user: User; entitlement: EntitlementState }) {
  const { username, paused } = user
  const { level, expiry, time_left: left } = entitlement
  const levelText = t`Level ${level}`
  const name = entitlement.name || levelText
  const [isChanging, setChanging] = useState(false)
  const restoring = { ...userUndo(), restoredText: () => t`Subscription restored` }
  const remove = useMutation({
    mutationFn: () => call('DELETE /user/{username}/subscriptions/{id}', { params: { username, id: level } }),
    onSuccess: (reply) => notifyDone({ done: successText(reply) }, restoring, undoOf(reply)),
    onError: (error) => notify.error(failureText(error, t`Failed to remove subscription`)),
    onSettled: userList.refresh,
  })
  const hasEnded = useTicking((now) => expiry !== null && expiry <= now)
  const isOver = left !== null && (paused ? left <= 0 : hasEnded)
  return (
    <li className="border-t border-line px-3 py-1.5 first:border-t-0">
      <div className="flex flex-wrap items-center gap-x-3">
        <span className="min-w-24 grow truncate text-ui">
          {name} {entitlement.name && <span className="ml-1 text-meta text-text-2">{levelText}</span>}
        </span>
        <span className="min-w-0 text-meta tabular-nums">
          <EntitlementTimeLeft expiry={expiry} time_left={left} paused={paused} />
        </span>
        {isOver ? (
          <Badge tone="warn" dot="dashed">
            {t({ message: 'Expired', context: 'subscription' })}
          </Badge>
        ) : (
          <Badge tone="ok" dot="filled">
            {t({ message: 'Active', context: 'subscription' })}
          </Badge>
        )}
        <span className="flex">
          <IconButton
            size="sm"
            label={t`Edit ${name} of ${username}`}
            icon={<Pencil />}
            aria-expanded={isChanging}
            onClick={() => setChanging(!isChanging)}
          />
          <IconButton
            size="sm"
            label={t`Remove ${name} from ${username}`}
            icon={<Trash2 />}
            busy={remove.isPending}
            onClick={() => remove.mutate()}
          />
        </span>
      </div>
      {isChanging && (
        <ChangeSubscription
          key={`${expiry}`}
          username={username}
          entitlement={entitlement}
          onClose={() => setChanging(false)}
        />
      )}
    </li>
  )
}

const secondsPerDay = 86_400
const change = 'PUT /user/{username}/subscriptions/{id}'

const daysProblem = (days: number | undefined): Problem | undefined =>
  days === undefined || days < grantDays.min || days > grantDays.max ? { code: 'GRANT_DAYS_RANGE' } : undefined

interface ChangeSubscriptionProps {
  username: string
  entitlement: EntitlementState
  onClose: () => void
}

/** Changes the expiry: a number of days from now, or never. */
function ChangeSubscription({ username, entitlement, onClose }: ChangeSubscriptionProps) {
  const { level, expiry, time_left: left } = entitlement
  const days =
    left === null || left <= 0 ? grantDays.standard : Math.min(Math.ceil(left / secondsPerDay), grantDays.max)
  const form = useSaveForm<{ days: number | undefined; lifetime: boolean }, CallReply<typeof change>>({
    start: { days, lifetime: expiry === null },
    isNew: true,
    problems: (values) => ({ days: values.lifetime ? undefined : daysProblem(values.days) }),
    send: ({ body }) => {
      const end = body.lifetime ? { expiry: null } : { duration: body.days }
      return call(change, { params: { username, id: level }, body: end })
    },
    failure: t`Failed to update subscription`,
    onFailed: notify.error,
    onSaved: (reply) => {
      notifyChanged(reply)
      onClose()
      return userList.refresh()
    },
  })
  const { formRef, busy, onSubmit } = form.dialog
  return (
    <form ref={formRef} className="flex flex-wrap items-start gap-3 py-2" onSubmit={submitting(onSubmit)}>
      {!form.values.lifetime && (
        <NumberField
          label={t`Days from now`}
          min={grantDays.min}
          max={grantDays.max}
          className="w-40"
          {...form.field('days')}
        />
      )}
      <div className="grow self-center">
        <CheckboxField label={t`Never ends`} {...form.checkbox('lifetime')} />
      </div>
      <div className="flex gap-2 self-end">
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button type="submit" variant="primary" busy={busy}>{t`Save`}</Button>
      </div>
    </form>
  )
}

interface AddSubscriptionProps {
  username: string
  available: readonly { level: number; name: string; active: boolean }[]
  error: string | undefined
}

/** The only level is selected; 1 to 3650 days, 30 by default. An expired subscription starts again. */
function AddSubscription({ username, available, error }: AddSubscriptionProps) {
  const [chosen, setChosen] = useState('')
  const level = chosen || (available.length === 1 ? String(available[0]?.level) : '')
  const [days, setDays] = useState<number | undefined>(grantDays.standard)
  const input = { params: { username }, body: { level: Number(level), duration: days }, idempotencyKey: true as const }
  const add = useMutation({
    mutationFn: () => call('POST /user/{username}/subscriptions', input),
    onSuccess: (reply) => {
      notifyChanged(reply)
      setChosen('')
    },
    onError: (failure) => notify.error(failureText(failure, t`Failed to add subscription`)),
    onSettled: userList.refresh,
  })
  const noLevel = available.length === 0 ? t`No other level to add` : t`Choose a level`
  const missing = level === '' ? noLevel : days === undefined ? t`Enter the days` : undefined
  const options = available.map(({ level: value, name, active }) => ({
    value: String(value),
    label: active ? name : t`${name} (paused)`,
  }))
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (missing === undefined) add.mutate()
      }}
    >
      <SelectField
        label={t`Add subscription`}
        placeholder={t`Choose a level`}
        options={options}
        value={level}
        onChange={(event) => setChosen(event.target.value)}
        error={error}
        className="min-w-40 grow"
      />
      <NumberField
        label={t`Days`}
        min={grantDays.min}
        max={grantDays.max}
        value={days}
        onChange={setDays}
        className="w-32"
      />
      {/* The reason stays beside its button. */}
      <div className="flex items-center gap-3">
        <ButtonWithReason
          type="submit"
          icon={<Plus />}
          busy={add.isPending}
          disabledReason={missing}
        >{t`Add`}</ButtonWithReason>
      </div>
      {level !== '' && (
        <div className="basis-full">
          <ShowApiCall calls={() => [apiCall('POST /user/{username}/subscriptions', input)]} />
        </div>
      )}
    </form>
  )
}

function Variables({ user: { username, variables } }: { user: User }) {
  const [added, setAdded] = useState(0)
  const rows = Object.entries(variables)
  return (
    <div className="flex flex-col gap-3">
      {rows.length === 0 ? (
        <p className="text-ui text-text-2">{t`No variables found.`}</p>
      ) : (
        <ul className="flex flex-col gap-2">
          {rows.map(([name, data]) => (
            <Variable key={name} username={username} name={name} data={data} />
          ))}
        </ul>
      )}
      <AddVariable key={added} username={username} onAdded={() => setAdded(added + 1)} />
    </div>
  )
}

/** The height of a label: aligns with the input even if an error is shown below it. */
const besideInput = 'mt-6.5'

interface VariableProps {
  username: string
  name: string
  data: string
}

function Variable(props: VariableProps) {
  const [undone, setUndone] = useState(0)
  // After an undo, the field shows what is stored.
  return <VariableForm key={undone} {...props} onUndone={() => setUndone(undone + 1)} />
}

/** A variable whose data can be edited in place; the name cannot be changed. */
function VariableForm({ username, name, data, onUndone }: VariableProps & { onUndone: () => void }) {
  const named = { username, variableName: name }
  const app = userUndo()
  const form = useSaveForm({
    start: { variableData: data },
    isNew: false,
    problems: ({ variableData }) => ({ variableData: variableProblem(name, variableData) }),
    send: ({ changes, before }) => call('PUT /user_variables', { body: { ...named, ...changes, before } }),
    failure: t`Failed to update variable`,
    onSaved: (reply) => {
      const refresh = () => app.refresh().then(onUndone)
      const restoring = { ...app, refresh, restoredText: () => t`Variable restored` }
      notifyDone({ done: successText(reply) }, restoring, undoOf(reply))
      return userList.refresh()
    },
  })
  const remove = useMutation({
    mutationFn: () => call('DELETE /user_variables', { query: {}, body: named }),
    onSuccess: (reply) => notifyUndoable(successText(reply), () => void restoreVariable(app, username, name, data)),
    onError: (error) => notify.error(failureText(error, t`Failed to delete variable`)),
    onSettled: userList.refresh,
  })
  const { formRef, busy, isDirty, error, onSubmit } = form.dialog
  const field = form.field('variableData')
  return (
    <li>
      <form ref={formRef} className="flex items-start gap-2" onSubmit={submitting(onSubmit)}>
        <TextField mono label={name} className="grow" {...field} error={field.error ?? error} />
        <IconButton
          type="submit"
          label={t`Save ${name}`}
          icon={<Save />}
          busy={busy}
          disabled={!isDirty}
          className={besideInput}
        />
        <IconButton
          label={t`Delete ${name}`}
          icon={<Trash2 />}
          busy={remove.isPending}
          onClick={() => remove.mutate()}
          className={besideInput}
        />
      </form>
    </li>
  )
}

function AddVariable({ username, onAdded }: { username: string; onAdded: () => void }) {
  const form = useSaveForm({
    start: { variableName: '', variableData: '' },
    isNew: true,
    toBody: ({ variableName, variableData }) => ({ variableName: variableName.trim(), variableData }),
    problems: ({ variableName, variableData }) => {
      const problem = variableProblem(variableName.trim(), variableData)
      return problem ? { [problem.field ?? 'variableData']: problem } : {}
    },
    send: ({ body, idempotencyKey }) => call('POST /user_variables', { body: { username, ...body }, idempotencyKey }),
    failure: t`Failed to create variable`,
    onSaved: (reply) => {
      notify.success(successText(reply))
      onAdded()
      return userList.refresh()
    },
  })
  const { formRef, busy, error, onSubmit } = form.dialog
  const data = form.field('variableData')
  return (
    <form ref={formRef} className="flex flex-wrap items-start gap-3" onSubmit={submitting(onSubmit)}>
      <TextField mono label={t`Variable name`} className="min-w-32 grow basis-0" {...form.field('variableName')} />
      <TextField
        mono
        label={t`Variable data`}
        className="min-w-32 grow basis-0"
        {...data}
        error={data.error ?? error}
      />
      <Button type="submit" icon={<Plus />} busy={busy} className={besideInput}>{t`Add`}</Button>
      {form.body.variableName !== '' && (
        <div className="basis-full">
          <ShowApiCall calls={() => [apiCall('POST /user_variables', { body: { username, ...form.body } })]} />
        </div>
      )}
    </form>
  )
}

const submitting = (submit: () => void) => (event: FormEvent) => {
  event.preventDefault()
  submit()
}

/** Recreates a deleted variable. */
async function restoreVariable(
  { appId, refresh }: ReturnType<typeof userUndo>,
  username: string,
  variableName: string,
  variableData: string,
): Promise<void> {
  const body = { username, variableName, variableData }
  await call('POST /user_variables', { body, appId, idempotencyKey: true }).catch((error: unknown) =>
    notify.error(failureText(error, t`Failed to create variable`)),
  )
  await refresh()
}
