import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { alertCountQuery } from './alert-count.ts'

const maxAlertCount = 1000
const number = (value: number) => value.toLocaleString(document.documentElement.lang)

/** Number of new alerts; hidden if there are none. */
export function AlertBadge() {
  const { data: count = 0 } = useQuery(alertCountQuery())
  if (count === 0) return null
  return (
    <span className="rounded-sm tint-danger px-1.5 text-meta font-medium text-danger tabular-nums">
      {count < maxAlertCount ? number(count) : `${number(maxAlertCount - 1)}+`}
      <span className="sr-only">{` ${t`new alerts`}`}</span>
    </span>
  )
}
