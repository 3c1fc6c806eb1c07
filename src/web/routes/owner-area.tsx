import { AlertBadge } from '#features/alerts/web/alert-badge.tsx'
import { PlanEndBanner } from '#features/plans/web/plan-end-banner.tsx'
import { PlanUsageBar } from '#features/plans/web/plan-usage-bar.tsx'
import { lazyPart } from '../lazy/lazy-part.tsx'
import { OwnerShell } from '../shell/owner-shell.tsx'

const PaletteFinder = lazyPart(() => import('#features/diagnosis/web/palette-finder.tsx'), 'PaletteFinder')

/** The pages of owners, with the parts that features add to each of them. */
export const OwnerArea = () => (
  <OwnerShell
    alertBadge={<AlertBadge />}
    planUsage={<PlanUsageBar />}
    banner={<PlanEndBanner />}
    finder={PaletteFinder}
  />
)
