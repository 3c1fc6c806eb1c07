import { plural, t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { type BulkTarget, targetCount } from '#web/bulk/bulk-act.ts'
import { call } from '#web/call.ts'
import { failureText, failureTextWithCause, successText } from '#web/errors.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { ExportDialog } from '#web/list/export-dialog.tsx'
import type { ListFilter } from '#web/list/list-source.ts'
import { notify } from '#web/notify.ts'
import type { App } from '#web/session.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { maxRetentionDays, minRetentionDays, retentionProblem } from '../logs.rules.ts'
import { type Log, logLine, logList } from './logs-data.ts'

interface EndProps {
  onDone: () => void
  onClose: () => void
}

function useDelete(send: () => Promise<Parameters<typeof successText>[0]>, onDone: () => void) {
  return useMutation({
    mutationFn: send,
    onSuccess: async (reply) => {
      notify.success(successText(reply))
      onDone()
      await logList.refresh()
    },
  })
}

export function DeleteLogDialog({ log, onDone, onClose }: EndProps & { log: Log }) {
  const body = { logId: log.id }
  const remove = useDelete(() => call('POST /delete_log', { body }), onDone)
  const withCause = (message: string) => t`Failed to delete log: ${message}`
  return (
    <ConfirmDialog
      title={t`Delete this log?`}
      description={t`This action cannot be undone.`}
      impact={logLine(log).slice(0, 200)}
      confirmLabel={t`Delete`}
      danger
      busy={remove.isPending}
      error={remove.error ? failureTextWithCause(remove.error, t`Failed to delete log`, withCause) : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  )
}

/** The selected rows, or all that a filter matches. */
export function DeleteLogsDialog({
  target,
  onDone,
  onClose,
}: EndProps & { target: BulkTarget<ListFilter<'GET /logs'>> }) {
  const body = 'names' in target ? { logIds: target.names.map(Number) } : { filter: target.filter }
  const remove = useDelete(() => call('POST /logs/bulk-delete', { body }), onDone)
  const count = targetCount(target) ?? 0
  return (
    <ConfirmDialog
      title={plural(count, { one: 'Delete # log?', other: 'Delete # logs?' })}
      description={t`This action cannot be undone.`}
      confirmLabel={t`Delete`}
      danger
      busy={remove.isPending}
      error={remove.error ? failureText(remove.error, t`Failed to delete selected logs`) : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <ShowApiCall calls={() => [apiCall('POST /logs/bulk-delete', { body })]} />
    </ConfirmDialog>
  )
}

export function DeleteAllLogsDialog({ app, onDone, onClose }: EndProps & { app: App }) {
  const remove = useDelete(() => call('POST /delete_all_logs', { body: {} }), onDone)
  return (
    <ConfirmDialog
      title={t`Delete all logs?`}
      description={t`This action cannot be undone.`}
      impact={t`Nobody can say afterwards why a program was refused.`}
      typedName={app.appName}
      typedLabel={t`App name`}
      typedMismatch={t`App name does not match`}
      confirmLabel={t`Delete All`}
      danger
      busy={remove.isPending}
      error={remove.error ? failureText(remove.error, t`Failed to delete all logs`) : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <ShowApiCall calls={() => [apiCall('POST /delete_all_logs', { body: {} })]} />
    </ConfirmDialog>
  )
}

export function RetentionDialog({ days, onClose }: { days: number; onClose: () => void }) {
  const form = useSaveForm<{ days: number | undefined }, Parameters<typeof successText>[0]>({
    start: { days },
    isNew: false,
    problems: (values) => ({ days: retentionProblem(values.days ?? 0) }),
    send: ({ body }) => call('POST /log_retention', { body: { days: body.days ?? 0 } }),
    failure: t`Failed to save settings`,
    onSaved: async (reply) => {
      notify.success(successText(reply))
      onClose()
      await logList.refresh()
    },
    onUnchanged: onClose,
  })
  return (
    <FormDialog
      title={t`How long logs are stored`}
      size="sm"
      submitLabel={t`Save Changes`}
      {...form.dialog}
      onClose={onClose}
    >
      <NumberField
        label={t`Days`}
        required
        min={minRetentionDays}
        max={maxRetentionDays}
        help={t`Older logs of this app are deleted within the hour. That cannot be undone.`}
        {...form.field('days')}
      />
    </FormDialog>
  )
}

interface ExportProps {
  app: App
  filter: ListFilter<'GET /logs'>
  matching: number
  all: number
  onClose: () => void
}

export const ExportLogsDialog = ({ app, ...counts }: ExportProps) => (
  <ExportDialog
    title={t`Export logs`}
    call="GET /export_logs"
    formats={[
      { value: 'csv', label: 'CSV', help: t`Every column, for a spreadsheet` },
      { value: 'json', label: 'JSON', help: t`For programs: every field as it is` },
    ]}
    {...counts}
    subject={t`Logs`}
    allLabel={t`All logs`}
    countText={(count) => plural(count, { one: '# log', other: '# logs' })}
    fileName={`logs-${app.appName}`}
    failure={t`Failed to export logs`}
  />
)
