import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { selectedAppStore } from '#web/api/app-selection.ts'
import { call } from '#web/api/call.ts'
import { successText } from '#web/api/errors.ts'
import { notify, notifyUndoable } from '#web/browser/notify.ts'
import { DeleteDialog, type DeleteHandlers } from '#web/bulk/delete-dialog.tsx'
import { restorableText } from '#web/bulk/deletion-undo.ts'
import { changeAtOnce } from '#web/api/optimistic-change.ts'
import { appKeyOf } from '#web/api/query-keys.ts'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { type CachedLicenses, type License, licenseList, withBan } from './licenses-data.ts'

interface BanLicenseDialogProps {
  license: Pick<License, 'license' | 'banned'>
  /** Called once the new state is stored, and after Undo. */
  onChanged?: (() => void) | undefined
  onClose: () => void
}

/** Asks for confirmation; the new state shows immediately and can be undone. */
export function BanLicenseDialog({ license: { license, banned }, onChanged, onClose }: BanLicenseDialogProps) {
  const toggle = () => {
    void setLicenseBanned(license, !banned, { onChanged })
    onClose()
  }
  return (
    <ConfirmDialog
      title={banned ? t`Unban license?` : t`Ban license?`}
      description={
        banned ? t`Access is restored immediately.` : t`Access ends immediately; active sessions are closed.`
      }
      confirmLabel={banned ? t`Unban` : t`Ban`}
      danger={!banned}
      onConfirm={toggle}
      onClose={onClose}
    >
      <p className="break-all">
        <MachineText value={license} />
      </p>
      <ShowApiCall
        calls={() => [apiCall('POST /toggle_ban_license', { body: { licenseKey: license, banned: !banned } })]}
      />
    </ConfirmDialog>
  )
}

interface BanOptions {
  /** The app of the license: when Undo is clicked, another app may be selected. */
  appId?: string
  isUndo?: boolean
  onChanged?: (() => void) | undefined
}

/** Can be undone. */
async function setLicenseBanned(license: string, banned: boolean, options: BanOptions = {}) {
  const { appId = selectedAppStore.get()?.appId, isUndo = false, onChanged } = options
  const undo = () => void setLicenseBanned(license, !banned, { appId, isUndo: true, onChanged })
  await changeAtOnce({
    id: license,
    queryKeys: [appKeyOf(appId, 'licenses')],
    show: (cached: CachedLicenses) => withBan(cached, license, banned),
    takeBack: (cached: CachedLicenses) => withBan(cached, license, !banned),
    send: () => call('POST /toggle_ban_license', { body: { licenseKey: license, banned }, appId }),
    onDone: (reply) => (isUndo ? notify.success(successText(reply)) : notifyUndoable(successText(reply), undo)),
    failure: t`Failed to ban/unban license`,
  })
  onChanged?.()
}

export function DeleteLicenseDialog({ license, ...handlers }: DeleteHandlers & { license: License }) {
  const { used, usedBy, generatedByReseller } = license
  const [flags, setFlags] = useState({ deleteUsers: false, refundCredits: true })
  const noUsers = used ? undefined : t`It has not been redeemed.`
  const noRefund = used
    ? t`It has been redeemed, so there is nothing to refund.`
    : generatedByReseller
      ? undefined
      : t`No reseller paid for it.`
  const options = { deleteUsers: used && flags.deleteUsers, refundCredits: flags.refundCredits }
  const body = { licenseKey: license.license, ...options }
  return (
    <DeleteDialog
      title={t`Delete license?`}
      description={restorableText()}
      impact={
        <>
          <span className="block break-all">
            <MachineText value={license.license} />
          </span>
          {used && <span className="mt-1 block text-text-2">{t`Redeemed by ${usedBy}; access ends immediately.`}</span>}
        </>
      }
      confirmLabel={t`Delete license`}
      send={() => call('POST /delete_license', { body })}
      apiCall={() => apiCall('POST /delete_license', { body })}
      refresh={licenseList.refresh}
      failure={t`Failed to delete license`}
      {...handlers}
    >
      <DeleteOptions flags={flags} onChange={setFlags} user={usedBy} noUsers={noUsers} noRefund={noRefund} />
    </DeleteDialog>
  )
}

export interface DeleteFlags {
  deleteUsers: boolean
  refundCredits: boolean
}

interface DeleteOptionsProps {
  flags: DeleteFlags
  onChange: (flags: DeleteFlags) => void
  /** Who redeemed it, if it is about one license. */
  user?: string
  /** Reason why the option is disabled. */
  noUsers?: string
  noRefund?: string
}

/** Shown in every delete dialog. Refunds only apply to unused licenses of resellers. */
export function DeleteOptions({ flags, onChange, user, noUsers, noRefund }: DeleteOptionsProps) {
  const loss = user
    ? t`${user} loses their account as well.`
    : t`The users who redeemed them lose their accounts as well.`
  return (
    <div className="flex flex-col gap-2.5">
      <CheckboxField
        label={t`Also delete users`}
        help={noUsers ?? loss}
        disabled={noUsers !== undefined}
        checked={flags.deleteUsers && noUsers === undefined}
        onChange={(event) => onChange({ ...flags, deleteUsers: event.target.checked })}
      />
      <CheckboxField
        label={t`Refund credits`}
        help={noRefund ?? t`Resellers get back the credits they paid for unredeemed licenses.`}
        disabled={noRefund !== undefined}
        checked={flags.refundCredits && noRefund === undefined}
        onChange={(event) => onChange({ ...flags, refundCredits: event.target.checked })}
      />
    </div>
  )
}
