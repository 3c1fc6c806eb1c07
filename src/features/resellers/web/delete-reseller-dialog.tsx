import { plural, t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#web/call.ts'
import { failureText, successText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { licenseList } from '#features/licenses/web/licenses-data.ts'
import { type Reseller, refreshResellers } from './resellers-data.ts'

interface DeleteResellerProps {
  reseller: Reseller
  onDone: () => void
  onClose: () => void
}

/** Asks whether the licenses and their users go as well (part 2 §2); one choice under both names (conflicts C53). */
export function DeleteResellerDialog({ reseller, onDone, onClose }: DeleteResellerProps) {
  const { id, username, stats } = reseller
  const [withData, setWithData] = useState(false)
  const flags = { deleteLicenses: withData, deleteUsers: withData }
  const remove = useMutation({
    mutationFn: () => call('DELETE /resellers/{id}', { params: { id }, query: flags, body: flags }),
    onSuccess: async (reply) => {
      notify.success(successText(reply))
      onDone()
      await Promise.all([refreshResellers(), withData && licenseList.refresh()])
    },
  })
  const hasLicenses = stats.total > 0
  return (
    <ConfirmDialog
      title={t`Delete ${username}?`}
      description={t`This action cannot be undone. The reseller is signed out at once.`}
      impact={<Impact stats={stats} withData={withData} />}
      typedName={withData ? username : undefined}
      typedLabel={t`Username`}
      typedMismatch={t`Username does not match`}
      confirmLabel={t`Delete reseller`}
      busy={remove.isPending}
      error={remove.error ? failureText(remove.error, t`Failed to delete reseller`) : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <CheckboxField
        label={t`Also delete the reseller's licenses and users`}
        help={
          hasLicenses
            ? t`Otherwise the licenses stay valid, and stay marked as the reseller's.`
            : t`This reseller has made no licenses.`
        }
        disabled={!hasLicenses}
        checked={withData}
        onChange={(event) => setWithData(event.target.checked)}
      />
    </ConfirmDialog>
  )
}

function Impact({ stats, withData }: { stats: Reseller['stats']; withData: boolean }) {
  const { totalCredits, total, used } = stats
  const lines = [
    totalCredits > 0 &&
      plural(totalCredits, { one: '# unspent credit is lost.', other: '# unspent credits are lost.' }),
    total > 0 &&
      (withData
        ? plural(total, { one: '# license is deleted.', other: '# licenses are deleted.' })
        : plural(total, { one: '# license stays.', other: '# licenses stay.' })),
    withData &&
      used > 0 &&
      plural(used, {
        one: '# of them is redeemed: whoever did so loses the account as well.',
        other: '# of them are redeemed: whoever did so loses the account as well.',
      }),
  ]
  const losses = lines.filter((line) => line !== false)
  if (losses.length === 0) return t`Nothing else is lost.`
  return losses.map((line) => <p key={line}>{line}</p>)
}
