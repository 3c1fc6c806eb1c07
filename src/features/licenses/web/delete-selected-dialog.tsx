import { plural, t } from '@lingui/core/macro'
import { useState } from 'react'
import { notify } from '#web/notify.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import { type BulkTarget, targetCount } from './bulk-licenses.ts'
import { DeleteOptions } from './delete-options.tsx'
import { seenLicenses } from './license-list.ts'

interface DeleteSelectedDialogProps {
  target: BulkTarget
  appName: string
  onDone: () => void
  onPart: (deleted: readonly string[]) => void
  onClose: () => void
}

export function DeleteSelectedDialog({ target, appName, onDone, onPart, onClose }: DeleteSelectedDialogProps) {
  const [{ used, known }] = useState(() => usedAmong(target))
  const [flags, setFlags] = useState({ deleteUsers: used > 0 || !known, refundCredits: true })
  const count = targetCount(target)
  const unused = count - used
  return (
    <BulkDialog
      action="delete"
      target={target}
      flags={flags}
      title={plural(count, { one: 'Delete # license?', other: 'Delete # licenses?' })}
      description={t`This action cannot be undone.`}
      impact={
        known
          ? t`${used} redeemed, ${unused} not redeemed. Access by a deleted license ends at once.`
          : t`Every license that matches the search and the filters. Access by a deleted license ends at once.`
      }
      // Nobody has looked through all of them: as grave as Delete all.
      typedName={'keys' in target ? undefined : appName}
      confirmLabel={t`Delete selected`}
      failure={t`Failed to delete selected licenses`}
      onDone={({ done }) => {
        notify.success(
          plural(done, { one: 'Deleted # license successfully', other: 'Deleted # licenses successfully' }),
        )
        onDone()
      }}
      onPart={onPart}
      onClose={onClose}
    >
      <DeleteOptions
        flags={flags}
        onChange={setFlags}
        noUsers={known && used === 0 ? t`Nobody has redeemed them.` : undefined}
        noRefund={known && unused === 0 ? t`They are redeemed: there is nothing to refund.` : undefined}
      />
    </BulkDialog>
  )
}

/** How many of the selected are redeemed, as far as the pages that were looked at tell. */
function usedAmong(target: BulkTarget): { used: number; known: boolean } {
  if (!('keys' in target)) return { used: 0, known: false }
  const seen = seenLicenses()
  const rows = target.keys.map((key) => seen.get(key))
  return { used: rows.filter((row) => row?.used).length, known: rows.every((row) => row !== undefined) }
}
