import { t } from '@lingui/core/macro'
import { Ban, ClockPlus, History, MonitorX, Pause, Play, ShieldCheck, Trash2 } from 'lucide-react'
import { BulkBar } from '#web/table/bulk-bar.tsx'
import type { Selection } from '#web/table/selection.ts'
import { Button } from '#web/ui/button.tsx'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import { MoreActions } from '#web/ui/more-actions.tsx'
import type { DialogState } from '#web/use-dialog.ts'

interface UsersBulkBarProps {
  dialog: DialogState
  selection: Selection
  total: number
  pageIds: readonly string[]
}

/** In fewer lines on a phone. */
const textOnly = 'max-md:[&_svg]:hidden'

const moreEntries = (open: DialogState['open']): readonly MenuEntry[] => [
  { label: t`Unban`, icon: <ShieldCheck />, onSelect: () => open('unban-selected') },
  { label: t`Unpause`, icon: <Play />, onSelect: () => open('unpause-selected') },
  { kind: 'separator' },
  { label: t`Pause`, icon: <Pause />, danger: true, onSelect: () => open('pause-selected') },
]

export function UsersBulkBar({ dialog: { open }, ...rest }: UsersBulkBarProps) {
  return (
    <BulkBar {...rest} canSelectAllMatching>
      <Button icon={<ClockPlus />} className={textOnly} onClick={() => open('extend')}>{t`Extend`}</Button>
      <Button
        variant="danger"
        icon={<History />}
        className={textOnly}
        onClick={() => open('subtract')}
      >{t`Subtract`}</Button>
      <Button
        variant="danger"
        icon={<MonitorX />}
        className={textOnly}
        onClick={() => open('reset-selected')}
      >{t`Reset HWID`}</Button>
      <Button
        variant="danger"
        icon={<Ban />}
        className={textOnly}
        onClick={() => open('ban-selected')}
      >{t`Ban`}</Button>
      <Button
        variant="danger"
        icon={<Trash2 />}
        className={textOnly}
        onClick={() => open('delete-selected')}
      >{t`Delete`}</Button>
      <MoreActions label={t`More for selected rows`} entries={() => moreEntries(open)} />
    </BulkBar>
  )
}
