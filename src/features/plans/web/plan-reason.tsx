import { Notice } from '#web/ui/notice.tsx'
import { PlanLink } from './plan-link.tsx'

/** A page's buttons are off because of the plan: says so without hovering over one. `reason` is from `usePlanReason`. */
export const PlanReason = ({ reason }: { reason: string | undefined }) =>
  reason !== undefined && (
    <Notice>
      {reason} <PlanLink />
    </Notice>
  )

/** The same without a box, beside the buttons. */
export const PlanReasonText = ({ reason }: { reason: string }) => (
  <p className="text-meta text-text-2">
    {reason} <PlanLink />
  </p>
)
