import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type FocusEvent, useCallback, useEffect, useRef } from 'react'
import { failureText, requestIdOf } from '../api/errors.ts'
import { usePanel } from '../panel/use-panel.ts'
import { LoadFailed, NoMatch } from '../ui/empty-state.tsx'
import { Filament } from '../ui/filament.tsx'
import { useDelayed } from '../ui/skeleton.tsx'
import { focusHeading } from '../ui/use-opener.ts'
import { useRowPanel } from './use-row-panel.tsx'
import { useIsPhone } from '../browser/use-media.ts'
import { ColumnMenu } from './column-menu.tsx'
import { DensityMenu } from './density-menu.tsx'
import { FilterPhrases, ListSentence, useFilterPhrases } from './list-sentence.tsx'
import { LiveBar } from './live-bar.tsx'
import { Pagination, PrintedRange } from './pagination.tsx'
import { useColumnChoice } from './preferences.ts'
import { followOtherTabsChoices, preferencesQuery } from './preference-sync.ts'
import { SearchBox } from './search-box.tsx'
import { StaleNotice } from './stale-notice.tsx'
import { TableCards } from './table-cards.tsx'
import { TableGrid } from './table-grid.tsx'
import type { DataTableProps, TableList } from './table-list.ts'
import { useTurnedPage } from './use-turned-page.ts'
import { ViewsMenu } from './views-menu.tsx'

export function DataTable<R extends object>(props: DataTableProps<R>) {
  const { id, list, columns, errorText, facets, filters, bulkBar } = props
  const { state, rows, total, view, selection } = list
  const isPhone = useIsPhone()
  const choice = useColumnChoice(id, columns)
  useQuery({ ...preferencesQuery, notifyOnChangeProps: [] })
  useEffect(followOtherTabsChoices, [])
  const hasFailed = view.error !== null && view.error !== undefined
  const isReplaced = rows !== undefined && view.mismatch !== 'none' && view.isFetching
  // Another look meanwhile would be taken by all rows.
  const isLate = useDelayed(isReplaced)
  const isEmpty = rows !== undefined && rows.length === 0
  const Body = isPhone ? TableCards : TableGrid
  const hasBulkBar = bulkBar !== undefined && selection.count(total) > 0
  const rememberFocus = useFocusAfterLoss(rows, hasBulkBar)
  const panel = useRowPanel(props)
  const clear = usePanel().subject ? clearOfPanel : ''
  const phrases = useFilterPhrases()
  const { top, turnTo } = useTurnedPage(list)

  return (
    <FilterPhrases value={phrases}>
      <div onFocus={rememberFocus}>
        {isPhone && facets}
        <div className="mb-4 flex items-start gap-2.5 max-sm:scroll-line max-sm:mb-1.5! max-sm:items-center print:mb-2 print:block">
          <div className="flex min-w-0 grow flex-wrap items-center gap-2.5 max-sm:contents sm:[&>search]:w-[170px] sm:[&>search]:max-w-[300px] sm:[&>search]:grow print:block">
            <PrintedRange list={list} />
            <SearchBox value={state.search} onSearch={state.setSearch} placeholder={props.searchPlaceholder} />
            {!isPhone && facets}
            {filters}
          </div>
          <ViewsMenu table={id} />
          <div data-print="no" className="flex items-center gap-1 max-sm:hidden">
            <ColumnMenu choice={choice} />
            <DensityMenu />
          </div>
        </div>
        <ListSentence
          label={props.label}
          list={list}
          columns={columns}
          phrases={phrases}
          newestFirst={props.newestFirst ?? false}
        />
        {rows !== undefined && (
          <Staleness list={list} error={hasFailed ? view.error : undefined} errorText={errorText} />
        )}
        {list.live && list.live.added > 0 && <LiveBar live={list.live} />}
        {/* `clip`, not `hidden`: the header and the bulk bar stick to the window. */}
        <div
          ref={top}
          className="relative overflow-clip rounded-lg border border-line bg-surface-1 print:overflow-visible print:rounded-none print:border-0"
        >
          {isReplaced ? <PageProgress label={loadingText(list)} /> : <Filament active={view.isFetching} />}
          {hasFailed && rows === undefined ? (
            <LoadFailed
              message={failureText(view.error, errorText)}
              requestId={requestIdOf(view.error)}
              onRetry={view.retry}
            />
          ) : isEmpty ? (
            state.isFiltered ? (
              <NoMatch search={state.search} title={props.noMatchTitle} onClear={state.clear} />
            ) : (
              props.empty
            )
          ) : (
            <Body
              {...props}
              onOpen={panel?.onOpen}
              rowMenu={panel?.rowMenu ?? props.rowMenu}
              panelRow={panel?.row}
              onPanelRow={panel?.onRow}
              onPanelToggle={props.panelButton ? panel?.onToggle : undefined}
              onTurn={turnTo}
              rows={rows}
              columns={choice.columns}
              visibility={choice.visibility}
              leftOut={choice.leftOut}
              selection={bulkBar === undefined ? undefined : selection}
              isBusy={rows === undefined || isReplaced}
              rowsStyle={isLate ? dimmed : ''}
            />
          )}
          {hasBulkBar && (
            <>
              <div className="border-t border-line" />
              <div
                className={`pointer-events-none sticky bottom-above-bar z-30 flex justify-center p-3 ${clear}`}
                data-print="no"
              >
                {bulkBar}
              </div>
            </>
          )}
        </div>
        <Pagination
          list={list}
          loading={isReplaced ? loadingText(list) : undefined}
          namesPage={props.namesPage}
          onTurn={turnTo}
          className={clear}
        />
      </div>
    </FilterPhrases>
  )
}

