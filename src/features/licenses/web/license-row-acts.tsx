import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { selectedAppStore } from '#web/app-selection.ts'
import { call } from '#web/call.ts'
import { failureText, successText } from '#web/errors.ts'
import { notify, notifyUndoable } from '#web/notify.ts'
import { queryClient } from '#web/query-client.ts'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { type License, type LicenseList, licensesKey, refreshLicenses } from './license-list.ts'
import { withBan } from './optimistic-ban.ts'

/** Asks first, as part 1 §4 wants; the answer shows at once and can be undone. */
export function BanLicenseDialog({ license: { license, banned }, onClose }: { license: License; onClose: () => void }) {
  const toggle = () => {
    void setLicenseBanned(license, !banned)
    onClose()
  }
  return (
    <ConfirmDialog
      title={banned ? t`Unban license?` : t`Ban license?`}
      description={banned ? t`Access is restored at once.` : t`Access ends at once; live sessions are closed.`}
      confirmLabel={banned ? t`Unban` : t`Ban`}
      danger={!banned}
      busy={false}
      error={undefined}
      onConfirm={toggle}
      onClose={onClose}
    >
      <p className="break-all">
        <MachineText value={license} />
      </p>
    </ConfirmDialog>
  )
}

interface BanOptions {
  /** The app it was asked for: Undo may be pressed after another one was selected. */
  appId?: string
  queryKey?: readonly unknown[]
  isUndo?: boolean
}

/** Shows the ban at once, takes it back when the server refuses, and offers to undo it. */
async function setLicenseBanned(license: string, banned: boolean, options: BanOptions = {}) {
  const { appId = selectedAppStore.get()?.appId, queryKey = licensesKey(), isUndo = false } = options
  await queryClient.cancelQueries({ queryKey })
  const before = queryClient.getQueriesData<LicenseList>({ queryKey })
  queryClient.setQueriesData<LicenseList>({ queryKey }, (list) => list && withBan(list, license, banned))
  const again = (state: boolean, undo: boolean) => () =>
    void setLicenseBanned(license, state, { appId, queryKey, isUndo: undo })
  try {
    const reply = await call('POST /toggle_ban_license', { body: { licenseKey: license, banned }, appId })
    const text = successText(reply)
    if (isUndo) notify.success(text)
    else notifyUndoable(text, again(!banned, true))
  } catch (error) {
    for (const [key, list] of before) queryClient.setQueryData(key, list)
    const retry = { label: t`Retry`, onAction: again(banned, isUndo) }
    notify.error(failureText(error, t`Failed to ban/unban license`), { action: retry })
  }
  await queryClient.invalidateQueries({ queryKey })
}

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
    onSuccess: async (reply) => {
      notify.success(successText(reply))
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

export interface DeleteFlags {
  deleteUsers: boolean
  refundCredits: boolean
}

interface DeleteOptionsProps {
  flags: DeleteFlags
  onChange: (flags: DeleteFlags) => void
  /** Why an option has nothing to act on; it is then off. */
  noUsers?: string
  noRefund?: string
}

/**
 * Both options stand in every delete dialog (part 1 §9). Refunds concern unused licenses of resellers only, and are
 * not offered until there are resellers: the server would do nothing.
 */
export function DeleteOptions({ flags, onChange, noUsers, noRefund }: DeleteOptionsProps) {
  return (
    <div className="flex flex-col gap-2.5">
      <CheckboxField
        label={t`Also delete users`}
        help={noUsers ?? t`Whoever redeemed them loses their account as well.`}
        disabled={noUsers !== undefined}
        checked={flags.deleteUsers && noUsers === undefined}
        onChange={(event) => onChange({ ...flags, deleteUsers: event.target.checked })}
      />
      <CheckboxField
        label={t`Refund credits`}
        help={noRefund ?? t`There are no resellers yet: nobody has paid for a license with credits.`}
        disabled
        checked={false}
        readOnly
      />
    </div>
  )
}
