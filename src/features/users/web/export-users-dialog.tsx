import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { selectedAppStore } from '#web/app-selection.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import type { UserFilter } from './user-list.ts'

interface ExportUsersProps {
  filter: UserFilter
  onClose: () => void
}

/** The browser saves the file as the server streams it; the app is named in the address. */
export function ExportUsersDialog({ filter, onClose }: ExportUsersProps) {
  const [format, setFormat] = useState('csv')
  const [scope, setScope] = useState('all')
  const isFiltered = Object.keys(filter).length > 0
  const download = () => {
    const search = new URLSearchParams({ format, download: 'true', appId: selectedAppStore.get()?.appId ?? '' })
    if (scope === 'filter') for (const [name, value] of Object.entries(filter)) search.set(name, String(value))
    const link = document.createElement('a')
    link.href = `/api/1.0/website/export_users?${search}`
    link.download = ''
    link.click()
    onClose()
  }
  return (
    <FormDialog
      title={t`Export users`}
      size="sm"
      submitLabel={t`Export`}
      busy={false}
      error={undefined}
      onSubmit={download}
      onClose={onClose}
    >
      <RadioGroup
        legend={t`Format`}
        value={format}
        onChange={setFormat}
        options={[
          { value: 'csv', label: 'CSV' },
          { value: 'json', label: 'JSON' },
          { value: 'txt', label: t`TXT, one name per line` },
        ]}
      />
      {isFiltered && (
        <RadioGroup
          legend={t`Which users`}
          value={scope}
          onChange={setScope}
          options={[
            { value: 'all', label: t`All users of the app` },
            { value: 'filter', label: t`Those that match the filter` },
          ]}
        />
      )}
    </FormDialog>
  )
}
