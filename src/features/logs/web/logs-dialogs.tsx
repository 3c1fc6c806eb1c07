import { plural, t } from '@lingui/core/macro'
import { useState } from 'react'
import { apiCall } from '#web/api-call/api-call.ts'
import { type BulkTarget, rowsOf } from '#web/bulk/bulk-action.ts'
import { call } from '#web/api/call.ts'
import { successText } from '#web/api/errors.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import type { ListFilter } from '#web/list/list-source.ts'
import { DeleteDialog, type DeleteHandlers } from '#web/bulk/delete-dialog.tsx'
import { deleteInParts } from '#web/bulk/in-parts.ts'
import { useCountedTarget } from '#web/bulk/use-counted-target.ts'
import { notify } from '#web/browser/notify.ts'
import type { App } from '#web/session/session.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { maxRetentionDays, minRetentionDays, retentionProblem } from '../logs.rules.ts'
import { type Log, logLine, logList } from './logs-data.ts'

export function DeleteLogDialog({ log, ...handlers }: DeleteHandlers & { log: Log }) {
  return (
    <DeleteDialog
      title={t`Delete this log?`}
      impact={logLine(log).slice(0, 200)}
      send={() => call('POST /delete_log', { body: { logId: log.id } })}
      apiCall={() => apiCall('POST /delete_log', { body: { logId: log.id } })}
      refresh={logList.refresh}
      failure={t`Failed to delete log`}
      withCause={(message) => t`Failed to delete log: ${message}`}
      {...handlers}
    />
  )
}

interface DeleteLogsProps extends DeleteHandlers {
  app: App
  target: BulkTarget<ListFilter<'GET /logs'>>
  /** ID of the newest entry that was counted. */
  newestId: number | undefined
}

/** Deletes the selected rows, or all that match a filter, without those that are stored while it asks. */
export function DeleteLogsDialog({ app, target: opened, newestId, ...handlers }: DeleteLogsProps) {
  const { target, count, onChanged } = useCountedTarget(opened)
  const [countedTo] = useState(newestId)
  const rows = rowsOf(target)
  const body = 'names' in rows ? { logIds: rows.names.map(Number) } : { ...rows, newestId: countedTo }
  return (
    <DeleteDialog
      title={plural(count, { one: 'Delete # log?', other: 'Delete # logs?' })}
      send={() =>
        'names' in rows
          ? deleteInParts(rows.names, (ids) => call('POST /logs/bulk-delete', { body: { logIds: ids.map(Number) } }))
          : call('POST /logs/bulk-delete', { body })
      }
      refresh={logList.refresh}
      failure={t`Failed to delete selected logs`}
      onChanged={onChanged}
      count={count}
      appName={app.appName}
      apiCall={() => apiCall('POST /logs/bulk-delete', { body })}
      {...handlers}
    />
  )
}

type DeleteAllLogsProps = DeleteHandlers & Pick<DeleteLogsProps, 'app' | 'newestId'>

/** Deletes the log of the app, without the entries that are stored while it asks. */
export function DeleteAllLogsDialog({ app, newestId, ...handlers }: DeleteAllLogsProps) {
  const [countedTo] = useState(newestId)
  const body = { newestId: countedTo }
  return (
    <DeleteDialog
      title={t`Delete all logs?`}
      impact={t`You can no longer see why a program was rejected.`}
      confirmLabel={t`Delete All`}
      send={() => call('POST /delete_all_logs', { body })}
      refresh={logList.refresh}
      failure={t`Failed to delete all logs`}
      appName={app.appName}
      isAll
      apiCall={() => apiCall('POST /delete_all_logs', { body })}
      {...handlers}
    />
  )
}

export function RetentionDialog({ days, onClose }: { days: number; onClose: () => void }) {
  const form = useSaveForm<{ days: number | undefined }, Parameters<typeof successText>[0]>({
    start: { days },
    isNew: false,
    problems: (values) => ({ days: retentionProblem(values.days ?? 0) }),
    send: ({ body, before }) => call('POST /log_retention', { body: { days: body.days ?? 0, before } }),
    failure: t`Failed to save settings`,
    onSaved: async (reply) => {
      notify.success(successText(reply))
      onClose()
      await logList.refresh()
    },
    onUnchanged: onClose,
  })
  return (
    <FormDialog title={t`Log retention`} size="sm" submitLabel={t`Save Changes`} {...form.dialog} onClose={onClose}>
      <NumberField
        label={t`Days`}
        required
        min={minRetentionDays}
        max={maxRetentionDays}
        help={t`Older logs of this app are deleted within the hour. Alerts that were reviewed or dismissed that long ago are deleted too, but not before 60 days. This cannot be undone.`}
        {...form.field('days')}
      />
    </FormDialog>
  )
}
