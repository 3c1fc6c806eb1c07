import { AlertBadge } from '#features/alerts/web/alert-badge.tsx'
import { PlanEndBanner } from '#features/plans/web/plan-end-banner.tsx'
import { PlanUsageBar } from '#features/plans/web/plan-usage-bar.tsx'
import type { ReactNode } from 'react'
import { Checklist } from '#features/first-run/web/checklist.tsx'
import { useLiveApp } from '../api/live.ts'
import { isOfApp, isOfPlatform } from '../panel/panel-address.ts'
import { usePanel } from '../panel/use-panel.ts'
import { lazyPart } from '../lazy/lazy-part.tsx'
import { useAccount, useSelectedApp } from '../session/use-account.ts'
import type { PaletteFinderProps } from '../shell/palette-items.tsx'
import { OwnerShell } from '../shell/owner-shell.tsx'

const PaletteFinder = lazyPart(() => import('#features/diagnosis/web/palette-finder.tsx'), 'PaletteFinder', {
  whenIdle: 'first',
})

const OwnersFinder = lazyPart(() => import('#features/admin/web/owners-finder.tsx'), 'OwnersFinder', {
  whenIdle: false,
})

const keepChoice = () => undefined

/** Administrators find owners as well; what is found in their own app is chosen first. */
function Finder(props: PaletteFinderProps) {
  const isAdmin = useAccount().role === 'admin'
  return (
    <>
      <PaletteFinder {...props} />
      {isAdmin && <OwnersFinder {...props} onFound={keepChoice} />}
    </>
  )
}

const ActivityList = lazyPart(() => import('#features/audit/web/activity-list.tsx'), 'ActivityList')

const RecordPanel = lazyPart(() => import('./record-panel.tsx'), 'RecordPanel')

function Panel() {
  const { subject, open, close } = usePanel()
  const app = useSelectedApp()
  if (!subject || isOfPlatform(subject.kind) || (!app && isOfApp(subject.kind))) return null
  return <RecordPanel subject={subject} onClose={close} onFailed={close} onReopen={() => open(subject)} />
}

/** The pages of owners, with the parts that features add to each of them. */
export function OwnerArea({ children }: { children?: ReactNode }) {
  useLiveApp(useAccount().id)
  return (
    <OwnerShell
      alertBadge={<AlertBadge />}
      planUsage={<PlanUsageBar />}
      firstSteps={<Checklist placement="rail" />}
      banner={<PlanEndBanner />}
      finder={Finder}
      activity={<ActivityList />}
      panel={<Panel />}
    >
      {children}
    </OwnerShell>
  )
}
