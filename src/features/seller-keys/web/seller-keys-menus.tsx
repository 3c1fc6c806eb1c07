import { t } from '@lingui/core/macro'
import { Download, Pause, Pencil, Play, RotateCw, Trash2 } from 'lucide-react'
import type { DialogsOf } from '#web/panel/panel-dialog.tsx'
import type { App } from '#web/session/session.ts'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import { exportSellerKeys, type SellerKey, sellerKeyList, toggleKeyStatus } from './seller-keys-data.ts'

export const SellerKeyForm = lazyDialog(() => import('./seller-keys-form.tsx'), 'SellerKeyForm')
const RotateKeyDialog = lazyDialog(() => import('./rotate-key-dialog.tsx'), 'RotateKeyDialog')
export const DeleteKeysDialog = lazyDialog(() => import('./delete-keys-dialog.tsx'), 'DeleteKeysDialog')

export function moreMenu(
  app: App,
  { isEmpty, noBulk }: { isEmpty: boolean; noBulk: string | undefined },
  open: (name: string) => void,
): MenuEntry[] {
  const disabledReason = isEmpty ? t`There are no seller keys` : undefined
  const exportAll = () => void exportSellerKeys(app)
  const deleteAll = () => open('delete-all')
  return [
    { label: t`Export`, icon: <Download />, onSelect: exportAll, disabledReason },
    { kind: 'separator' },
    {
      label: t`Delete all`,
      icon: <Trash2 />,
      danger: true,
      onSelect: deleteAll,
      disabledReason: noBulk ?? disabledReason,
    },
  ]
}

export function sellerKeyMenu(row: SellerKey, open: (name: string, row: string) => void): MenuEntry[] {
  const id = sellerKeyList.rowId(row)
  const toggle = () => void toggleKeyStatus(row)
  return [
    { label: t`Edit`, icon: <Pencil />, onSelect: () => open('edit', id) },
    row.status === 'active'
      ? { label: t`Pause`, icon: <Pause />, danger: true, onSelect: toggle }
      : { label: t`Activate`, icon: <Play />, onSelect: toggle },
    { label: t`Rotate`, icon: <RotateCw />, onSelect: () => open('rotate', id) },
    { kind: 'separator' },
    { label: t`Delete`, icon: <Trash2 />, danger: true, onSelect: () => open('delete', id) },
  ]
}

export const sellerKeyDialogs =
  (appName: string): DialogsOf<SellerKey> =>
  ({ onDone, onClose }) => ({
    edit: (row) => <SellerKeyForm sellerKey={row} appName={appName} onClose={onClose} />,
    rotate: (row) => <RotateKeyDialog sellerKey={row} onClose={onClose} />,
    delete: (row) => {
      const target = { sellerKeys: [sellerKeyList.rowId(row)] }
      return <DeleteKeysDialog target={target} name={row.keyName} onDone={onDone} onClose={onClose} />
    },
  })
