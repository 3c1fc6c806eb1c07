import { plural, t } from '@lingui/core/macro'
import { call } from '#web/api/call.ts'
import { ExportDialog, type ExportDialogProps } from '#web/list/export-dialog.tsx'
import type { App } from '#web/session/session.ts'
import type { VariableExportColumn } from '../variables.rules.ts'

const columns = (): Record<VariableExportColumn, string> => ({
  name: t`Variable Name`,
  data: t`Variable Data`,
  access: t`Access`,
})

interface ExportVariablesProps extends Pick<ExportDialogProps<VariableExportColumn>, 'list' | 'all'> {
  app: App
}

export const ExportVariablesDialog = ({ app, ...counts }: ExportVariablesProps) => (
  <ExportDialog
    title={t`Export variables`}
    call="GET /export_variables"
    callSelected={(variableNames, { format, columns }) =>
      call('POST /export_variables', { body: { variableNames, format: format as 'csv' | 'json', columns } })
    }
    formats={['csv', 'json']}
    columns={columns()}
    {...counts}
    subject={t`Variables`}
    allLabel={t`All variables`}
    countText={(count) => plural(count, { one: '# variable', other: '# variables' })}
    fileName={`variables-${app.appName}`}
    failure={t`Failed to export variables`}
  />
)
