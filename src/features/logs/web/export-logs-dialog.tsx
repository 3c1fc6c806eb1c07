import { plural, t } from '@lingui/core/macro'
import { call } from '#web/api/call.ts'
import { ExportDialog, type ExportDialogProps } from '#web/list/export-dialog.tsx'
import type { App } from '#web/session/session.ts'
import type { LogExportColumn } from '../logs.rules.ts'

const columns = (): Record<LogExportColumn, string> => ({
  date: t`Date`,
  data: t`Log Data`,
  credential: t`Credential`,
  device: t`Device`,
  call: t`Call`,
  code: t`Code`,
  license: t`License`,
  ip: t`IP Address`,
  country: t`Country`,
  session: t`Session`,
  requestId: t`Request ID`,
})

interface ExportLogsProps extends Pick<ExportDialogProps<LogExportColumn>, 'list' | 'all'> {
  app: App
}

export const ExportLogsDialog = ({ app, ...counts }: ExportLogsProps) => (
  <ExportDialog
    title={t`Export logs`}
    call="GET /export_logs"
    callSelected={(ids, { format, columns }) =>
      call('POST /export_logs', { body: { logIds: ids.map(Number), format: format as 'csv' | 'json', columns } })
    }
    formats={['csv', 'json']}
    columns={columns()}
    {...counts}
    subject={t`Logs`}
    allLabel={t`All logs`}
    countText={(count) => plural(count, { one: '# log', other: '# logs' })}
    fileName={`logs-${app.appName}`}
    failure={t`Failed to export logs`}
  />
)
