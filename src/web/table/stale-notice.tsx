import { t } from '@lingui/core/macro'
import { RotateCw, TriangleAlert } from 'lucide-react'
import { useTimeZone } from '../browser/time-zone.ts'
import { dateTimeText } from '../time/time-text.ts'
import { Button } from '../ui/button.tsx'
import type { TableList } from './table-list.ts'

interface StaleNoticeProps<R> {
  view: TableList<R>['view']
  /** Why the requested rows are missing. */
  message: string
}

/** A line above rows that are kept because loading others failed: tells which rows they are and offers a retry. */
export function StaleNotice<R>({ view, message }: StaleNoticeProps<R>) {
  const { page, loadedAt, mismatch, isFetching, retry } = view
  const time = dateTimeText(Math.floor(loadedAt / 1000), useTimeZone())
  const which = {
    none: t`What you see is from ${time}.`,
    page: t`Still showing page ${page}.`,
    filter: t`Still showing page ${page} of your previous search.`,
  }
  return (
    // Sticky, so that it is visible at the end of a long page, where the next page is requested.
    <div role="alert" data-print="no" className="sticky top-12 z-30 -mt-1 bg-surface-0 pt-1 pb-2">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1 rounded-md tint-danger px-3 py-1.5 text-ui">
        <TriangleAlert aria-hidden="true" className="size-4 shrink-0 text-danger" />
        <p className="flex min-w-0 grow basis-0 flex-wrap gap-x-2.5 py-0.5">
          <span className="font-medium text-danger">{message}</span> <span>{which[mismatch]}</span>
        </p>
        <Button size="sm" icon={<RotateCw />} busy={isFetching} onClick={retry}>{t`Retry`}</Button>
      </div>
    </div>
  )
}
