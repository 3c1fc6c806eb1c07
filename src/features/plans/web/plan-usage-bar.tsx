import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { planUsageQuery } from './plan-usage.ts'

/** Number of apps and the plan's limit; hidden if the server does not report them. */
export function PlanUsageBar() {
  const { data, isPending } = useQuery({
    ...planUsageQuery,
    retry: false,
    staleTime: 60_000,
  })
  // The height of the box with a limit, so that nothing in the rail moves when the usage comes.
  if (isPending) return <div aria-hidden="true" className="h-[68px] shrink-0" />
  if (!data) return null
  const used = data.usage.apps
  const limit = data.limits.max_apps
  const bounded = typeof limit === 'number' && limit > 0
  return (
    <div className="mx-2 border-t border-line pt-3 pb-1">
      <p className="text-meta text-text-2">{t`${data.displayName} plan`}</p>
      {bounded && (
        <progress
          aria-label={t`Apps used`}
          value={Math.min(used, limit)}
          max={limit}
          className="my-2 block h-[3px] w-full appearance-none overflow-hidden rounded-full bg-surface-3 [&::-moz-progress-bar]:bg-text-2 [&::-webkit-progress-bar]:bg-surface-3 [&::-webkit-progress-value]:bg-text-2"
        />
      )}
      <p className="text-meta text-text-2">
        {bounded
          ? plural(limit, { one: `${used} of # app`, other: `${used} of # apps` })
          : plural(used, { one: '# app', other: '# apps' })}
      </p>
    </div>
  )
}
