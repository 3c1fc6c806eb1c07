import { plural, t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { failureText } from '#web/errors.ts'
import type { App } from '#web/session.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { downloadLicenses, type ExportFormat } from './download-licenses.ts'
import type { LicenseFilter } from './license-list.ts'
import { licensesFileName } from './save-text-file.ts'

interface ExportDialogProps {
  app: App
  filter: LicenseFilter
  all: number
  matching: number
  onClose: () => void
}

export function ExportDialog({ app, filter, all, matching, onClose }: ExportDialogProps) {
  const hasFilter = Object.values(filter).some((value) => value !== undefined)
  const [format, setFormat] = useState<ExportFormat>('txt')
  const [scope, setScope] = useState<'all' | 'filter'>(hasFilter ? 'filter' : 'all')
  const save = useMutation({
    mutationFn: () => downloadLicenses({ appId: app.appId, format, ...(scope === 'filter' && filter) }),
    onSuccess: onClose,
  })
  const scopes = [
    { value: 'all' as const, label: t`All licenses`, help: countText(all) },
    { value: 'filter' as const, label: t`Current filter`, help: countText(matching) },
  ]
  return (
    <FormDialog
      title={t`Export licenses`}
      size="sm"
      submitLabel={t`Export`}
      busy={save.isPending}
      error={save.error ? failureText(save.error, t`Failed to export licenses`) : undefined}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <RadioGroup
        legend={t`Format`}
        value={format}
        onChange={setFormat}
        options={[
          { value: 'txt', label: t`TXT`, help: t`One key per line` },
          { value: 'csv', label: t`CSV`, help: t`Every column, for a spreadsheet` },
        ]}
      />
      {hasFilter ? (
        <RadioGroup legend={t`Licenses`} value={scope} onChange={setScope} options={scopes} />
      ) : (
        <p className="text-ui text-text-2">{countText(all)}</p>
      )}
      <p className="machine break-all text-text-2">{licensesFileName(app.appName, format)}</p>
    </FormDialog>
  )
}

const countText = (count: number) => plural(count, { one: '# license', other: '# licenses' })
