import type { ListAddress, Period } from '#features/overview/web/overview-links.ts'
import { paths } from '#web/navigation/paths.ts'
import { nowSeconds } from '#web/time/clock.ts'
import { timeSpanParam } from '#web/time/time-range.ts'
import type { GrowthMetric } from './dashboard-data.ts'

const owners = (search: Record<string, string>): ListAddress => ({ to: paths.adminOwners(), search })

export const allOwners = () => owners({})
export const ownersOfPlan = (plan: string) => owners({ 'f.plan': plan })
export const ownersEnding = () => owners({ 'f.ends': 'week' })
export const ownersNearLimits = () => owners({ 'f.limits': 'near' })

/** The owners behind a number of growth: who registered in the period, or whose apps grew in it. */
export function ownersBehind(metric: GrowthMetric, { period, timeZone }: Period): ListAddress {
  const span = timeSpanParam(period, timeZone, nowSeconds())
  return owners(metric === 'owners' ? { 'f.days': span } : { 'f.growth': metric, 'f.growthIn': span })
}

/** The owners behind a number of this month, which is that of UTC for everybody. */
export function ownersBehindMonth(metric: GrowthMetric, timeZone: string): ListAddress {
  const now = new Date(nowSeconds() * 1000)
  const startOf = (month: number) => Date.UTC(now.getUTCFullYear(), month) / 1000
  const month = now.getUTCMonth()
  return ownersBehind(metric, { period: { from: startOf(month), to: startOf(month + 1) }, timeZone })
}

export const failedJobs = (): ListAddress => ({ to: paths.adminJobs(), search: {} })
export const failedSignIns = (): ListAddress => ({
  to: paths.adminAudit(),
  search: { 'f.act': 'account.login-failed', 'f.days': '1' },
})
export const status = (): ListAddress => ({ to: paths.status(), search: {} })
export const settings = (): ListAddress => ({ to: paths.adminSettings(), search: {} })
