import { useQuery } from '@tanstack/react-query'
import { NumberLink } from '#web/navigation/number-link.tsx'
import { appsQuery } from '#web/session/session.ts'
import { useSelectedApp } from '#web/session/use-account.ts'

/** The selected app if the account has no other: what is counted in all apps is then what its lists show. */
export function useOnlyApp() {
  const { data: apps } = useQuery(appsQuery)
  const selected = useSelectedApp()
  return apps?.length === 1 ? selected : undefined
}

/** A number over all apps. It leads to its list if that shows them all. */
export function OnlyAppNumber({ to, children: count }: { to: string; children: number }) {
  const shown = count.toLocaleString(document.documentElement.lang || 'en')
  return useOnlyApp() ? <NumberLink to={to}>{shown}</NumberLink> : <span className="tabular-nums">{shown}</span>
}
