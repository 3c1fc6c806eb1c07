import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Coins } from 'lucide-react'
import { useId } from 'react'
import { Expiry, StatusBadge } from '#features/licenses/web/licenses-columns.tsx'
import type { License } from '#features/licenses/web/licenses-data.ts'
import { call } from '#web/api/call.ts'
import { appKey } from '#web/api/query-keys.ts'
import { NumberLink } from '#web/navigation/number-link.tsx'
import { paths } from '#web/navigation/paths.ts'
import { PanelDialog } from '#web/panel/panel-dialog.tsx'
import { PanelLink } from '#web/panel/panel-link.tsx'
import { PanelList, panelListLimit } from '#web/panel/panel-list.tsx'
import { CopiedFact, CopiedName, PanelFact, PanelFacts, PanelReason } from '#web/panel/panel-parts.tsx'
import { PanelRecord } from '#web/panel/panel-record.tsx'
import { usePanel } from '#web/panel/use-panel.ts'
import { useSelectedApp } from '#web/session/use-account.ts'
import { Button, buttonStyle } from '#web/ui/button.tsx'
import { MoreActions } from '#web/ui/more-actions.tsx'
import type { Tab } from '#web/ui/tabs.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { TimeLeft } from '#web/ui/time-left.tsx'
import { CreditHistory } from './credit-history.tsx'
import { ResellerStatus } from './resellers-columns.tsx'
import { licensesInApp, licensesOfReseller, type Reseller, resellerQuery } from './resellers-data.ts'
import { resellerActions, resellerDialogs } from './resellers-menus.tsx'

/** A reseller: balances, movements of credits, and last sales. Plans and domain are on the reseller's page. */
export function ResellerPanel({ username }: { username: string }) {
  const app = useSelectedApp()
  return (
    <PanelRecord
      query={useQuery(resellerQuery(username))}
      record={(reseller: Reseller) => reseller}
      kind={t`Reseller`}
      name={username}
      failure={t`Failed to load reseller details`}
      parts={(reseller) => ({
        name: <CopiedName name={reseller.username} copyLabel={t`Copy username`} />,
        badge: <ResellerStatus row={reseller} />,
        actions: <Actions reseller={reseller} />,
        details: <Facts reseller={reseller} />,
        tabs: [...(app ? [salesTab(reseller)] : []), paymentsTab(reseller)],
        dialog: <PanelDialog key={reseller.id} row={reseller} dialogs={resellerDialogs()} />,
      })}
    />
  )
}

function Actions({ reseller }: { reseller: Reseller }) {
  const { setAction } = usePanel()
  // Credits have a button of their own.
  const rest = () => resellerActions(reseller, setAction).slice(1)
  const noApp = reseller.assignedApps.length === 0 ? t`No app is assigned yet` : undefined
  const reasonId = useId()
  return (
    <>
      <Link to={paths.reseller(reseller.username)} className={buttonStyle({})}>
        {t`Open page`}
      </Link>
      <Button
        icon={<Coins />}
        disabledReason={noApp}
        aria-describedby={noApp && reasonId}
        onClick={() => setAction('credits')}
      >
        {t`Credits`}
      </Button>
      <MoreActions entries={rest} />
      <PanelReason id={reasonId} reason={noApp} />
    </>
  )
}

const number = (value: number) => value.toLocaleString(document.documentElement.lang)

function Facts({ reseller }: { reseller: Reseller }) {
  const { id, email, createdDate, setUp, setupExpiresAt, twoFactor, assignedApps, stats } = reseller
  const { total, used, unused } = stats
  const own = licensesInApp(stats, useSelectedApp())
  const shown = number(own)
  return (
    <>
      <PanelFacts>
        <CopiedFact name={t`Email`} value={email} copyLabel={t`Copy email address`}>
          <span translate="no">{email}</span>
        </CopiedFact>
        {!setUp && (
          <PanelFact name={t`Setup link`}>
            <span className="text-warn">{t`Not used yet`}</span>
            {setupExpiresAt !== null && <TimeLeft until={setupExpiresAt} />}
          </PanelFact>
        )}
        <PanelFact name={t`Two-factor`}>
          {twoFactor
            ? t({ message: 'On', context: 'two-factor authentication' })
            : t({ message: 'Off', context: 'two-factor authentication' })}
        </PanelFact>
        <PanelFact name={t`Licenses`}>
          <span>{plural(total, { one: '# sold in all apps', other: '# sold in all apps' })}</span>
          <span className="text-text-2">{t`${number(used)} redeemed, ${number(unused)} unused`}</span>
          {own > 0 && <NumberLink {...licensesOfReseller(id)}>{t`${shown} in this app`}</NumberLink>}
        </PanelFact>
        <PanelFact name={t`Created`}>
          <TimeAgo at={createdDate} />
        </PanelFact>
      </PanelFacts>
      <section aria-label={t`Credits`} className="mt-6">
        <h3 className="mb-2 text-ui font-semibold">{t`Credits`}</h3>
        {assignedApps.length === 0 ? (
          <p className="text-ui text-text-2">{t`No apps assigned yet.`}</p>
        ) : (
          <ul className="rounded-md border border-line">
            {assignedApps.map(({ appId, appName, credits }) => (
              <li
                key={appId}
                className="flex items-baseline justify-between gap-3 border-t border-line px-3 py-2 text-ui first:border-t-0"
              >
                <span translate="no" className="min-w-0 wrap-anywhere">
                  {appName}
                </span>
                <span className="shrink-0 font-medium text-violet tabular-nums">
                  {plural(credits, { one: '# credit', other: '# credits' })}
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  )
}

const paymentsTab = ({ id, assignedApps }: Reseller): Tab => ({
  value: 'payments',
  label: t`Payments`,
  content: <CreditHistory key={id} resellerId={id} apps={assignedApps} />,
})

const salesTab = ({ id }: Reseller): Tab => ({
  value: 'sales',
  label: t`Sales`,
  content: <Sales key={id} resellerId={id} />,
})

async function soldBy(id: string, signal: AbortSignal) {
  const options = { params: { id }, query: { limit: panelListLimit }, signal }
  const { licenses: rows, total } = await call('GET /resellers/{id}/licenses', options)
  return { rows, total }
}

/** The licenses that the reseller sold in the selected app. */
const Sales = ({ resellerId }: { resellerId: string }) => (
  <PanelList<License>
    queryKey={appKey('licenses', 'of-reseller', resellerId)}
    load={(signal) => soldBy(resellerId, signal)}
    rowKey={({ license }) => license}
    name={({ license }) => <PanelLink kind="license" id={license} />}
    badge={(license) => <StatusBadge license={license} />}
    facts={(license) => (
      <>
        <span>{license.subscription.name}</span>
        <Expiry license={license} />
        <TimeAgo at={license.creationDate} />
      </>
    )}
    empty={t`This reseller has sold no license of this app.`}
    failure={t`Failed to load licenses`}
  />
)
