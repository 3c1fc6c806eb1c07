import { plural, t } from '@lingui/core/macro'
import { useState } from 'react'
import { durationSeconds } from '#contract/duration.ts'
import { apiCall } from '#web/api-call/api-call.ts'
import type { BulkAction, BulkCounts, BulkKind, BulkRows } from '#web/bulk/bulk-action.ts'
import { deletionUndo, restorableManyText } from '#web/bulk/deletion-undo.ts'
import { BulkDialog, type BulkDialogProps } from '#web/bulk/bulk-dialog.tsx'
import { call } from '#web/api/call.ts'
import type { CallInput } from '#web/api/call-types.ts'
import { failureText, failureTextWithCause } from '#web/api/errors.ts'
import { useProblemText } from '#web/form/use-problem-text.ts'
import { queryClient } from '#web/api/query-client.ts'
import type { App } from '#web/session/session.ts'
import { durationText } from '#web/time/time-text.ts'
import { MachineText } from '#web/ui/machine-text.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { addTimeUnits, defaultDurationDays, durationProblem } from '../licenses.rules.ts'
import { type DeleteFlags, DeleteOptions } from './license-row-actions.tsx'
import { type LicenseFilter, licensesKey, unitOptions } from './licenses-data.ts'

type Body = NonNullable<CallInput<'POST /licenses/bulk'>['body']>
type LicenseAction = BulkAction<Body, LicenseFilter>

/** The common part of all bulk actions on licenses of one app. */
function licenseKind({ appId }: App): BulkKind<Body> {
  const queryKey = licensesKey()
  return {
    send: (body, options) => call('POST /licenses/bulk', { body, appId, ...options }),
    undo: (body, options) => call('POST /licenses/undo', { body, appId, ...options }),
    apiCall: (body) => apiCall('POST /licenses/bulk', { body, appId, idempotencyKey: true }),
    refresh: () => queryClient.invalidateQueries({ queryKey }),
    failedLabel: t`Failed licenses`,
    failedFile: 'failed-licenses',
    nameOf: (key) => <MachineText value={key} shape={key.length > 40 ? 'middle' : 'groups'} />,
    restoredText: (count) => plural(count, { one: 'Restored # license', other: 'Restored # licenses' }),
  }
}

const licensesOf = (rows: BulkRows<LicenseFilter>) => ('names' in rows ? { licenses: rows.names } : rows)

function banLicenses(app: App): LicenseAction {
  return {
    ...licenseKind(app),
    body: (rows) => ({ action: 'ban', ...licensesOf(rows) }),
    danger: { word: t`ban` },
    title: (count) => plural(count, { one: 'Ban # license?', other: 'Ban # licenses?' }),
    description: t`Access ends immediately; active sessions are closed.`,
    confirmLabel: t`Ban`,
    effects: (counts) => {
      const { changed, unchanged, inUse = 0 } = counts
      const unused = changed - inUse
      return [
        [inUse, plural(inUse, { one: '# in use loses access now.', other: '# in use lose access now.' })],
        [unused, plural(unused, { one: '# can no longer be redeemed.', other: '# can no longer be redeemed.' })],
        [unchanged, plural(unchanged, { one: '# is already banned.', other: '# are already banned.' })],
      ]
    },
    doneText: ({ changed }) =>
      plural(changed, { one: 'Banned # license successfully', other: 'Banned # licenses successfully' }),
    failureText: (error) => failureText(error, t`Failed to ban/unban license`),
  }
}

