import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Card } from '#web/ui/card.tsx'
import { QueryFailed } from '#web/ui/query-failed.tsx'
import { QueryStale } from '#web/ui/query-stale.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { SectionAnchors } from '#web/ui/section-anchors.tsx'
import { Skeleton, useDelayed } from '#web/ui/skeleton.tsx'
import { adminPlansQuery, adminSettingsQuery } from './admin-data.ts'
import { PlatformSettingsForm } from './platform-settings-form.tsx'
import { ApiSettingsForm, EmailSettingsForm, SecuritySettingsForm } from './settings-forms.tsx'
import { UnsavedCards } from './unsaved-cards.tsx'

const columns = 'grid items-start gap-5 [--anchors:48px] wide:grid-cols-[144px_minmax(0,1fr)] wide:[--anchors:0px]'

/** The platform settings, each group with its own Save button. */
export function SettingsPage() {
  const query = useQuery(adminSettingsQuery)
  const { data, error } = query
  const plans = useQuery(adminPlansQuery)
  return (
    <UnsavedCards>
      <PageHeader title={t`System Settings`} />
      {error && !data && (
        <Card>
          <QueryFailed query={query} failure={t`Failed to load settings`} />
        </Card>
      )}
      <QueryStale query={query} failure={t`Failed to load settings`} />
      {!data && !error && <SettingsSkeleton />}
      {data && (
        <div className={columns}>
          <SectionAnchors
            anchors={[
              { id: 'platform', title: t`Platform` },
              { id: 'email', title: t`Email` },
              { id: 'security', title: t`Security` },
              { id: 'api', title: t`API` },
            ]}
          />
          <div className="flex max-w-[860px] min-w-0 flex-col gap-5">
            <PlatformSettingsForm
              settings={data.platform}
              plans={plans.data ?? []}
              plansError={plans.data ? null : plans.error}
              enforceHTTPS={data.security.enforceHTTPS}
            />
            <EmailSettingsForm settings={data.email} />
            <SecuritySettingsForm settings={data.security} />
            <ApiSettingsForm settings={data.api} />
          </div>
        </div>
      )}
    </UnsavedCards>
  )
}

function SettingsSkeleton() {
  const isShown = useDelayed(true)
  return (
    <div aria-hidden="true" className={`grid max-w-[860px] gap-5 wide:ml-[164px] ${isShown ? '' : 'invisible'}`}>
      {[1, 2, 3, 4].map((n) => (
        <Skeleton key={n} className="h-96 w-full" />
      ))}
    </div>
  )
}
