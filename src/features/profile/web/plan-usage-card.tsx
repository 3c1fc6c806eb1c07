import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { usageStatus, type UsageStatus } from '#features/plans/plans.rules.ts'
import { failureText } from '#web/api/errors.ts'
import { planUsageQuery } from '#features/plans/web/plan-usage.ts'
import { planSection } from '#web/navigation/paths.ts'
import { TimeLeft } from '#web/ui/time-left.tsx'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { LoadFailed } from '#web/ui/empty-state.tsx'
import { Section } from '#web/ui/section.tsx'
import type { PlanUsage } from './profile-queries.ts'

const bars: Record<UsageStatus, string> = {
  normal: '[&::-moz-progress-bar]:bg-accent-text [&::-webkit-progress-value]:bg-accent-text',
  warning: '[&::-moz-progress-bar]:bg-warn [&::-webkit-progress-value]:bg-warn',
  exceeded: '[&::-moz-progress-bar]:bg-danger [&::-webkit-progress-value]:bg-danger',
  unlimited: '',
}
const tones: Record<UsageStatus, BadgeTone> = {
  normal: 'ok',
  warning: 'warn',
  exceeded: 'danger',
  unlimited: 'neutral',
}

function statusLabel(status: UsageStatus): string {
  return { normal: t`Normal`, warning: t`Almost full`, exceeded: t`Full`, unlimited: t`Unlimited` }[status]
}

/** Plan usage by metric, each in one of four states. */
export function PlanUsageCard({ onUpgrade }: { onUpgrade: () => void }) {
  const { data, error, refetch } = useQuery(planUsageQuery)
  return (
    <Card>
      <Section
        title={t`Plan usage`}
        anchor={planSection}
        description={data && t`You are on the ${data.displayName} plan.`}
        actions={data && <Button onClick={onUpgrade}>{t`Upgrade plan`}</Button>}
      >
        {error && (
          <LoadFailed message={failureText(error, t`Failed to load plan usage data`)} onRetry={() => void refetch()} />
        )}
        {data && data.plan_expires_at !== null && (
          <p className="mb-4 text-ui text-text-2">
            {t`Your plan ends, and you return to Free:`} <TimeLeft until={data.plan_expires_at} />
          </p>
        )}
        {data?.features.priority_support && (
          <p className="mb-4 flex flex-wrap items-center gap-x-2 gap-y-1 text-meta text-text-2">
            <Badge tone="ok" dot="none">{t`Priority support`}</Badge>
            {t`Administrators see it next to your name and answer you first.`}
          </p>
        )}
        <ul aria-label={t`Plan usage`} className="grid gap-x-8 gap-y-4 md:grid-cols-2">
          {data && metrics(data).map((metric) => <Metric key={metric.label} {...metric} />)}
        </ul>
      </Section>
    </Card>
  )
}

interface MetricProps {
  label: string
  used: number
  limit: number | 'unlimited'
}

function metrics({ usage, limits }: PlanUsage): MetricProps[] {
  return [
    { label: t`Apps`, used: usage.apps, limit: limits.max_apps },
    { label: t`Most users in one app`, used: usage.max_users_in_any_app, limit: limits.max_users_per_app },
    { label: t`Most licenses in one app`, used: usage.max_licenses_in_any_app, limit: limits.max_licenses_per_app },
    {
      label: t`Most variables in one app`,
      used: usage.max_variables_in_any_app,
      limit: limits.max_variables_per_app,
    },
  ]
}

function Metric({ label, used, limit }: MetricProps) {
  const status = usageStatus(used, limit)
  const lang = document.documentElement.lang || 'en'
  const max = limit === 'unlimited' ? '∞' : limit.toLocaleString(lang)
  return (
    <li className="min-w-0">
      <div className="flex items-center justify-between gap-3">
        <span className="truncate text-ui">{label}</span>
        <Badge tone={tones[status]} dot={status === 'exceeded' ? 'slashed' : status === 'warning' ? 'ring' : 'none'}>
          {statusLabel(status)}
        </Badge>
      </div>
      <p className="mt-0.5 text-meta text-text-2 tabular-nums">
        {used.toLocaleString(lang)} / {max}
      </p>
      <progress
        aria-label={label}
        value={limit === 'unlimited' ? 0 : Math.min(used, limit)}
        max={limit === 'unlimited' || limit === 0 ? 1 : limit}
        className={`mt-2 block h-1 w-full appearance-none overflow-hidden rounded-full bg-surface-3 [&::-webkit-progress-bar]:bg-surface-3 ${bars[status]}`}
      />
    </li>
  )
}
