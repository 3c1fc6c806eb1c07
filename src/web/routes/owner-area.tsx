import { AlertBadge } from '#features/alerts/web/alert-badge.tsx'
import { PlanEndBanner } from '#features/plans/web/plan-end-banner.tsx'
import { PlanUsageBar } from '#features/plans/web/plan-usage-bar.tsx'
import { useLiveApp } from '../api/live.ts'
import { usePanel } from '../panel/use-panel.ts'
import { lazyPart } from '../lazy/lazy-part.tsx'
import { OwnerShell } from '../shell/owner-shell.tsx'

const PaletteFinder = lazyPart(() => import('#features/diagnosis/web/palette-finder.tsx'), 'PaletteFinder')

const RecordPanel = lazyPart(() => import('./record-panel.tsx'), 'RecordPanel')

function Panel() {
  const { subject, open, close } = usePanel()
  if (!subject) return null
  return <RecordPanel subject={subject} onClose={close} onFailed={close} onReopen={() => open(subject)} />
}

/** The pages of owners, with the parts that features add to each of them. */
export function OwnerArea() {
  useLiveApp()
  return (
    <OwnerShell
      alertBadge={<AlertBadge />}
      planUsage={<PlanUsageBar />}
      banner={<PlanEndBanner />}
      finder={PaletteFinder}
      panel={<Panel />}
    />
  )
}
