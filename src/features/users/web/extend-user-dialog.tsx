import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { unitSeconds } from '#contract/duration.ts'
import { grantDays } from '#features/entitlements/entitlements.rules.ts'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/errors.ts'
import { queryClient } from '#web/api/query-client.ts'
import { isFieldConflict } from '#web/form/field-changes.ts'
import { useProblemText } from '#web/form/use-problem-text.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { seenEnd } from './user-subscriptions.tsx'
import { notifyChanged } from './user-undo.ts'
import { EntitlementTimeLeft } from './users-columns.tsx'
import { type EntitlementState, type User, userList, userQuery, userUndo } from './users-data.ts'

/** The subscriptions of a user that end. */
export const endingSubscriptions = ({ subscriptions }: Pick<User, 'subscriptions'>): EntitlementState[] =>
  Object.values(subscriptions).filter(({ expiry }) => expiry !== null)

const levelOption = ({ level, name }: Pick<EntitlementState, 'level' | 'name'>) => ({
  value: String(level),
  label: name || t`Level ${level}`,
})

interface ExtendUserDialogProps {
  /** With a subscription that ends. */
  user: User
  onClose: () => void
}

/** Adds days to a subscription; one that has expired starts again. */
export function ExtendUserDialog({ user, onClose }: ExtendUserDialogProps) {
  // The list may be refetched behind the dialog; days are added to the end that is shown.
  const [{ username, paused, subscriptions }, setShown] = useState(user)
  const [undoable] = useState(userUndo)
  const ending = endingSubscriptions({ subscriptions })
  const [level, setLevel] = useState(ending[0]?.level ?? 0)
  const [days, setDays] = useState<number | undefined>(grantDays.standard)
  const isWrong = days === undefined || days < grantDays.min || days > grantDays.max
  const problem = useProblemText()(isWrong ? { code: 'GRANT_DAYS_RANGE' } : undefined)
  const chosen = ending.find((each) => each.level === level)
  // The chosen one may be gone since: the field shows it, and nothing else is extended instead.
  const offered = chosen ? ending : [...ending, { level, name: user.subscriptions[level]?.name ?? '' }]
  const showCurrent = async () => {
    void userList.refresh()
    setShown((await queryClient.fetchQuery({ ...userQuery(username), staleTime: 0 })).user)
  }
  const extend = useMutation({
    mutationFn: ({ added, from }: { added: number; from: EntitlementState }) => {
      const isOver = (from.time_left ?? 0) <= 0
      const end = isOver ? { duration: added } : { expiry: (from.expiry ?? 0) + added * unitSeconds.days }
      // The end of a paused user moves: what is added counts from the end that was seen.
      const before = { ...seenEnd(paused, from), ...(!isOver && { expiry: from.expiry }) }
      const body = { ...end, before }
      return call('PUT /user/{username}/subscriptions/{id}', { params: { username, id: level }, body })
    },
    // Pressing again adds the days to the other change.
    onError: (error) => isFieldConflict(error) && showCurrent(),
    onSuccess: async (reply) => {
      notifyChanged(reply, undoable)
      onClose()
      await userList.refresh()
    },
  })
  return (
    <FormDialog
      title={t`Extend ${username}`}
      size="sm"
      submitLabel={t`Extend`}
      busy={extend.isPending}
      error={extend.error ? failureText(extend.error, t`Failed to update subscription`) : undefined}
      blockedReason={chosen ? undefined : t`No subscription that ends`}
      isDirty={days !== grantDays.standard || level !== (ending[0]?.level ?? 0)}
      onSubmit={() => !isWrong && chosen && extend.mutate({ added: days, from: chosen })}
      onClose={onClose}
    >
      <SelectField
        label={t`Subscription`}
        required
        options={offered.map(levelOption)}
        value={String(level)}
        onChange={(event) => setLevel(Number(event.target.value))}
      />
      {chosen && (
        <p className="text-meta text-text-2">
          <EntitlementTimeLeft expiry={chosen.expiry} time_left={chosen.time_left} paused={paused} />
        </p>
      )}
      <NumberField
        label={t`Days to add`}
        required
        min={grantDays.min}
        max={grantDays.max}
        value={days}
        onChange={setDays}
        error={problem}
      />
    </FormDialog>
  )
}
