import { t } from '@lingui/core/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/errors.ts'
import { appKey } from '#web/api/query-keys.ts'
import { PanelLink } from '#web/panel/panel-link.tsx'
import { Expiry, StatusBadge } from './licenses-columns.tsx'

const shown = 20

const licensesOfUserQuery = (username: string) =>
  queryOptions({
    queryKey: appKey('licenses', 'of-user', username),
    queryFn: ({ signal }) => call('GET /licenses', { query: { search: username, limit: shown }, signal }),
  })

/** The licenses that a user has redeemed, the newest of those that name the user. */
export function UserLicenses({ username }: { username: string }) {
  const { data, error } = useQuery(licensesOfUserQuery(username))
  if (!data) {
    const text = error ? failureText(error, t`Failed to load licenses`) : t`Loading…`
    return (
      <p role="status" className="text-ui text-text-2">
        {text}
      </p>
    )
  }
  const rows = data.licenses.filter(({ usedBy }) => usedBy === username)
  if (rows.length === 0) return <p className="text-ui text-text-2">{t`This user has redeemed no license.`}</p>
  return (
    <ul className="rounded-md border border-line">
      {rows.map((row) => (
        <li key={row.license} className="border-t border-line px-3 py-2 text-ui first:border-t-0">
          <div className="flex items-start justify-between gap-3">
            <PanelLink kind="license" id={row.license} />
            <StatusBadge license={row} />
          </div>
          <div className="mt-1 flex flex-wrap gap-x-3 text-meta">
            <span className="text-text-2">{row.subscription.name}</span>
            <Expiry license={row} />
          </div>
        </li>
      ))}
    </ul>
  )
}
