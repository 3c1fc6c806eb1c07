import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { AssignedApp } from './assigned-apps.ts'
import { call } from '#web/api/call.ts'
import { failureText, successText } from '#web/api/errors.ts'
import { newId } from '#web/browser/new-id.ts'
import { notify } from '#web/browser/notify.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { creditsMoved, type OwnLicense, type OwnUser, ownUserList } from './reseller-data.ts'

interface DeleteOwnLicenseProps {
  app: AssignedApp
  license: OwnLicense
  onClose: () => void
}

export function DeleteOwnLicenseDialog({ app, license: { license }, onClose }: DeleteOwnLicenseProps) {
  // A retry after a lost response reuses the key, so the refund is given only once.
  const [idempotencyKey] = useState(() => newId())
  const remove = useMutation({
    mutationFn: () =>
      call('DELETE /reseller/licenses/{id}', { params: { id: license }, appId: app.appId, idempotencyKey }),
    onSuccess: async (reply) => {
      notify.success(successText(reply))
      if (reply.refunded > 0) notify.success(t`Credits have been refunded`)
      onClose()
      await creditsMoved()
    },
    // The license may have been redeemed meanwhile.
    onError: () => void creditsMoved(),
  })
  return (
    <ConfirmDialog
      title={t`Delete license?`}
      description={t`This action cannot be undone.`}
      impact={t`Credits will be refunded: the amount paid for it, regardless of today's cost.`}
      confirmLabel={t`Delete`}
      busy={remove.isPending}
      error={remove.error ? failureText(remove.error, t`Failed to delete license`) : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p className="break-all">
        <MachineText value={license} />
      </p>
    </ConfirmDialog>
  )
}

interface ResetHwidProps {
  app: AssignedApp
  user: OwnUser
  onClose: () => void
}

export function ResetOwnHwidDialog({ app, user: { username }, onClose }: ResetHwidProps) {
  const { appName, appId } = app
  const reset = useMutation({
    mutationFn: () =>
      call('POST /reseller/users/{u}/reset-hwid', { params: { u: username }, body: { appName }, appId }),
    onSuccess: async (reply) => {
      notify.success(successText(reply))
      onClose()
      await ownUserList.refresh()
    },
  })
  return (
    <ConfirmDialog
      title={t`Reset the HWID of ${username}?`}
      description={t`The next machine that signs in is bound to the user.`}
      confirmLabel={t`Reset HWID`}
      busy={reset.isPending}
      error={reset.error ? failureText(reset.error, t`Failed to reset HWID`) : undefined}
      onConfirm={() => reset.mutate()}
      onClose={onClose}
    />
  )
}
