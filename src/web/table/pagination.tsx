import { t } from '@lingui/core/macro'
import { ChevronDown, ChevronFirst, ChevronLast, ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect } from 'react'
import { keptClear } from '../ui/clear-bottom.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { PageJump } from './page-jump.tsx'
import { maxPageButtons, pageWindow } from './page-window.ts'
import { pageSizes } from './table-params.ts'
import type { TableList } from './table-list.ts'
import type { TableState } from './use-table-state.ts'

interface PaginationProps<R> {
  list: TableList<R>
  /** Replaces the range while the visible rows belong to another page. */
  loading: string | undefined
  /** Whether to add 'Page X of Y'. */
  namesPage?: boolean | undefined
  onTurn: (page: number) => void
  className: string
}

function RowsPerPage({ state }: { state: TableState }) {
  return (
    <label className="flex items-center gap-2 text-ui text-text-2">
      {t`Rows`}
      <span className="relative">
        <select
          aria-label={t`Rows per page`}
          value={state.limit}
          onChange={(event) => state.setLimit(Number(event.target.value))}
          className="h-7.5 appearance-none rounded-md border border-line bg-surface-1 pr-8 pl-3 text-ui font-medium text-text hover:border-line-strong pointer-coarse:h-11"
        >
          {pageSizes.map((size) => (
            <option key={size}>{size}</option>
          ))}
        </select>
        <ChevronDown
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 right-2.5 size-3.5 -translate-y-1/2 text-text-3"
        />
      </span>
    </label>
  )
}

const number = (value: number) => value.toLocaleString(document.documentElement.lang || 'en')

/** Above the printed table, which rows it holds; the filters follow it. */
export function PrintedRange<R>({ list: { state, rows, total, isMore, view } }: { list: TableList<R> }) {
  const { search } = state
  if (rows === undefined || total === 0) return null
  const first = number(Math.min((view.page - 1) * view.limit + 1, total))
  const last = number(Math.min(view.page * view.limit, total))
  const all = number(total)
  return (
    <span className="hidden print:inline">
      <span>{isMore ? t`Rows ${first}–${last} of more than ${all}.` : t`Rows ${first}–${last} of ${all}.`}</span>{' '}
      {search !== '' && <span>{t`Search: “${search}”.`}</span>}
    </span>
  )
}

export function Pagination<R>({ list, loading, namesPage, onTurn, className }: PaginationProps<R>) {
  const { state, rows, total, isMore, canCountAll, view } = list
  const { page, limit, setPage } = state
  const pages = Math.max(Math.ceil(total / limit), 1)
  // The rows of the last page were deleted, or the URL names a page that does not exist.
  const isPastEnd = view.mismatch === 'none' && rows?.length === 0 && total > 0 && page > pages
  useEffect(() => {
    if (isPastEnd) setPage(pages, { replace: true })
  }, [isPastEnd, pages, setPage])
  // An empty table shows its own message.
  if (rows === undefined || (total === 0 && loading === undefined)) return null

  // Refers to the visible rows, whatever page the URL requests.
  const first = number(Math.min((view.page - 1) * view.limit + 1, total))
  const last = number(Math.min(view.page * view.limit, total))
  const all = number(total)
  const [shown, lastPage] = [number(view.page), number(pages)]
  const range = isMore ? t`${first}–${last} of more than ${all}` : t`${first}–${last} of ${all}`
  const text = namesPage ? `${range} · ${t`Page ${shown} of ${lastPage}`}` : range
  const hasJumps = pages > maxPageButtons
  const pageButton = 'h-8 min-w-8 rounded-md px-2 text-ui tabular-nums pointer-coarse:h-11 pointer-coarse:min-w-11'
  return (
    <div
      {...keptClear}
      data-print="no"
      className={`mt-4 flex flex-wrap items-center justify-between gap-3 ${className}`}
    >
      <RowsPerPage state={state} />
      <nav aria-label={t`Pages`} className="flex grow flex-wrap items-center justify-end gap-1">
        <span aria-live="polite" className="mr-2 text-ui text-text-2 tabular-nums">
          {loading ?? text}
        </span>
        {isMore && canCountAll && loading === undefined && (
          <button
            type="button"
            onClick={state.setCountAll}
            className="mr-2 rounded-sm text-ui text-text-2 underline underline-offset-2 hover:text-text pointer-coarse:min-h-11"
          >
            {t`Count all`}
          </button>
        )}
        {hasJumps && (
          <IconButton
            label={t`First page`}
            icon={<ChevronFirst />}
            className="max-sm:hidden"
            disabled={page <= 1}
            onClick={() => onTurn(1)}
          />
        )}
        <IconButton
          label={t`Previous page`}
          icon={<ChevronLeft />}
          disabled={page <= 1}
          onClick={() => onTurn(page - 1)}
        />
        {pageWindow(page, pages).map((one) => (
          <button
            key={one}
            type="button"
            aria-label={t`Page ${one}`}
            aria-current={one === page ? 'page' : undefined}
            onClick={() => onTurn(one)}
            className={`${pageButton} max-sm:hidden ${one === page ? 'border border-line bg-surface-2 font-medium text-text' : 'text-text-2 hover:bg-surface-2 hover:text-text'}`}
          >
            {number(one)}
          </button>
        ))}
        <IconButton
          label={t`Next page`}
          icon={<ChevronRight />}
          disabled={page >= pages}
          onClick={() => onTurn(page + 1)}
        />
        {/* The last page is unknown until all rows are counted. */}
        {hasJumps && !isMore && (
          <IconButton
            label={t`Last page`}
            icon={<ChevronLast />}
            className="max-sm:hidden"
            disabled={page >= pages}
            onClick={() => onTurn(pages)}
          />
        )}
        {hasJumps && <PageJump page={page} pages={pages} onJump={onTurn} />}
      </nav>
    </div>
  )
}
