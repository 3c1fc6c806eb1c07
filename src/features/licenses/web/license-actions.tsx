import { t } from '@lingui/core/macro'
import { Ban, ClockPlus, Ellipsis, FileDown, PanelRight, Pencil, Plus, Trash2 } from 'lucide-react'
import { notify } from '#web/notify.ts'
import { useShortcuts } from '#web/shortcuts.ts'
import { Button } from '#web/ui/button.tsx'
import { Menu } from '#web/ui/menu.tsx'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import { Tooltip } from '#web/ui/tooltip.tsx'
import type { DialogState } from '#web/use-dialog.ts'
import type { License, LicenseCounts } from './license-list.ts'

interface LicenseActionsProps {
  dialog: DialogState
  selected: number
  counts: LicenseCounts | undefined
}

/** The header's buttons; the ones that empty the list stand in a menu. */
export function LicenseActions({ dialog, selected, counts }: LicenseActionsProps) {
  const addTime = () => (selected === 0 ? notify.error(t`No licenses selected`) : dialog.open('add-time'))
  const nothing = counts?.total === 0 ? t`No licenses found` : undefined
  const noUnused = counts && counts.unused + counts.banned === 0 ? t`No unused licenses` : undefined
  const noUsed = counts && counts.used + counts.banned === 0 ? t`No used licenses` : undefined
  const entry = (name: string, label: string, disabledReason?: string): MenuEntry => ({
    label,
    icon: <Trash2 />,
    danger: true,
    disabledReason,
    onSelect: () => dialog.open(name),
  })
  return (
    <>
      <Tooltip text={t`More actions`} isLabel>
        <Menu
          label={t`More actions`}
          entries={() => [
            entry('delete-unused', t`Delete unused`, noUnused),
            entry('delete-used', t`Delete used`, noUsed),
            entry('delete-all', t`Delete all`, nothing),
          ]}
          className="inline-flex size-8 items-center justify-center rounded-md text-text-2 hover:bg-surface-2 hover:text-text data-[state=open]:bg-surface-2 pointer-coarse:size-11"
        >
          <Ellipsis className="size-4" />
        </Menu>
      </Tooltip>
      <Button icon={<ClockPlus />} onClick={addTime}>
        <span className="max-md:sr-only">{t`Add time`}</span>
      </Button>
      <Button icon={<FileDown />} disabledReason={nothing} onClick={() => dialog.open('export')}>
        <span className="max-md:sr-only">{t`Export`}</span>
      </Button>
      <Button variant="primary" icon={<Plus />} onClick={() => dialog.open('create')}>{t`Create licenses`}</Button>
    </>
  )
}

export const licenseMenu = (open: DialogState['open'], { license, banned }: License): readonly MenuEntry[] => [
  { label: t`Details`, icon: <PanelRight />, shortcut: '↵', onSelect: () => open('license', license) },
  { label: t`Edit`, icon: <Pencil />, shortcut: 'E', onSelect: () => open('edit', license) },
  {
    label: banned ? t`Unban` : t`Ban`,
    icon: <Ban />,
    shortcut: 'B',
    danger: !banned,
    onSelect: () => open('ban', license),
  },
  { kind: 'separator' },
  { label: t`Delete`, icon: <Trash2 />, danger: true, onSelect: () => open('delete', license) },
]

const focusedRow = () => document.activeElement?.closest<HTMLElement>('tr[data-row]')?.dataset.row

/** `n` makes new ones; `e` and `b` act on the row that has the focus. */
export function useLicenseShortcuts(open: DialogState['open']) {
  const group = t`Licenses`
  const onRow = (name: string) => () => {
    const key = focusedRow()
    if (key !== undefined) open(name, key)
  }
  useShortcuts([
    { id: 'create-licenses', keys: 'n', label: t`Create licenses`, group, run: () => open('create') },
    { id: 'edit-license', keys: 'e', label: t`Edit license`, group, run: onRow('edit') },
    { id: 'ban-license', keys: 'b', label: t`Ban or unban license`, group, run: onRow('ban') },
  ])
}