interface StalenessProps<R> {
  list: TableList<R>
  /** Why the requested rows could not be loaded. */
  error: unknown
  errorText: string
}

/** The rows in view are not what was asked for, or may have changed. */
function Staleness<R>({ list: { view, live }, error, errorText }: StalenessProps<R>) {
  if (error) return <StaleNotice view={view} message={failureText(error, errorText)} />
  if (!live?.failure) return null
  const again = { ...view, isFetching: live.isLoading, retry: live.show }
  return <StaleNotice view={again} message={failureText(live.failure, errorText)} />
}

/**
 * If the focused row disappears, the heading takes the focus; if the bulk bar does, what had it before: the checkbox of a
 * row, for example.
 */
function useFocusAfterLoss(rows: unknown, hasBulkBar: boolean) {
  const focused = useRef<Element>(undefined)
  const before = useRef<HTMLElement>(undefined)
  useEffect(() => {
    if (focused.current?.isConnected !== false || document.activeElement !== document.body) return
    if (before.current?.isConnected) before.current.focus()
    else focusHeading()
  }, [rows, hasBulkBar])
  return useCallback(({ target, currentTarget }: FocusEvent<HTMLElement>) => {
    focused.current = target
    if (currentTarget.contains(target) && !target.closest('[role=toolbar]')) before.current = target
  }, [])
}

/** What is used below the rows ends beside the panel, which covers 456 px of the page. */
const clearOfPanel = 'md:pr-[472px]'

const dimmed = 'opacity-45 transition-opacity duration-150'

/** The visible rows are still those of another page. */
function PageProgress({ label }: { label: string }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      className="sticky top-12 z-30 -mb-0.5 h-0.5 overflow-hidden bg-line-strong"
    >
      <div className="h-0.5 w-1/4 animate-filament bg-accent-edge motion-reduce:w-full motion-reduce:animate-none" />
    </div>
  )
}

function loadingText<R>({ state: { page }, view }: TableList<R>): string {
  return view.mismatch === 'page' ? t`Loading page ${page}…` : t`Loading…`
}
