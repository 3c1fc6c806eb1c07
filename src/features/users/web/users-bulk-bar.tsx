import { t } from '@lingui/core/macro'
import { Ban, History, ClockPlus, MonitorX, Trash2 } from 'lucide-react'
import { BulkBar } from '#web/table/bulk-bar.tsx'
import type { Selection } from '#web/table/selection.ts'
import { Button } from '#web/ui/button.tsx'
import type { DialogState } from '#web/use-dialog.ts'

interface UsersBulkBarProps {
  dialog: DialogState
  selection: Selection
  total: number
  pageIds: readonly string[]
}

export function UsersBulkBar({ dialog: { open }, ...rest }: UsersBulkBarProps) {
  return (
    <BulkBar {...rest} canSelectAllMatching>
      <Button icon={<ClockPlus />} onClick={() => open('extend')}>{t`Extend`}</Button>
      <Button icon={<History />} onClick={() => open('subtract')}>{t`Subtract`}</Button>
      <Button icon={<MonitorX />} onClick={() => open('reset-selected')}>{t`Reset HWID`}</Button>
      <Button icon={<Ban />} onClick={() => open('ban-selected')}>{t`Ban`}</Button>
      <Button variant="danger" icon={<Trash2 />} onClick={() => open('delete-selected')}>{t`Delete`}</Button>
    </BulkBar>
  )
}
