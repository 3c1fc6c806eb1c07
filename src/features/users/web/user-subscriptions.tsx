import { t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { grantDays } from '#features/entitlements/entitlements.rules.ts'
import { call } from '#web/call.ts'
import { failureText, successText } from '#web/errors.ts'
import { notify, notifyUndoable } from '#web/notify.ts'
import { useTicking } from '#web/time/clock.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { EntitlementTimeLeft } from './user-columns.tsx'
import { type EntitlementState, levelsQuery, refreshUsers, type User } from './user-list.ts'

export function UserSubscriptions({ user }: { user: User }) {
  const entitlements = Object.values(user.subscriptions)
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
      <AddSubscription user={user} />
    </div>
  )
}

function EntitlementRow({ user, entitlement }: { user: User; entitlement: EntitlementState }) {
  const { username, paused } = user
  const { level, name, expiry, time_left: left } = entitlement
  const remove = useMutation({
    mutationFn: () => call('DELETE /user/{username}/subscriptions/{id}', { params: { username, id: level } }),
    onSuccess: (reply) => notifyUndoable(successText(reply), () => void restoreSubscription(username, entitlement)),
    onError: (error) => notify.error(failureText(error, t`Failed to remove subscription`)),
    onSettled: refreshUsers,
  })
  const hasEnded = useTicking((now) => expiry !== null && expiry <= now)
  const isOver = left !== null && (paused ? left <= 0 : hasEnded)
  return (
    <li className="flex items-center gap-3 border-t border-line px-3 py-1.5 first:border-t-0">
      <span className="min-w-0 grow truncate text-ui">{name || t`Level ${level}`}</span>
      <span className="min-w-0 text-meta tabular-nums">
        <EntitlementTimeLeft expiry={expiry} time_left={left} paused={paused} />
      </span>
      {isOver ? (
        <Badge tone="neutral" dot="dashed">{t`Expired`}</Badge>
      ) : (
        <Badge tone="ok" dot="filled">{t`Active`}</Badge>
      )}
      <IconButton
        size="sm"
        label={t`Remove ${name} from ${username}`}
        icon={<Trash2 />}
        busy={remove.isPending}
        onClick={() => remove.mutate()}
      />
    </li>
  )
}

/** Disabled until a level is chosen; 1 to 3650 days, 30 by default (part 1 §5 Users). */
function AddSubscription({ user }: { user: User }) {
  const { data, error } = useQuery(levelsQuery())
  const [level, setLevel] = useState('')
  const [days, setDays] = useState<number | undefined>(grantDays.standard)
  const add = useMutation({
    mutationFn: () =>
      call('POST /user/{username}/subscriptions', {
        params: { username: user.username },
        body: { level: Number(level), duration: days },
        idempotencyKey: true,
      }),
    onSuccess: (reply) => {
      notify.success(successText(reply))
      setLevel('')
    },
    onError: (error) => notify.error(failureText(error, t`Failed to add subscription`)),
    onSettled: refreshUsers,
  })
  const options = (data?.subscriptions ?? [])
    .filter((each) => !(String(each.level) in user.subscriptions))
    .map((each) => ({ value: String(each.level), label: each.name }))
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate()
      }}
    >
      <SelectField
        label={t`Add subscription`}
        placeholder={t`Choose a level`}
        options={options}
        value={level}
        onChange={(event) => setLevel(event.target.value)}
        error={error ? failureText(error, t`Failed to load user subscriptions`) : undefined}
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
      <Button
        type="submit"
        icon={<Plus />}
        busy={add.isPending}
        disabled={level === '' || days === undefined}
      >{t`Add`}</Button>
    </form>
  )
}

/** Gives a removed subscription back, to the second it would have ended at. */
async function restoreSubscription(username: string, { level, expiry }: EntitlementState): Promise<void> {
  try {
    await call('POST /user/{username}/subscriptions', { params: { username }, body: { level }, idempotencyKey: true })
    await call('PUT /user/{username}/subscriptions/{id}', { params: { username, id: level }, body: { expiry } })
  } catch (error) {
    notify.error(failureText(error, t`Failed to add subscription`))
  }
  await refreshUsers()
}
