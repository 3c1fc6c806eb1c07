import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type TimeUnit, timeUnits } from '#features/entitlements/entitlements.rules.ts'
import { apiCall } from '#web/api-call/api-call.ts'
import type { BulkAction, BulkCounts, BulkKind, BulkRows } from '#web/bulk/bulk-action.ts'
import { deletionUndo } from '#web/bulk/deletion-undo.ts'
import { BulkDialog, type BulkDialogProps } from '#web/bulk/bulk-dialog.tsx'
import { call } from '#web/api/call.ts'
import type { CallInput } from '#web/api/call-types.ts'
import { failureText } from '#web/api/errors.ts'
import { queryClient } from '#web/api/query-client.ts'
import { appKey } from '#web/api/query-keys.ts'
import type { App } from '#web/session/session.ts'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { levelsQuery, type UserFilter } from './users-data.ts'

type Body = NonNullable<CallInput<'POST /users/bulk'>['body']>
type UserAction = BulkAction<Body, UserFilter>

/** The common part of all bulk actions on users of one app. */
function userKind({ appId }: App): BulkKind<Body> {
  const queryKey = appKey('users')
  return {
    send: (body, options) => call('POST /users/bulk', { body, appId, ...options }),
    undo: (body, options) => call('POST /users/undo', { body, appId, ...options }),
    apiCall: (body) => apiCall('POST /users/bulk', { body, appId, idempotencyKey: true }),
    refresh: () => queryClient.invalidateQueries({ queryKey }),
    failedLabel: t`Failed users`,
    failedFile: 'failed-users',
    restoredText: (count) => plural(count, { one: 'Restored # user', other: 'Restored # users' }),
  }
}

const usersOf = (rows: BulkRows<UserFilter>) => ('names' in rows ? { usernames: rows.names } : rows)

type Sentence = readonly [rows: number, sentence: string]

const losesAccess = ({ inUse = 0 }: BulkCounts): Sentence => [
  inUse,
  plural(inUse, { one: '# active user loses access now.', other: '# active users lose access now.' }),
]

const others = ({ changed, inUse = 0 }: BulkCounts): Sentence => {
  const count = changed - inUse
  return [count, plural(count, { one: '# user already has no access.', other: '# users already have no access.' })]
}

function banUsers(app: App): UserAction {
  return {
    ...userKind(app),
    body: (rows) => ({ action: 'ban', ...usersOf(rows) }),
    danger: { word: t`ban` },
    title: (count) => plural(count, { one: 'Ban # user?', other: 'Ban # users?' }),
    description: t`Their active sessions end immediately.`,
    confirmLabel: t`Ban`,
    effects: (counts) => {
      const { unchanged } = counts
      return [
        losesAccess(counts),
        others(counts),
        [unchanged, plural(unchanged, { one: '# user is already banned.', other: '# users are already banned.' })],
      ]
    },
    doneText: ({ changed }) =>
      plural(changed, { one: 'Banned # user successfully', other: 'Banned # users successfully' }),
    failureText: (error) => failureText(error, t`Failed to ban user`),
  }
}

function unbanUsers(app: App): UserAction {
  return {
    ...userKind(app),
    body: (rows) => ({ action: 'unban', ...usersOf(rows) }),
    title: (count) => plural(count, { one: 'Unban # user?', other: 'Unban # users?' }),
    description: t`They can sign in again immediately.`,
    confirmLabel: t`Unban`,
    effects: ({ changed, unchanged }) => [
      [changed, plural(changed, { one: '# user is unbanned.', other: '# users are unbanned.' })],
      [unchanged, plural(unchanged, { one: '# user is not banned.', other: '# users are not banned.' })],
    ],
    doneText: ({ changed }) =>
      plural(changed, { one: 'Unbanned # user successfully', other: 'Unbanned # users successfully' }),
    failureText: (error) => failureText(error, t`Failed to ban user`),
  }
}

function pauseUsers(app: App): UserAction {
  return {
    ...userKind(app),
    body: (rows) => ({ action: 'pause', ...usersOf(rows) }),
    danger: { word: t`pause` },
    title: (count) => plural(count, { one: 'Pause # user?', other: 'Pause # users?' }),
    description: t`The remaining time is kept, and programs are rejected until you unpause.`,
    confirmLabel: t`Pause`,
    effects: (counts) => {
      const { unchanged } = counts
      return [
        losesAccess(counts),
        others(counts),
        [unchanged, plural(unchanged, { one: '# user is already paused.', other: '# users are already paused.' })],
      ]
    },
    doneText: ({ changed }) =>
      plural(changed, { one: 'Paused # user successfully', other: 'Paused # users successfully' }),
    failureText: (error) => failureText(error, t`Failed to pause user`),
  }
}

