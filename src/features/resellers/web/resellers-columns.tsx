import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { NumberLink, numberLook } from '#web/navigation/number-link.tsx'
import { PanelLink } from '#web/panel/panel-link.tsx'
import { useSelectedApp } from '#web/session/use-account.ts'
import type { Column } from '#web/table/column.ts'
import { agoCells } from '#web/table/time-cells.tsx'
import { Badge, badgeFrame } from '#web/ui/badge.tsx'
import { licensesInApp, licensesOfReseller, type Reseller } from './resellers-data.ts'

const number = (value: number) => value.toLocaleString(document.documentElement.lang)

export const resellerColumns = (): readonly Column<Reseller>[] => [
  {
    id: 'username',
    header: t`Username`,
    sortable: true,
    width: 200,
    cell: ({ username }) => (
      <span translate="no" title={username} className="truncate text-text">
        {username}
      </span>
    ),
  },
  {
    id: 'email',
    header: t`Email`,
    sortable: true,
    width: 230,
    yields: 4,
    card: 1,
    cell: (row) => <Email row={row} />,
    cardCell: (row) => !row.setUp && <Email row={row} />,
  },
  {
    id: 'apps',
    header: t`Assigned Apps`,
    width: 170,
    yields: 2,
    card: 2,
    cell: (row) => <Apps row={row} />,
    cardCell: (row) => row.assignedApps.length > 0 && <Apps row={row} />,
  },
  {
    id: 'credits',
    header: t`Total Credits`,
    width: 120,
    needs: ({ stats }) => number(stats.totalCredits),
    card: 3,
    cell: (row) => <Credits row={row} />,
    cardCell: ({ stats: { totalCredits: credits } }) => plural(credits, { one: '# credit', other: '# credits' }),
  },
  {
    id: 'licenses',
    header: t`Licenses Generated`,
    width: 160,
    needs: ({ stats }) => number(stats.totalLicensesGenerated),
    yields: 3,
    cell: (row) => <Licenses row={row} />,
  },
  {
    id: 'status',
    header: t`Status`,
    width: 120,
    needs: () => Object.values(statusTexts()),
    beside: badgeFrame,
    card: 'aside',
    cell: (row) => <ResellerStatus row={row} />,
  },
  {
    id: 'created',
    header: t`Created`,
    sortable: true,
    width: 140,
    yields: 1,
    startsHidden: true,
    ...agoCells(({ createdDate }) => createdDate),
  },
]

/** Leads to the history of the credits, in the panel. */
function Credits({ row: { username, stats } }: { row: Reseller }) {
  const shown = number(stats.totalCredits)
  return (
    <PanelLink
      kind="reseller"
      id={username}
      tab="payments"
      label={t`Credits of ${username}: ${shown}`}
      className={`text-violet ${numberLook}`}
    >
      {shown}
    </PanelLink>
  )
}

/** Counted in all apps: what is in the selected app leads to its list. */
function Licenses({ row: { id, username, stats } }: { row: Reseller }) {
  const own = licensesInApp(stats, useSelectedApp())
  const total = stats.totalLicensesGenerated
  const all = number(total)
  if (own === 0) return <span className="text-text-2 tabular-nums">{all}</span>
  const shown = number(own)
  const link = (
    <NumberLink {...licensesOfReseller(id)} label={t`Licenses of ${username} in this app: ${shown}`}>
      {shown}
    </NumberLink>
  )
  return (
    <span className="text-text-2 tabular-nums">
      {own === total ? (
        link
      ) : (
        <Trans>
          {link} of {all}
        </Trans>
      )}
    </span>
  )
}

const statusTexts = () => ({ active: t`Active`, invited: t`Invited`, banned: t`Banned` })

const statusLooks = {
  active: { tone: 'ok', dot: 'filled' },
  invited: { tone: 'warn', dot: 'ring' },
  banned: { tone: 'danger', dot: 'slashed' },
} as const

/** Nobody is active who can't sign in yet. */
export function ResellerStatus({ row: { banned, setUp } }: { row: Pick<Reseller, 'banned' | 'setUp'> }) {
  const status = banned ? 'banned' : setUp ? 'active' : 'invited'
  return <Badge {...statusLooks[status]}>{statusTexts()[status]}</Badge>
}

/** There is no address until the reseller has used the setup link. */
function Email({ row: { email, setUp } }: { row: Reseller }) {
  if (!setUp) return <span className="text-text-3">{t`Setup pending`}</span>
  return (
    <span translate="no" title={email} className="truncate text-text-2">
      {email}
    </span>
  )
}

/** The number of apps; hover for their names. */
function Apps({ row: { assignedApps } }: { row: Reseller }) {
  const [first] = assignedApps
  const count = assignedApps.length
  if (!first) return <span className="text-text-3">{t`None`}</span>
  if (count === 1) {
    return (
      <span translate="no" title={first.appName} className="truncate text-text-2">
        {first.appName}
      </span>
    )
  }
  return (
    <span className="text-text-2" title={assignedApps.map(({ appName }) => appName).join(', ')}>
      {plural(count, { one: '# app', other: '# apps' })}
    </span>
  )
}
