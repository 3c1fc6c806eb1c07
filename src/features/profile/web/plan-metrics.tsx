import { t } from '@lingui/core/macro'
import { usageStatus, type UsageStatus } from '#features/plans/plans.rules.ts'
import { NumberLink } from '#web/navigation/number-link.tsx'
import { paths } from '#web/navigation/paths.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { OnlyAppNumber } from './only-app-number.tsx'
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

export interface PlanMetric {
  label: string
  used: number
  limit: number | 'unlimited'
  /** The account's list of what is counted. */
  list?: string
  /** How an amount is written; by default as a number. */
  amountText?: (amount: number) => string
}

interface PlanMetricsProps {
  metrics: readonly PlanMetric[]
  /** One below the other, for the panel. */
  narrow?: boolean
  /** Of the reader's own account: numbers lead to their lists. */
  linked?: boolean
}

/** What is used of a plan, each in one of four states. */
export const PlanMetrics = ({ metrics, narrow = false, linked = false }: PlanMetricsProps) => (
  <ul aria-label={t`Plan usage`} className={`grid gap-x-8 gap-y-4 ${narrow ? '' : 'sm:grid-cols-2'}`}>
    {metrics.map((metric) => (
      <Metric key={metric.label} {...metric} list={linked ? metric.list : undefined} />
    ))}
  </ul>
)

export function planMetrics({ usage, limits }: Pick<PlanUsage, 'usage' | 'limits'>): PlanMetric[] {
  return [
    { label: t`Apps`, list: paths.manageApps(), used: usage.apps, limit: limits.max_apps },
    {
      label: t`Most users in one app`,
      list: paths.users(),
      used: usage.max_users_in_any_app,
      limit: limits.max_users_per_app,
    },
    {
      label: t`Most licenses in one app`,
      list: paths.licenses(),
      used: usage.max_licenses_in_any_app,
      limit: limits.max_licenses_per_app,
    },
    {
      label: t`Most variables in one app`,
      list: paths.variables(),
      used: usage.max_variables_in_any_app,
      limit: limits.max_variables_per_app,
    },
  ]
}

const numberText = (amount: number) => amount.toLocaleString(document.documentElement.lang || 'en')

interface MetricProps extends Omit<PlanMetric, 'list'> {
  list: string | undefined
}

function Metric({ label, list, used, limit, amountText = numberText }: MetricProps) {
  const status = usageStatus(used, limit)
  const max = limit === 'unlimited' ? '∞' : amountText(limit)
  return (
    <li className="min-w-0">
      <div className="flex items-center justify-between gap-3">
        <span className="truncate text-ui">{label}</span>
        <Badge tone={tones[status]} dot={status === 'exceeded' ? 'slashed' : status === 'warning' ? 'ring' : undefined}>
          {statusLabel(status)}
        </Badge>
      </div>
      <p className="mt-0.5 text-meta text-text-2 tabular-nums *:pointer-coarse:-my-3.5">
        <Used list={list} used={used} text={amountText(used)} /> / {max}
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

function Used({ list, used, text }: { list: string | undefined; used: number; text: string }) {
  if (list === undefined) return text
  return list === paths.manageApps() ? (
    <NumberLink to={list}>{text}</NumberLink>
  ) : (
    <OnlyAppNumber to={list}>{used}</OnlyAppNumber>
  )
}
