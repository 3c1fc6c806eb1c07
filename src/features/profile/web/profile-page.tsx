import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { SecurityCards } from '#features/accounts/web/security-cards.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { useAccount } from '#web/session/use-account.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { QueryFailed } from '#web/ui/query-failed.tsx'
import { QueryStale } from '#web/ui/query-stale.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { monthText } from '#web/time/time-text.ts'
import { useTimeZone } from '#web/browser/time-zone.ts'
import { NumberLink } from '#web/navigation/number-link.tsx'
import { paths } from '#web/navigation/paths.ts'
import { Section } from '#web/ui/section.tsx'
import { StatStrip } from '#web/ui/stat-strip.tsx'
import { useDialog } from '#web/navigation/use-dialog.ts'
import { OnlyAppNumber, useOnlyApp } from './only-app-number.tsx'
import { PlanUsageCard } from './plan-usage-card.tsx'
import { ProfileForm } from './profile-form.tsx'
import { planUsageQuery } from '#features/plans/web/plan-usage.ts'
import { offeredPlansQuery, profileStatsQuery } from './profile-queries.ts'
import { TimeZoneCard } from './time-zone-card.tsx'

const UpgradeDialog = lazyDialog(() => import('./upgrade-dialog.tsx'), 'UpgradeDialog')
const LogoutAllDialog = lazyDialog(() => import('./leave-dialogs.tsx'), 'LogoutAllDialog')
const DeleteAccountDialog = lazyDialog(() => import('./leave-dialogs.tsx'), 'DeleteAccountDialog')

/** The account of the signed-in owner. */
export function ProfilePage() {
  const account = useAccount()
  const dialog = useDialog()
  const { open, close } = dialog
  const { data: usage } = useQuery(planUsageQuery)
  // Loaded before the dialog opens, so that the suggested plan gets the focus.
  const { isPending: waitsForPlans } = useQuery(offeredPlansQuery)
  return (
    <>
      <PageHeader title={t`Profile`} />
      <AccountNumbers />
      <div className="grid items-start gap-5 xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-5">
          <ProfileForm account={account} />
          <TimeZoneCard account={account} />
          <PlanUsageCard onUpgrade={() => open('upgrade')} />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <SecurityCards onLogoutAll={() => open('logout-all')} />
          <Card>
            <Section
              title={t`Danger Zone`}
              description={t`Deletes your account and all your apps. Irreversible.`}
              actions={<Button variant="danger" onClick={() => open('delete-account')}>{t`Delete Account`}</Button>}
            />
          </Card>
        </div>
      </div>
      <>
        {dialog.name === 'upgrade' && usage && !waitsForPlans && (
          <UpgradeDialog current={usage.plan_type} onClose={close} />
        )}
        {dialog.name === 'logout-all' && <LogoutAllDialog onClose={close} />}
        {dialog.name === 'delete-account' && <DeleteAccountDialog account={account} onClose={close} />}
      </>
    </>
  )
}

function AccountNumbers() {
  const query = useQuery(profileStatsQuery)
  const { data: stats, error } = query
  const onlyApp = useOnlyApp()
  const timeZone = useTimeZone()
  const lang = document.documentElement.lang || 'en'
  if (error && !stats) return <QueryFailed query={query} failure={t`Failed to load statistics`} />
  return (
    <>
      <QueryStale query={query} failure={t`Failed to load statistics`} />
      <StatStrip
        label={t`Your account in numbers`}
        stats={[
          {
            label: t`Apps`,
            value: stats && <NumberLink to={paths.manageApps()}>{stats.totalApps.toLocaleString(lang)}</NumberLink>,
          },
          {
            label: t`Licenses`,
            value: stats && <OnlyAppNumber to={paths.licenses()}>{stats.totalLicenses}</OnlyAppNumber>,
            note: stats && !onlyApp && t`in all apps`,
          },
          {
            label: t`Users`,
            value: stats && <OnlyAppNumber to={paths.users()}>{stats.totalUsers}</OnlyAppNumber>,
            note: stats && !onlyApp && t`in all apps`,
          },
          {
            label: t`Account created`,
            value: stats && monthText(stats.accountCreated, timeZone),
            note: stats && <TimeAgo at={stats.accountCreated} />,
          },
        ]}
      />
    </>
  )
}
