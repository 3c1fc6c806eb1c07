import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { CalendarClock, CircleAlert, Construction, Gauge, ListX, LockKeyhole } from 'lucide-react'
import type { ReactNode } from 'react'
import { AttentionList, type AttentionLine } from '#features/overview/web/attention-list.tsx'
import type { PlatformHealth } from '#features/status/web/status-data.ts'
import { partName, partText } from '#features/status/web/status-labels.ts'
import { useTimeZone } from '#web/browser/time-zone.ts'
import { dateTimeText } from '#web/time/time-text.ts'
import type { Needs } from './dashboard-data.ts'
import { failedJobs, failedSignIns, ownersEnding, ownersNearLimits, settings, status } from './dashboard-links.ts'
import { kindText } from './failed-jobs-texts.ts'

/** The server counts no further. */
const maxCounted = 10_000

/** What needs the administrator, one sentence and one link each; or that nothing does. */
export function AdminNeeds({ needs, health }: { needs: Needs; health: PlatformHealth }) {
  const timeZone = useTimeZone()
  return <AttentionList lines={[...maintenanceLines(needs, timeZone), ...partLines(health), ...needLines(needs)]} />
}

function maintenanceLines({ maintenance }: Needs, timeZone: string): AttentionLine[] {
  if (!maintenance) return []
  const since = maintenance.since === null ? '' : dateTimeText(maintenance.since, timeZone)
  return [
    {
      id: 'maintenance',
      icon: <Construction />,
      isUrgent: true,
      text: t`Maintenance mode`,
      detail: since ? t`has been on since ${since}.` : t`is on.`,
      link: t`System Settings`,
      address: settings(),
    },
  ]
}

/** Parts that are not as they should be. A server that has no backup yet needs one. */
function partLines({ parts, checks }: PlatformHealth): AttentionLine[] {
  const affected = parts.filter(
    ({ state, missing }) => state === 'degraded' || state === 'down' || missing?.includes('backup'),
  )
  return affected.map((part) => ({
    id: part.part,
    icon: <CircleAlert />,
    isUrgent: part.state === 'down',
    text: partName(part.part),
    detail: part.part === 'ledger' ? ledgerText(checks) : partText(part),
    ...(part.part === 'mail'
      ? { link: t`System Settings`, address: settings() }
      : { link: t`System status`, address: status() }),
  }))
}

function ledgerText(checks: PlatformHealth['checks']): string {
  const problems = checks.find(({ name }) => name === 'ledger')?.problems ?? 0
  const count = plural(problems, { one: '# problem', other: '# problems' })
  const command = 'npm run ledger:verify'
  return t`The credit ledger does not add up: ${count}. Run ${command} on the server to see which.`
}

function needLines({ failedJobs: failed, plansEnding, nearLimits, lockedSignIns }: Needs): AttentionLine[] {
  const line = (id: string, icon: ReactNode, count: number, rest: Omit<AttentionLine, 'id' | 'icon'>) =>
    count > 0 ? [{ id, icon, ...rest }] : []
  return [
    ...line('jobs', <ListX />, failed.count, {
      text: failedText(failed.count),
      detail: lastFailure(failed),
      link: t`Show failed jobs`,
      address: failedJobs(),
    }),
    ...line('ending', <CalendarClock />, plansEnding, {
      text: plural(plansEnding, { one: '# plan', other: '# plans' }),
      detail: plural(plansEnding, { one: 'ends within 7 days.', other: 'end within 7 days.' }),
      link: t`Show owners`,
      address: ownersEnding(),
    }),
    ...line('limits', <Gauge />, nearLimits, {
      text: plural(nearLimits, { one: '# owner', other: '# owners' }),
      detail: plural(nearLimits, {
        one: 'has used at least 80% of a plan limit.',
        other: 'have used at least 80% of a plan limit.',
      }),
      link: t`Show owners`,
      address: ownersNearLimits(),
    }),
    ...line('locked', <LockKeyhole />, lockedSignIns, {
      text: plural(lockedSignIns, { one: '# device or network', other: '# devices or networks' }),
      detail: plural(lockedSignIns, {
        one: 'is locked out after failed sign-ins.',
        other: 'are locked out after failed sign-ins.',
      }),
      link: t`Show failed sign-ins`,
      address: failedSignIns(),
    }),
  ]
}

function failedText(count: number): string {
  if (count < maxCounted) return plural(count, { one: '# failed job', other: '# failed jobs' })
  const most = maxCounted.toLocaleString(i18n.locale)
  return t`At least ${most} failed jobs`
}

function lastFailure({ kind, error }: Needs['failedJobs']): string {
  const work = kindText(kind)
  return t`Latest: ${work} – ${error}`
}
