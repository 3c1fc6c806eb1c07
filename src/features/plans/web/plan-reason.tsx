import { Notice } from '#web/ui/notice.tsx'
import { PlanLink } from './plan-link.tsx'

/** A page's buttons are off because of the plan: says so without hovering over one. `reason` is from `usePlanReason`. */
export const PlanReason = ({ reason }: { reason: string | undefined }) =>
  reason !== undefined && (
    <Notice>
      {reason} <PlanLink />
    </Notice>
  )
