import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { AssignedApp } from './assigned-apps.ts'
import { call } from '#web/api/call.ts'
import { successText } from '#web/api/errors.ts'
import { newId } from '#web/browser/new-id.ts'
import { notify } from '#web/browser/notify.ts'
import { ConfirmCall } from '#web/form/confirm-call.tsx'
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
  return (
    <ConfirmCall
      title={t`Delete license?`}
      description={t`This action cannot be undone.`}
      impact={t`Credits will be refunded: the amount paid for it, regardless of today's cost.`}
      confirmLabel={t`Delete`}
      send={() => call('DELETE /reseller/licenses/{id}', { params: { id: license }, appId: app.appId, idempotencyKey })}
      failure={t`Failed to delete license`}
      // The license may have been redeemed meanwhile.
      onFailed={() => void creditsMoved()}
      report={(reply) => {
        notify.success(successText(reply))
        if (reply.refunded > 0) notify.success(t`Credits have been refunded`)
      }}
      refresh={creditsMoved}
      onClose={onClose}
    >
      <p className="break-all">
        <MachineText value={license} />
      </p>
    </ConfirmCall>
  )
}

interface ResetHwidProps {
  app: AssignedApp
  user: OwnUser
  onClose: () => void
}

export function ResetOwnHwidDialog({ app, user: { username }, onClose }: ResetHwidProps) {
  const { appName, appId } = app
  return (
    <ConfirmCall
      title={t`Reset the HWID of ${username}?`}
      description={t`The next machine that signs in is bound to the user.`}
      confirmLabel={t`Reset HWID`}
      send={() => call('POST /reseller/users/{u}/reset-hwid', { params: { u: username }, body: { appName }, appId })}
      failure={t`Failed to reset HWID`}
      refresh={ownUserList.refresh}
      onClose={onClose}
    />
  )
}
