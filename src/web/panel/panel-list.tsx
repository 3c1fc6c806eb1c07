import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { type QueryKey, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { QueryFailed } from '../ui/query-failed.tsx'
import { QueryStale } from '../ui/query-stale.tsx'

/** Rows that a tab of the panel asks for, in one page. */
export const panelListLimit = 100

interface PanelListProps<R> {
  queryKey: QueryKey
  /** One page with up to `panelListLimit` rows. */
  load: (signal: AbortSignal) => Promise<{ rows: readonly R[]; total: number }>
  rowKey: (row: R) => string
  /** What the row is called, its state, and the facts below them. */
  name: (row: R) => ReactNode
  badge: (row: R) => ReactNode
  facts: (row: R) => ReactNode
  empty: string
  failure: string
}

/** A short list in a tab of the panel: two lines a row. */
export function PanelList<R>({ queryKey, load, rowKey, name, badge, facts, empty, failure }: PanelListProps<R>) {
  const query = useQuery({ queryKey, queryFn: ({ signal }) => load(signal) })
  const { data, error } = query
  if (!data) {
    if (!error) return <Note>{t`Loading…`}</Note>
    return <QueryFailed query={query} failure={failure} />
  }
  const shown = data.rows.length
  const total = data.total.toLocaleString(i18n.locale)
  return (
    <>
      <QueryStale query={query} failure={failure} />
      {data.total === 0 && <Note>{empty}</Note>}
      {data.total > 0 && (
        <ul className="rounded-md border border-line">
          {data.rows.map((row) => (
            <li key={rowKey(row)} className="border-t border-line px-3 py-2 text-ui first:border-t-0">
              <div className="flex items-start justify-between gap-3">
                {name(row)}
                {badge(row)}
              </div>
              <div className="mt-1 flex flex-wrap gap-x-3 text-meta text-text-2">{facts(row)}</div>
            </li>
          ))}
        </ul>
      )}
      {data.total > shown && <Note>{t`The newest ${shown} of ${total}.`}</Note>}
    </>
  )
}

const Note = ({ children }: { children: ReactNode }) => (
  <p role="status" className="py-2 text-ui text-text-2 first:pt-0">
    {children}
  </p>
)