function unpauseUsers(app: App): UserAction {
  return {
    ...userKind(app),
    body: (rows) => ({ action: 'unpause', ...usersOf(rows) }),
    title: (count) => plural(count, { one: 'Unpause # user?', other: 'Unpause # users?' }),
    description: t`The time remaining at the pause resumes now.`,
    confirmLabel: t`Unpause`,
    effects: ({ changed, unchanged }) => [
      [changed, plural(changed, { one: '# user is unpaused.', other: '# users are unpaused.' })],
      [unchanged, plural(unchanged, { one: '# user is not paused.', other: '# users are not paused.' })],
    ],
    doneText: ({ changed }) =>
      plural(changed, { one: 'Unpaused # user successfully', other: 'Unpaused # users successfully' }),
    failureText: (error) => failureText(error, t`Failed to pause user`),
  }
}

function resetHwids(app: App): UserAction {
  return {
    ...userKind(app),
    body: (rows) => ({ action: 'reset-hwid', ...usersOf(rows) }),
    danger: { word: t`reset` },
    title: (count) => plural(count, { one: 'Reset the HWID of # user?', other: 'Reset the HWID of # users?' }),
    description: t`The next machine that signs in is bound.`,
    confirmLabel: t`Reset HWID`,
    effects: ({ changed, unchanged }) => [
      [
        changed,
        plural(changed, {
          one: '# user is unbound from their machine.',
          other: '# users are unbound from their machines.',
        }),
      ],
      [unchanged, plural(unchanged, { one: '# user has no bound machine.', other: '# users have no bound machine.' })],
    ],
    doneText: ({ changed }) =>
      plural(changed, { one: 'HWID of # user reset successfully', other: 'HWID of # users reset successfully' }),
    failureText: (error) => failureText(error, t`Failed to reset HWID`),
  }
}

function deleteUsers(app: App): UserAction {
  return {
    ...userKind(app),
    ...deletionUndo(app.appId),
    body: (rows) => ({ action: 'delete', ...usersOf(rows) }),
    danger: { appName: app.appName },
    title: (count) => plural(count, { one: 'Delete # user?', other: 'Delete # users?' }),
    description: t`Subscriptions and variables are deleted too. You can restore them for 30 days.`,
    confirmLabel: t`Delete`,
    effects: (counts) => {
      const { changed } = counts
      return [[changed, plural(changed, { one: 'Deletes # user.', other: 'Deletes # users.' })], losesAccess(counts)]
    },
    doneText: ({ changed }) =>
      plural(changed, { one: 'Deleted # user successfully', other: 'Deleted # users successfully' }),
    failureText: (error) => failureText(error, t`Failed to delete user`),
  }
}

type Time = Pick<Body, 'subscription' | 'extendExpired'> & { duration: number; unit: TimeUnit }

function changeTime(app: App, action: 'extend' | 'subtract', time: Time): UserAction {
  const isExtend = action === 'extend'
  return {
    ...userKind(app),
    body: (rows) => ({ action, ...usersOf(rows), ...time }),
    ...(!isExtend && { danger: { word: t`subtract` } }),
    title: (count) =>
      isExtend
        ? plural(count, { one: 'Extend # user', other: 'Extend # users' })
        : plural(count, { one: 'Subtract time from # user', other: 'Subtract time from # users' }),
    description: isExtend ? t`Adds time to a subscription.` : t`A subscription can't end earlier than now.`,
    confirmLabel: isExtend ? t`Extend` : t`Subtract`,
    effects: ({ changed, withoutSubscription = 0, expired = 0, lifetime = 0 }) => [
      [changed, plural(changed, { one: 'Changes # user.', other: 'Changes # users.' })],
      [
        withoutSubscription,
        plural(withoutSubscription, {
          one: 'Skips # without the subscription.',
          other: 'Skips # without the subscription.',
        }),
      ],
      [expired, plural(expired, { one: 'Skips # expired user.', other: 'Skips # expired users.' })],
      [
        lifetime,
        plural(lifetime, { one: 'Skips # user with lifetime access.', other: 'Skips # users with lifetime access.' }),
      ],
    ],
    doneText: ({ changed }) => plural(changed, { one: '# user updated', other: '# users updated' }),
    skippedText: ({ withoutSubscription = 0 }) =>
      withoutSubscription === 0
        ? undefined
        : plural(withoutSubscription, {
            one: '# user did not have the subscription and was skipped',
            other: '# users did not have the subscription and were skipped',
          }),
    failureText: (error) => failureText(error, isExtend ? t`Failed to extend users` : t`Failed to subtract time`),
  }
}

