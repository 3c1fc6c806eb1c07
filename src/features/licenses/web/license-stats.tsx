import { t } from '@lingui/core/macro'
import { StatStrip } from '#web/ui/stat-strip.tsx'
import type { LicenseCounts } from './license-list.ts'

interface LicenseStatsProps {
  counts: LicenseCounts | undefined
  appName: string
  status: string | undefined
  onStatus: (status: string | undefined) => void
}

/** Totals of the app; a cell filters the table by what it counts. */
export function LicenseStats({ counts, appName, status, onStatus }: LicenseStatsProps) {
  const lang = document.documentElement.lang || 'en'
  const number = (value: number | undefined) => value?.toLocaleString(lang)
  const share = (part: number | undefined, whole: number | undefined) =>
    whole ? ((part ?? 0) / whole).toLocaleString(lang, { style: 'percent', maximumFractionDigits: 1 }) : undefined
  const cell = (name: keyof LicenseCounts, label: string, note: string | undefined) => {
    const value = name === 'total' ? undefined : name
    return { label, note, value: number(counts?.[name]), selected: status === value, onSelect: () => onStatus(value) }
  }
  const ofUsed = share(counts?.expiring, counts?.used)
  return (
    <StatStrip
      label={t`License counts`}
      stats={[
        cell('total', t`Total`, t`in ${appName}`),
        cell('unused', t`Unused`, share(counts?.unused, counts?.total)),
        cell('used', t`Used`, share(counts?.used, counts?.total)),
        cell('banned', t`Banned`, share(counts?.banned, counts?.total)),
        cell('expiring', t`Expiring in 7 days`, ofUsed && t`${ofUsed} of used`),
      ]}
    />
  )
}
