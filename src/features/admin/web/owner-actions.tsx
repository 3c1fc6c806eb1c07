import { t } from '@lingui/core/macro'
import { Ban, CreditCard, KeyRound, ShieldCheck, Trash2 } from 'lucide-react'
import type { DialogsOf } from '#web/panel/panel-dialog.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import { type AdminOwner, setOwnerBanned, startReset } from './admin-data.ts'

/** What an administrator does with an owner, from the list and from the panel. */

const ChangePlanDialog = lazyDialog(() => import('./owners-dialogs.tsx'), 'ChangePlanDialog')
const StartResetDialog = lazyDialog(() => import('#features/accounts/web/start-reset-dialog.tsx'), 'StartResetDialog')
const BanOwnerDialog = lazyDialog(() => import('./owners-dialogs.tsx'), 'BanOwnerDialog')
const DeleteOwnerDialog = lazyDialog(() => import('./owners-dialogs.tsx'), 'DeleteOwnerDialog')

const isProtected = ({ role }: AdminOwner) =>
  role === 'admin' ? t`Administrators cannot be banned or deleted` : undefined

/** Unbanning stops nobody, so it needs no dialog. */
export const banEntry = (owner: AdminOwner, open: (dialog: string) => void) => {
  const disabledReason = isProtected(owner)
  return owner.banned
    ? { label: t`Unban`, icon: <ShieldCheck />, onSelect: () => void setOwnerBanned(owner, false), disabledReason }
    : { label: t`Ban`, icon: <Ban />, danger: true, onSelect: () => open('ban'), disabledReason }
}

export const changePlanEntry = (open: (dialog: string) => void) => ({
  label: t`Change plan`,
  icon: <CreditCard />,
  onSelect: () => open('plan'),
})

export const resetEntry = ({ banned }: AdminOwner, open: (dialog: string) => void): MenuEntry => ({
  label: t`Reset password`,
  icon: <KeyRound />,
  onSelect: () => open('password-reset'),
  disabledReason: banned ? t`The owner is banned` : undefined,
})

export const deleteEntry = (owner: AdminOwner, open: (dialog: string) => void): MenuEntry => ({
  label: t`Delete`,
  icon: <Trash2 />,
  danger: true,
  onSelect: () => open('delete'),
  disabledReason: isProtected(owner),
})

/** By the name that `open` gets. */
export const ownerDialogs: DialogsOf<AdminOwner> = ({ onDone, onClose }) => ({
  plan: (owner) => <ChangePlanDialog owner={owner} onClose={onClose} />,
  'password-reset': (owner) => (
    <StartResetDialog username={owner.username} send={() => startReset(owner)} onClose={onClose} />
  ),
  ban: (owner) => <BanOwnerDialog owner={owner} onClose={onClose} />,
  delete: (owner) => <DeleteOwnerDialog owner={owner} onDone={onDone} onClose={onClose} />,
})
