import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { paths } from '#web/navigation/paths.ts'

/** The way on from what a plan doesn't allow. */
export const PlanLink = () => (
  <Link to={paths.profile()} search={{ dialog: 'upgrade' }} className="whitespace-nowrap underline underline-offset-2">
    {t`Compare plans`}
  </Link>
)