function unbanLicenses(app: App): LicenseAction {
  return {
    ...licenseKind(app),
    body: (rows) => ({ action: 'unban', ...licensesOf(rows) }),
    title: (count) => plural(count, { one: 'Unban # license?', other: 'Unban # licenses?' }),
    description: t`Access is restored immediately.`,
    confirmLabel: t`Unban`,
    effects: ({ changed, unchanged }) => [
      [changed, plural(changed, { one: '# is unbanned.', other: '# are unbanned.' })],
      [unchanged, plural(unchanged, { one: '# is not banned.', other: '# are not banned.' })],
    ],
    doneText: ({ changed }) =>
      plural(changed, { one: 'Unbanned # license successfully', other: 'Unbanned # licenses successfully' }),
    failureText: (error) => failureText(error, t`Failed to ban/unban license`),
  }
}

function deleteLicenses(app: App, flags: DeleteFlags): LicenseAction {
  return {
    ...licenseKind(app),
    ...deletionUndo(app.appId),
    body: (rows) => ({ action: 'delete', ...licensesOf(rows) }),
    choices: (counts) => ({ ...flags, deleteUsers: flags.deleteUsers && counts?.inUse !== 0 }),
    danger: { appName: app.appName },
    title: (count) => plural(count, { one: 'Delete # license?', other: 'Delete # licenses?' }),
    description: restorableManyText(),
    confirmLabel: t`Delete selected`,
    effects: (counts) => {
      const { changed, inUse = 0 } = counts
      const unused = changed - inUse
      return [
        [
          inUse,
          plural(inUse, {
            one: 'Deletes # redeemed license; the access it granted ends now.',
            other: 'Deletes # redeemed licenses; the access they granted ends now.',
          }),
        ],
        [unused, plural(unused, { one: 'Deletes # unredeemed license.', other: 'Deletes # unredeemed licenses.' })],
      ]
    },
    doneText: ({ changed }) =>
      plural(changed, { one: 'Deleted # license successfully', other: 'Deleted # licenses successfully' }),
    failureText: (error) => failureText(error, t`Failed to delete selected licenses`),
  }
}

interface Time {
  duration: number
  expiryUnit: (typeof addTimeUnits)[number]
}

function addTimeToLicenses(app: App, time: Time): LicenseAction {
  return {
    ...licenseKind(app),
    body: (rows) => ({ action: 'add-time', ...licensesOf(rows), ...time }),
    title: () => t`Add time`,
    description: t`Applies to each license and to the user who redeemed it. Lifetime licenses are skipped.`,
    confirmLabel: t`Add time`,
    effects: (counts) => {
      const { changed, lifetime = 0 } = counts
      const length = durationText(durationSeconds(time.duration, time.expiryUnit))
      return [
        [changed, plural(changed, { one: `# gets ${length} more.`, other: `# get ${length} more.` })],
        [
          lifetime,
          plural(lifetime, { one: '# never expires and is skipped.', other: '# never expire and are skipped.' }),
        ],
      ]
    },
    doneText: ({ changed: count }) =>
      plural(count, { one: 'Time added to # license', other: 'Time added to # licenses' }),
    skippedText: ({ lifetime = 0, notFound = 0 }) => {
      const skipped = lifetime + notFound
      if (skipped === 0) return undefined
      return plural(skipped, {
        one: '# was skipped: it is a lifetime license or no longer exists.',
        other: '# were skipped: they are lifetime licenses or no longer exist.',
      })
    },
    failureText: (error) =>
      failureTextWithCause(error, t`Failed to add time`, (message) => t`Failed to add time: ${message}`),
  }
}

interface DialogProps extends Pick<BulkDialogProps<Body, LicenseFilter>, 'target' | 'onDone' | 'onPart' | 'onClose'> {
  app: App
}

