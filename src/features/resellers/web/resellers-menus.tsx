import { t } from '@lingui/core/macro'
import { Ban, Coins, KeyRound, Link2, Maximize2, ShieldCheck, ShieldOff, Trash2 } from 'lucide-react'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import { type Reseller, resellerList, setResellerBanned } from './resellers-data.ts'

type Open = (name: string, row: string) => void

function resetDisabledReason({ setUp, banned }: Reseller): string | undefined {
  if (!setUp) return t`This reseller has not set up the account yet`
  return banned ? t`The reseller is banned` : undefined
}

/** Menu actions for a reseller, in its row and on its page. */
export function resellerActions(row: Reseller, open: Open): MenuEntry[] {
  const id = resellerList.rowId(row)
  const toggle = () => void setResellerBanned(row, !row.banned)
  return [
    {
      label: t`Credits`,
      icon: <Coins />,
      onSelect: () => open('credits', id),
      disabledReason: row.assignedApps.length === 0 ? t`No app is assigned yet` : undefined,
    },
    {
      label: t`New setup link`,
      icon: <Link2 />,
      onSelect: () => open('setup-link', id),
      disabledReason: row.setUp ? t`This reseller has already set up the account` : undefined,
    },
    {
      label: t`Reset password`,
      icon: <KeyRound />,
      onSelect: () => open('password-reset', id),
      disabledReason: resetDisabledReason(row),
    },
    {
      label: t`Turn off two-factor`,
      icon: <ShieldOff />,
      onSelect: () => open('two-factor-off', id),
      disabledReason: row.twoFactor ? undefined : t`Two-factor authentication is not on`,
    },
    { kind: 'separator' },
    row.banned
      ? { label: t`Unban`, icon: <ShieldCheck />, onSelect: toggle }
      : { label: t`Ban`, icon: <Ban />, danger: true, onSelect: toggle },
    { label: t`Delete`, icon: <Trash2 />, danger: true, onSelect: () => open('delete', id) },
  ]
}

export const resellerMenu = (row: Reseller, open: Open, openPage: (row: Reseller) => void): MenuEntry[] => [
  { label: t`Open page`, icon: <Maximize2 />, onSelect: () => openPage(row) },
  ...resellerActions(row, open),
]
