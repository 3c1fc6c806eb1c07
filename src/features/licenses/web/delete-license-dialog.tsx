import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#web/call.ts'
import { failureText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { DeleteOptions } from './delete-options.tsx'
import { type License, refreshLicenses } from './license-list.ts'

interface DeleteLicenseDialogProps {
  license: License
  onDone: () => void
  onClose: () => void
}

export function DeleteLicenseDialog({ license, onDone, onClose }: DeleteLicenseDialogProps) {
  const { used, usedBy, generatedByReseller } = license
  const [flags, setFlags] = useState({ deleteUsers: used, refundCredits: true })
  const noUsers = used ? undefined : t`Nobody has redeemed it.`
  const noRefund = used
    ? t`It is redeemed: there is nothing to refund.`
    : generatedByReseller
      ? undefined
      : t`No reseller paid for it.`
  const remove = useMutation({
    mutationFn: () => {
      const options = { deleteUser: used && flags.deleteUsers, refundCredits: flags.refundCredits }
      return call('POST /delete_license', { body: { licenseKey: license.license, ...options } })
    },
    onSuccess: async ({ message }) => {
      notify.success(message ?? t`License deleted successfully`)
      onDone()
      await refreshLicenses()
    },
  })
  return (
    <ConfirmDialog
      title={t`Delete license?`}
      description={t`This action cannot be undone.`}
      impact={
        <>
          <span className="block break-all">
            <MachineText value={license.license} />
          </span>
          {used && <span className="mt-1 block text-text-2">{t`Redeemed by ${usedBy}; access ends at once.`}</span>}
        </>
      }
      confirmLabel={t`Delete license`}
      busy={remove.isPending}
      error={remove.error ? failureText(remove.error, t`Failed to delete license`) : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <DeleteOptions flags={flags} onChange={setFlags} noUsers={noUsers} noRefund={noRefund} />
    </ConfirmDialog>
  )
}
