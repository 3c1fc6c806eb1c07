import { t } from '@lingui/core/macro'
import { Ban, Coins, KeyRound, Link2, Maximize2, ShieldCheck, ShieldOff, Trash2 } from 'lucide-react'
import type { DialogsOf } from '#web/panel/panel-dialog.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import { type Reseller, resellerList, setResellerBanned, startReset } from './resellers-data.ts'

const CreditsDialog = lazyDialog(() => import('./credits-dialog.tsx'), 'CreditsDialog')
const StartResetDialog = lazyDialog(() => import('#features/accounts/web/start-reset-dialog.tsx'), 'StartResetDialog')
const ResellerTwoFactorDialog = lazyDialog(() => import('./reseller-two-factor-dialog.tsx'), 'ResellerTwoFactorDialog')
const RenewSetupDialog = lazyDialog(() => import('./resellers-form.tsx'), 'RenewSetupDialog')
const DeleteResellerDialog = lazyDialog(() => import('./delete-reseller-dialog.tsx'), 'DeleteResellerDialog')

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

/** What the actions open. `appName` is selected first for credits. */
export const resellerDialogs =
  (appName?: string): DialogsOf<Reseller> =>
  ({ onDone, onClose }) => ({
    credits: (row) => <CreditsDialog reseller={row} appName={appName} onClose={onClose} />,
    'setup-link': (row) => <RenewSetupDialog reseller={row} onClose={onClose} />,
    'password-reset': (row) => (
      <StartResetDialog username={row.username} send={() => startReset(row)} onClose={onClose} />
    ),
    'two-factor-off': (row) => <ResellerTwoFactorDialog reseller={row} onClose={onClose} />,
    delete: (row) => <DeleteResellerDialog reseller={row} onDone={onDone} onClose={onClose} />,
  })
