import { t } from '@lingui/core/macro'
import { StatStrip } from '#web/ui/stat-strip.tsx'
import type { UserCounts, UserFilter } from './user-list.ts'

interface UserStatsProps {
  counts: UserCounts | undefined
  status: UserFilter['status']
  onStatus: (status: UserFilter['status']) => void
}

/** Totals of the app; a cell filters the table by what it counts. */
export function UserStats({ counts, status, onStatus }: UserStatsProps) {
  const lang = document.documentElement.lang || 'en'
  const cell = (name: keyof UserCounts, label: string) => {
    const value = name === 'total' ? undefined : name
    const count = counts?.[name]
    return {
      label,
      value: count === null ? t`many` : count?.toLocaleString(lang),
      selected: status === value,
      onSelect: () => onStatus(value),
    }
  }
  return (
    <StatStrip
      label={t`User counts`}
      stats={[
        cell('total', t`Total`),
        cell('active', t`Active`),
        cell('expired', t`Expired`),
        cell('paused', t`Paused`),
        cell('banned', t`Banned`),
      ]}
    />
  )
}
