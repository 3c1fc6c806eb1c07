import { t } from '@lingui/core/macro'
import { Ban, Download, MonitorX, Pause, Pencil, Play, ShieldCheck, TimerOff, Trash2 } from 'lucide-react'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import type { DialogState } from '#web/use-dialog.ts'
import type { User, UserCounts } from './user-list.ts'

export function userMenu(open: DialogState['open'], { username, banned, paused, hwid }: User): MenuEntry[] {
  return [
    { label: t`Edit User`, icon: <Pencil />, onSelect: () => open('edit', username) },
    { label: banned ? t`Unban` : t`Ban`, icon: <Ban />, danger: !banned, onSelect: () => open('ban', username) },
    {
      label: paused ? t`Unpause` : t`Pause`,
      icon: paused ? <Play /> : <Pause />,
      danger: !paused,
      onSelect: () => open('pause', username),
    },
    {
      label: t`Reset HWID`,
      icon: <MonitorX />,
      disabledReason: hwid ? undefined : t`No machine is bound`,
      onSelect: () => open('reset-hwid', username),
    },
    { kind: 'separator' },
    { label: t`Delete`, icon: <Trash2 />, danger: true, onSelect: () => open('delete', username) },
  ]
}

/** What concerns every user of the app (part 1 §2; conflicts C48). */
export function wholeListMenu(open: DialogState['open'], counts: UserCounts | undefined): MenuEntry[] {
  const none = counts?.total === 0 ? t`There are no users` : undefined
  return [
    { label: t`Export`, icon: <Download />, disabledReason: none, onSelect: () => open('export') },
    { kind: 'separator' },
    {
      label: t`Unban all`,
      icon: <ShieldCheck />,
      disabledReason: counts?.banned === 0 ? t`Nobody is banned` : none,
      onSelect: () => open('unban-all'),
    },
    { kind: 'separator' },
    {
      label: t`Reset all HWIDs`,
      icon: <MonitorX />,
      danger: true,
      disabledReason: none,
      onSelect: () => open('reset-all-hwid'),
    },
    {
      label: t`Delete expired`,
      icon: <TimerOff />,
      danger: true,
      disabledReason: counts?.expired === 0 ? t`Nobody is expired` : none,
      onSelect: () => open('delete-expired'),
    },
    { label: t`Delete all`, icon: <Trash2 />, danger: true, disabledReason: none, onSelect: () => open('delete-all') },
  ]
}
