import { t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { unitSeconds } from '#contract/duration.ts'
import { grantDays } from '#features/entitlements/entitlements.rules.ts'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { call } from '#web/api/call.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { failureText, successText } from '#web/api/errors.ts'
import { hasEdits } from '#web/form/form-drafts.ts'
import { noEdits } from '#web/form/use-form-draft.ts'
import type { Problem } from '#web/form/use-problem-text.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { notifyDone, undoOf } from '#web/bulk/bulk-toasts.ts'
import { notify } from '#web/browser/notify.ts'
import { submitting } from '#web/form/submitting.ts'
import { nowSeconds, useTicking } from '#web/time/clock.ts'
import { durationText } from '#web/time/time-text.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { ButtonWithReason } from '#web/ui/button-with-reason.tsx'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { besideInput, NumberField } from '#web/ui/number-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { useListFocus } from '#web/ui/use-list-focus.ts'
import { userDraft } from './user-drafts.ts'
import { notifyChanged } from './user-undo.ts'
import { EntitlementTimeLeft } from './users-columns.tsx'
import { type EntitlementState, type User, userList, userSubscriptionsQuery, userUndo } from './users-data.ts'

interface SubscriptionsProps {
  user: User
  /** Below the subscription of a level. */
  timeSources: (user: User, level: number) => ReactNode
}

export function Subscriptions({ user, timeSources }: SubscriptionsProps) {
  const [{ added, days }, setAdded] = useState({ added: 0, days: grantDays.standard as number })
  const list = useRef<HTMLUListElement>(null)
  const keepFocus = useListFocus(list)
  const { data, error, refetch } = useQuery(userSubscriptionsQuery(user.username))
  // Until they are loaded, the subscriptions from the list.
  const entitlements = data?.subscriptions ?? Object.values(user.subscriptions)
  return (
    <div className="flex flex-col gap-3">
      {entitlements.length === 0 ? (
        <div className="flex flex-col gap-0.5 text-ui text-text-2">
          <p>{t`No active subscriptions found.`}</p>
          <p>{t`A user without a subscription counts as expired.`}</p>
        </div>
      ) : (
        <ul ref={list} {...keepFocus} className="rounded-md border border-line bg-surface-1">
          {entitlements.map((each) => (
            <EntitlementRow key={each.level} user={user} entitlement={each}>
              {timeSources(user, each.level)}
            </EntitlementRow>
          ))}
        </ul>
      )}
      <AddSubscription
        key={added}
        username={user.username}
        days={days}
        onAdded={(last) => setAdded({ added: added + 1, days: last })}
        available={data?.availableSubscriptions}
        failure={!data && error ? failureText(error, t`Failed to load user subscriptions`) : undefined}
        onRetry={() => void refetch()}
      />
    </div>
  )
}

interface EntitlementRowProps {
  user: User
  entitlement: EntitlementState
  children: ReactNode
}

function EntitlementRow({ user, entitlement, children }: EntitlementRowProps) {
  const { username, paused } = user
  const { level, expiry, time_left: left } = entitlement
  const levelText = t`Level ${level}`
  const name = entitlement.name || levelText
  const [isChanging, setChanging] = useState(() => hasEdits(endDraft(username, level).get()))
  const restoring = { ...userUndo(), restoredText: () => t`Subscription restored` }
  const remove = useMutation({
    mutationFn: () => call('DELETE /user/{username}/subscriptions/{id}', { params: { username, id: level } }),
    onSuccess: (reply) => {
      setChanging(false)
      endDraft(username, level).set(noEdits())
      notifyDone({ done: successText(reply) }, restoring, undoOf(reply))
    },
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
      {children}
      {isChanging && <ChangeSubscription user={user} entitlement={entitlement} onClose={() => setChanging(false)} />}
    </li>
  )
}

const change = 'PUT /user/{username}/subscriptions/{id}'

/** The stored end, which is the time left while the user is paused; null for never; or days from now. */
type End = number | null | { left: number } | { days: number | undefined }

const storedEnd = (paused: boolean, { expiry, time_left: left }: EntitlementState): End =>
  paused && left !== null && left > 0 ? { left } : expiry

/** As the caller of the server saw it. */
export const seenEnd = (paused: boolean, entitlement: EntitlementState) => beforeOf(storedEnd(paused, entitlement))

const beforeOf = (end: End) => {
  if (end === null || typeof end === 'number') return { expiry: end }
  return 'left' in end ? { time_left: end.left } : undefined
}

const endDraft = (username: string, level: number) => userDraft<{ expiry: End }>(username, 'subscription', level)

const daysProblem = (days: number | undefined): Problem | undefined =>
  days === undefined || days < grantDays.min || days > grantDays.max ? { code: 'GRANT_DAYS_RANGE' } : undefined

/** Days from now until an end, rounded up; an ended subscription would start again. */
function daysUntil(end: Exclude<End, null>, now: number): number | undefined {
  if (typeof end !== 'number') return 'left' in end ? Math.ceil(end.left / unitSeconds.days) : end.days
  return end <= now ? grantDays.standard : Math.ceil((end - now) / unitSeconds.days)
}

function endText(end: End, now: number): string {
  if (end === null) return t`Never ends`
  if (typeof end === 'number' && end <= now) return t({ message: 'Expired', context: 'subscription' })
  const days = daysUntil(end, now)
  return days === undefined ? '' : durationText(days * unitSeconds.days)
}

interface ChangeSubscriptionProps {
  user: User
  entitlement: EntitlementState
  onClose: () => void
}

/** Changes the end: a number of days from now, or never. Unless it is edited, the exact end stays. */
function ChangeSubscription({ user: { username, paused }, entitlement, onClose }: ChangeSubscriptionProps) {
  const { level, expiry, time_left: left } = entitlement
  const isOver = left !== null && left <= 0
  // Of the server, when it read the end.
  const now = expiry === null || left === null || isOver ? nowSeconds() : expiry - left
  const current = storedEnd(paused, entitlement)
  const undoable = userUndo()
  const form = useSaveForm<{ expiry: End }, CallReply<typeof change>>({
    start: { expiry: current },
    isNew: false,
    draft: endDraft(username, level),
    problems: ({ expiry: end }) => ({
      expiry: end !== null && typeof end === 'object' && 'days' in end ? daysProblem(end.days) : undefined,
    }),
    send: ({ body: { expiry: end }, before: { expiry: seen = current } }) => {
      const to = end === null ? { expiry: end } : { duration: daysUntil(end, now) }
      return call(change, { params: { username, id: level }, body: { ...to, before: beforeOf(seen) } })
    },
    texts: { expiry: (end) => endText(end, now) },
    failure: t`Failed to update subscription`,
    onFailed: (text) => {
      notify.error(text)
      void userList.refresh()
    },
    onSaved: (reply) => {
      notifyChanged(reply, undoable)
      onClose()
      return userList.refresh()
    },
    onUnchanged: isOver ? 'send' : onClose,
  })
  const { formRef, busy, onSubmit } = form.dialog
  const { value: end, onChange, notice, ...field } = form.field('expiry')
  const shown = current === null ? grantDays.standard : daysUntil(current, now)
  return (
    <form ref={formRef} className="flex flex-wrap items-start gap-3 py-2" onSubmit={submitting(onSubmit)}>
      {end !== null && (
        <NumberField
          label={t`Days from now`}
          min={grantDays.min}
          max={Math.max(grantDays.max, shown ?? 0)}
          className="w-40"
          {...field}
          value={daysUntil(end, now)}
          onChange={(days) => onChange(current !== null && days === shown ? current : { days })}
        />
      )}
      <div className="grow self-center">
        <CheckboxField
          label={t`Never ends`}
          name={field.name}
          checked={end === null}
          onChange={(event) => onChange(event.target.checked ? null : (current ?? { days: grantDays.standard }))}
        />
      </div>
      <div className="flex gap-2 self-end">
        <Button
          onClick={() => {
            form.discard()
            onClose()
          }}
        >{t`Cancel`}</Button>
        <Button type="submit" variant="primary" busy={busy}>{t`Save`}</Button>
      </div>
      {notice && <div className="basis-full">{notice}</div>}
    </form>
  )
}

interface NewSubscription {
  level: string
  duration: number | undefined
}

const inputOf = (username: string, { level, duration }: NewSubscription) => ({
  params: { username },
  body: { level: Number(level), duration },
})

interface AddSubscriptionProps {
  username: string
  /** At first: those of the subscription that was added last. */
  days: number
  onAdded: (days: number) => void
  /** Undefined until they are loaded. */
  available: readonly { level: number; name: string; active: boolean }[] | undefined
  /** Why they could not be. */
  failure: string | undefined
  onRetry: () => void
}

/** The only level is selected; 1 to 3650 days, 30 by default. An expired subscription starts again. */
function AddSubscription({ username, days, onAdded, available: loaded, failure, onRetry }: AddSubscriptionProps) {
  const available = loaded ?? []
  const undoable = userUndo()
  const form = useSaveForm<NewSubscription, CallReply<'POST /user/{username}/subscriptions'>>({
    start: { level: available.length === 1 ? String(available[0]?.level) : '', duration: days },
    isNew: true,
    draft: userDraft(username, 'new-subscription'),
    send: ({ body, idempotencyKey }) =>
      call('POST /user/{username}/subscriptions', { ...inputOf(username, body), idempotencyKey }),
    failure: t`Failed to add subscription`,
    onFailed: (text) => {
      notify.error(text)
      void userList.refresh()
    },
    onSaved: (reply) => {
      notifyChanged(reply, undoable)
      onAdded(form.values.duration ?? days)
      return userList.refresh()
    },
  })
  const { level, duration } = form.values
  const { formRef, busy, onSubmit } = form.dialog
  const { error, ...field } = form.field('level')
  const noneYet = failure ? t`Choose a level` : t`Loading…`
  const noLevel = loaded === undefined ? noneYet : loaded.length === 0 ? t`No other level to add` : t`Choose a level`
  const noDays = duration === undefined ? t`Enter the days` : undefined
  const options = available.map(({ level: value, name, active }) => ({
    value: String(value),
    label: active ? name : t`${name} (paused)`,
  }))
  return (
    <form
      ref={formRef}
      className="flex flex-wrap items-start gap-3"
      onSubmit={submitting(() => level !== '' && noDays === undefined && onSubmit())}
    >
      <SelectField
        label={t`Add subscription`}
        placeholder={noLevel}
        options={options}
        {...field}
        error={failure ?? error}
        className="min-w-36 grow basis-36 max-sm:basis-full"
      />
      <NumberField
        label={t`Days`}
        min={grantDays.min}
        max={grantDays.max}
        {...form.field('duration')}
        className="w-32"
      />
      {/* The reason stays beside its button, unless the field of the level says it. */}
      <div className={`flex items-center gap-3 ${besideInput}`}>
        {failure && <Button onClick={onRetry}>{t`Retry`}</Button>}
        <ButtonWithReason
          type="submit"
          icon={<Plus />}
          busy={busy}
          disabledReason={level === '' ? noLevel : noDays}
          reasonShown={level === ''}
        >{t`Add`}</ButtonWithReason>
      </div>
      {level !== '' && (
        <div className="basis-full">
          <ShowApiCall
            calls={() => [
              apiCall('POST /user/{username}/subscriptions', { ...inputOf(username, form.body), idempotencyKey: true }),
            ]}
          />
        </div>
      )}
    </form>
  )
}
