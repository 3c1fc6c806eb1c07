import type { ListAddress } from '#features/overview/web/overview-links.ts'
import type { TimeSpan } from '#web/charts/span-text.ts'
import { paths } from '#web/navigation/paths.ts'
import { timeRangeParam } from '#web/time/time-range.ts'
import { dayStamp } from '#web/time/time-text.ts'

const owners = (search: Record<string, string>): ListAddress => ({ to: paths.adminOwners(), search })

export const allOwners = () => owners({})
export const ownersOfPlan = (plan: string) => owners({ 'f.plan': plan })
export const ownersEnding = () => owners({ 'f.ends': 'week' })
export const ownersNearLimits = () => owners({ 'f.limits': 'near' })

/** Owners who registered during a period of whole days. */
export const ownersOfPeriod = ({ from, to }: TimeSpan, timeZone: string) =>
  owners({ 'f.days': timeRangeParam({ from: dayStamp(from, timeZone), until: dayStamp(to - 1, timeZone) }) })

export const failedJobs = (): ListAddress => ({ to: paths.adminJobs(), search: {} })
export const failedSignIns = (): ListAddress => ({
  to: paths.adminAudit(),
  search: { 'f.act': 'account.login-failed', 'f.days': '1' },
})
export const status = (): ListAddress => ({ to: paths.status(), search: {} })
export const settings = (): ListAddress => ({ to: paths.adminSettings(), search: {} })
