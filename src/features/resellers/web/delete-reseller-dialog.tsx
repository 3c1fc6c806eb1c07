import { plural, t } from '@lingui/core/macro'
import { useState } from 'react'
import { licenseList } from '#features/licenses/web/licenses-data.ts'
import { apiCall } from '#web/api-call/api-call.ts'
import { call } from '#web/api/call.ts'
import { DeleteDialog, type DeleteHandlers } from '#web/bulk/delete-dialog.tsx'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { type Reseller, refreshResellers } from './resellers-data.ts'

/** Asks whether to delete the licenses and their users too; one choice, sent under both names. */
export function DeleteResellerDialog({ reseller, ...handlers }: DeleteHandlers & { reseller: Reseller }) {
  const { id, username, stats } = reseller
  const [withData, setWithData] = useState(false)
  const flags = { deleteLicenses: withData, deleteUsers: withData }
  const input = { params: { id }, query: flags, body: flags }
  const hasLicenses = stats.total > 0
  return (
    <DeleteDialog
      title={t`Delete ${username}?`}
      description={t`This action cannot be undone. The reseller is signed out immediately.`}
      impact={<Impact stats={stats} withData={withData} />}
      isAll={withData}
      typed={{ name: username, label: t`Username`, mismatch: t`Username does not match` }}
      confirmLabel={t`Delete reseller`}
      send={() => call('DELETE /resellers/{id}', input)}
      apiCall={() => apiCall('DELETE /resellers/{id}', input)}
      refresh={() => Promise.all([refreshResellers(), withData && licenseList.refresh()])}
      failure={t`Failed to delete reseller`}
      {...handlers}
    >
      <CheckboxField
        label={t`Also delete the reseller's licenses and users`}
        help={
          hasLicenses
            ? t`Otherwise, the licenses stay valid and stay marked as the reseller's.`
            : t`This reseller has not generated any licenses.`
        }
        disabled={!hasLicenses}
        checked={withData}
        onChange={(event) => setWithData(event.target.checked)}
      />
    </DeleteDialog>
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
        one: '# of them is redeemed: its user loses their account as well.',
        other: '# of them are redeemed: their users lose their accounts as well.',
      }),
  ]
  const losses = lines.filter((line) => line !== false)
  if (losses.length === 0) return t`Nothing else is deleted.`
  return losses.map((line) => <p key={line}>{line}</p>)
}