function AddTimeDialog(props: DialogProps) {
  const [duration, setDuration] = useState<number | undefined>(defaultDurationDays)
  const [expiryUnit, setExpiryUnit] = useState<Time['expiryUnit']>('days')
  const problem = durationProblem(duration, expiryUnit)
  const problemText = useProblemText()
  return (
    <BulkDialog
      {...props}
      action={addTimeToLicenses(props.app, { duration: duration ?? 0, expiryUnit })}
      hasProblem={problem !== undefined}
      renderForm={({ submitted }) => (
        <div className="flex flex-wrap items-start gap-3">
          <NumberField
            label={t`Duration`}
            name="duration"
            required
            min={1}
            value={duration}
            onChange={setDuration}
            error={submitted ? problemText(problem) : undefined}
          />
          <SelectField
            label={t`Unit`}
            className="min-w-36 grow"
            options={unitOptions(addTimeUnits)}
            value={expiryUnit}
            onChange={(event) => setExpiryUnit(event.target.value as Time['expiryUnit'])}
          />
        </div>
      )}
    />
  )
}

interface DeleteDialogProps extends DialogProps {
  /** Whether "Also delete users" is checked at first. */
  deleteUsers: boolean
  actionOf: (app: App, flags: DeleteFlags) => LicenseAction
}

function DeleteDialog({ actionOf, deleteUsers, ...props }: DeleteDialogProps) {
  const [flags, setFlags] = useState<DeleteFlags>({ deleteUsers, refundCredits: true })
  const optionsFor = (counts: BulkCounts | undefined) => (
    <DeleteOptions
      flags={flags}
      onChange={setFlags}
      noUsers={counts?.inUse === 0 ? t`They have not been redeemed.` : undefined}
      noRefund={
        counts && counts.inUse === counts.changed
          ? t`They have been redeemed, so there is nothing to refund.`
          : undefined
      }
    />
  )
  return (
    <BulkDialog {...props} action={actionOf(props.app, flags)} renderOptions={({ counts }) => optionsFor(counts)} />
  )
}

export type LicenseBulkAction = 'ban' | 'unban' | 'delete' | 'add-time'

/** Dialog of a bulk action on the selected licenses. */
export function LicenseBulkDialog({ action, ...props }: DialogProps & { action: LicenseBulkAction }) {
  switch (action) {
    case 'ban':
      return <BulkDialog {...props} action={banLicenses(props.app)} />
    case 'unban':
      return <BulkDialog {...props} action={unbanLicenses(props.app)} />
    case 'delete':
      return <DeleteDialog {...props} deleteUsers={false} actionOf={deleteLicenses} />
    default:
      return <AddTimeDialog {...props} />
  }
}

/** Deletions of all licenses of a kind. Nobody has seen them all, so the server counts them first. */
const wholeLists = {
  'delete-unused': { redeemed: false },
  'delete-used': { redeemed: true },
  'delete-all': {},
} satisfies Record<string, LicenseFilter>

export type WholeLicenseList = keyof typeof wholeLists

export function WholeLicenseListDialog({ name, ...props }: Omit<DialogProps, 'target'> & { name: WholeLicenseList }) {
  const words = {
    'delete-unused': {
      title: t`Delete unused licenses?`,
      description: t`Banned licenses that were never redeemed are deleted too. You can restore them for 30 days.`,
      confirmLabel: t`Delete unused licenses`,
      failure: t`Failed to delete unused licenses`,
    },
    'delete-used': {
      title: t`Delete used licenses?`,
      description: t`Banned licenses that were redeemed are deleted too. You can restore them for 30 days.`,
      confirmLabel: t`Delete used licenses`,
      failure: t`Failed to delete used licenses`,
    },
    'delete-all': {
      title: t`Delete all licenses?`,
      description: restorableManyText(),
      confirmLabel: t`Delete all licenses`,
      failure: t`Failed to delete all licenses`,
    },
  }[name]
  const actionOf = (app: App, flags: DeleteFlags): LicenseAction => ({
    ...deleteLicenses(app, flags),
    title: () => words.title,
    description: words.description,
    confirmLabel: words.confirmLabel,
    failureText: (error) => failureText(error, words.failure),
  })
  // The specification has it checked for whole lists only.
  return <DeleteDialog {...props} deleteUsers target={{ filter: wholeLists[name] }} actionOf={actionOf} />
}
