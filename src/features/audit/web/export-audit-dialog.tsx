import { plural, t } from '@lingui/core/macro'
import { ExportDialog, type ExportDialogProps } from '#web/list/export-dialog.tsx'
import type { AuditExportColumn } from '../audit.rules.ts'

const columns = (): Record<AuditExportColumn, string> => ({
  date: t`Date`,
  act: t`Event`,
  actorType: t`Actor type`,
  actor: t`Who`,
  owner: t`Owner`,
  app: t`App`,
  target: t`Target`,
  details: t`Details`,
  ip: t`IP Address`,
  request: t`Request ID`,
  place: t`Position in the hash chain`,
  hash: t`Hash`,
})

interface ExportAuditProps extends Pick<ExportDialogProps<AuditExportColumn>, 'list'> {
  isPlatform: boolean
}

export const ExportAuditDialog = ({ list, isPlatform }: ExportAuditProps) => (
  <ExportDialog
    title={t`Export the audit log`}
    call={isPlatform ? 'GET /admin/export_audit' : 'GET /export_audit'}
    ofAccount
    formats={['csv', 'json']}
    columns={columns()}
    list={list}
    subject={t`Audit`}
    allLabel={t`All entries`}
    countText={(count) => plural(count, { one: '# entry', other: '# entries' })}
    fileName="audit"
    failure={t`Failed to export the audit log`}
  />
)