interface DialogProps extends Pick<BulkDialogProps<Body, UserFilter>, 'target' | 'onDone' | 'onPart' | 'onClose'> {
  app: App
}

const unitLabel = (unit: TimeUnit) =>
  ({ hours: t`Hours`, days: t`Days`, weeks: t`Weeks`, months: t`Months`, years: t`Years` })[unit]

function TimeDialog({ action, app, ...props }: DialogProps & { action: 'extend' | 'subtract' }) {
  const [duration, setDuration] = useState<number | undefined>(30)
  const [unit, setUnit] = useState<TimeUnit>('days')
  const [level, setLevel] = useState('')
  const [extendExpired, setExtendExpired] = useState(false)
  const { data: levels } = useQuery(levelsQuery())
  const isExtend = action === 'extend'
  const options = (levels?.subscriptions ?? []).map(({ level: value, name }) => ({ value: String(value), label: name }))
  const chosen = level || (isExtend ? (options[0]?.value ?? '') : '')
  const isWrong = duration === undefined || !Number.isInteger(duration) || duration < 1
  const time = {
    duration: duration ?? 0,
    unit,
    ...(chosen && { subscription: Number(chosen) }),
    ...(isExtend && { extendExpired }),
  }
  return (
    <BulkDialog
      {...props}
      action={changeTime(app, action, time)}
      hasProblem={isWrong || (isExtend && chosen === '')}
      renderForm={({ submitted }) => (
        <>
          <SelectField
            label={t`Subscription`}
            required={isExtend}
            options={isExtend ? options : [{ value: '', label: t`All subscriptions` }, ...options]}
            value={chosen}
            onChange={(event) => setLevel(event.target.value)}
            error={submitted && isExtend && chosen === '' ? t`Please select a subscription` : undefined}
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
              label={t`Also extend expired subscriptions, starting now`}
              help={t`Otherwise, expired users are skipped.`}
              checked={extendExpired}
              onChange={(event) => setExtendExpired(event.target.checked)}
            />
          )}
        </>
      )}
    />
  )
}

const plainActions = {
  ban: banUsers,
  unban: unbanUsers,
  pause: pauseUsers,
  unpause: unpauseUsers,
  'reset-hwid': resetHwids,
  delete: deleteUsers,
}

/** Actions on all users of a kind. Nobody has seen them all, so the server counts them first. */
const wholeLists = {
  'delete-expired': { filter: { status: 'expired' }, actionOf: deleteUsers },
  'delete-all': { filter: {}, actionOf: deleteUsers },
  'reset-all-hwid': { filter: {}, actionOf: resetHwids },
  'unban-all': { filter: { status: 'banned' }, actionOf: unbanUsers },
} satisfies Record<string, { filter: UserFilter; actionOf: (app: App) => UserAction }>

type UserBulkAction = keyof typeof plainActions | 'extend' | 'subtract'
type WholeUserList = keyof typeof wholeLists

export function UserBulkDialog({ action, ...props }: DialogProps & { action: UserBulkAction }) {
  if (action === 'extend' || action === 'subtract') return <TimeDialog {...props} action={action} />
  return <BulkDialog {...props} action={plainActions[action](props.app)} />
}

export function WholeUserListDialog({ name, ...props }: Omit<DialogProps, 'target'> & { name: WholeUserList }) {
  const { filter, actionOf } = wholeLists[name]
  const words = {
    'delete-expired': { title: t`Delete expired users?`, confirm: t`Delete expired` },
    'delete-all': { title: t`Delete all users?`, confirm: t`Delete all` },
    'reset-all-hwid': { title: t`Reset all HWIDs?`, confirm: t`Reset all` },
    'unban-all': { title: t`Unban all users?`, confirm: t`Unban all` },
  }[name]
  const all = { ...actionOf(props.app), title: () => words.title, confirmLabel: words.confirm }
  return <BulkDialog {...props} target={{ filter }} action={all} />
}
