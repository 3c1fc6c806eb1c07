import { t } from '@lingui/core/macro'
import { call } from '#web/api/call.ts'
import { appKey } from '#web/api/query-keys.ts'
import { PanelLink } from '#web/panel/panel-link.tsx'
import { PanelList, panelListLimit } from '#web/panel/panel-list.tsx'
import { Expiry, StatusBadge } from './licenses-columns.tsx'
import type { License } from './licenses-data.ts'

async function redeemedBy(username: string, signal: AbortSignal) {
  const options = { params: { username }, query: { limit: panelListLimit }, signal }
  const { licenses: rows, total } = await call('GET /user/{username}/licenses', options)
  return { rows, total }
}

/** The licenses that a user has redeemed. */
export const UserLicenses = ({ username }: { username: string }) => (
  <PanelList<License>
    queryKey={appKey('licenses', 'of-user', username)}
    load={(signal) => redeemedBy(username, signal)}
    rowKey={({ license }) => license}
    name={({ license }) => <PanelLink kind="license" id={license} />}
    badge={(license) => <StatusBadge license={license} />}
    facts={(license) => (
      <>
        <span>{license.subscription.name}</span>
        <Expiry license={license} />
      </>
    )}
    empty={t`This user has redeemed no license.`}
    failure={t`Failed to load licenses`}
  />
)
