import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { planUsageQuery } from '#features/plans/web/plan-usage.ts'
import { planSection } from '#web/navigation/paths.ts'
import { TimeLeft } from '#web/ui/time-left.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { QueryFailed } from '#web/ui/query-failed.tsx'
import { QueryStale } from '#web/ui/query-stale.tsx'
import { Section } from '#web/ui/section.tsx'
import { planMetrics, PlanMetrics } from './plan-metrics.tsx'

/** Plan usage by metric, each in one of four states. */
export function PlanUsageCard({ onUpgrade }: { onUpgrade: () => void }) {
  const query = useQuery(planUsageQuery)
  const { data, error } = query
  return (
    <Card>
      <Section
        title={t`Plan usage`}
        anchor={planSection}
        description={data && t`You are on the ${data.displayName} plan.`}
        actions={data && <Button onClick={onUpgrade}>{t`Upgrade plan`}</Button>}
      >
        {error && !data && <QueryFailed query={query} failure={t`Failed to load plan usage data`} />}
        <QueryStale query={query} failure={t`Failed to load plan usage data`} />
        {data && data.plan_expires_at !== null && (
          <p className="mb-4 text-ui text-text-2">
            {t`Your plan ends, and you return to Free:`} <TimeLeft until={data.plan_expires_at} />
          </p>
        )}
        {data?.features.priority_support && (
          <p className="mb-4 flex flex-wrap items-center gap-x-2 gap-y-1 text-meta text-text-2">
            <Badge tone="ok">{t`Priority support`}</Badge>
            {t`Administrators see it next to your name and answer you first.`}
          </p>
        )}
        <PlanMetrics linked metrics={data ? planMetrics(data) : []} />
      </Section>
    </Card>
  )
}
