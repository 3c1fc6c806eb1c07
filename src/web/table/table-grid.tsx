import {
  type ColumnDef,
  columnVisibilityFeature,
  type ExpandedState,
  rowExpandingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useStore } from '../store.ts'
import { type Column, columnWidth } from './column.ts'
import type { DataTableProps } from './data-table.tsx'
import { type ColumnVisibility, densityStore } from './preferences.ts'
import { SkeletonRows } from './skeleton-rows.tsx'
import { TableHead } from './table-head.tsx'
import { TableRow } from './table-row.tsx'
import { useFrameWidth } from './use-frame-width.ts'
import { useRowKeyboard } from './use-row-keyboard.ts'

const features = tableFeatures({ columnVisibilityFeature, rowExpandingFeature })

const checkboxWidth = 40
const expanderWidth = 36
const menuWidth = 44
/** Columns give way down to this share of their width; then the table scrolls. */
const narrowest = 0.8

export function TableGrid<R extends object>(props: DataTableProps<R> & { visibility: ColumnVisibility }) {
  const { label, columns, rows, rowId, rowLabel, selection, rowMenu, onOpen, expand, state, visibility } = props
  const density = useStore(densityStore)
  const [expanded, setExpanded] = useState<ExpandedState>({})
  const frame = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)

  const definitions = useMemo(
    () => columns.map((column): ColumnDef<typeof features, R> => ({ id: column.id, header: column.header })),
    [columns],
  )
  const data = useMemo(() => (rows ? [...rows] : []), [rows])
  const byId = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns])
  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: rowId,
    getRowCanExpand: () => expand !== undefined,
    state: { columnVisibility: visibility, expanded },
    onExpandedChange: setExpanded,
    // What is done inside an open row refreshes the list, and must not shut it.
    autoResetExpanded: false,
  })
  const visible = useMemo(
    () =>
      table
        .getVisibleLeafColumns()
        .map(({ id }) => byId.get(id))
        .filter((column): column is Column<R> => column !== undefined),
    // oxlint-disable-next-line react/exhaustive-deps -- the table object is stable; visibility is what changes it
    [columns, byId, visibility],
  )
  const extra = (selection ? checkboxWidth : 0) + (expand ? expanderWidth : 0) + (rowMenu ? menuWidth : 0)
  const wantedWidth = visible.reduce((sum, column) => sum + columnWidth(column), 0)
  const leastWidth = wantedWidth * narrowest + extra
  const frameWidth = useFrameWidth(frame)
  const overflows = frameWidth < leastWidth
  // Columns share the room by their widths; those of checkbox and menu are fixed.
  const stretch = overflows ? narrowest : frameWidth === Infinity ? 1 : (frameWidth - extra) / wantedWidth

  const pageIds = useMemo(() => data.map(rowId), [data, rowId])
  const toggle = selection?.toggle
  const onToggle = useCallback((id: string, range: boolean) => toggle?.(id, { range, pageIds }), [toggle, pageIds])
  const onExpand = useCallback(
    (id: string) => setExpanded((before) => (before === true ? {} : { ...before, [id]: before[id] !== true })),
    [],
  )
  const { activeId, setActiveId, onKeyDown } = useRowKeyboard({
    body,
    ids: pageIds,
    onToggle: selection ? onToggle : undefined,
    onEnter: (id) => {
      const row = data[pageIds.indexOf(id)]
      if (!row) return
      if (expand) onExpand(id)
      else if (onOpen) onOpen(row)
      else body.current?.querySelector<HTMLElement>('tr:focus [aria-haspopup="menu"]')?.click()
    },
  })
  const columnCount = visible.length + (selection ? 1 : 0) + (expand ? 1 : 0) + (rowMenu ? 1 : 0)

  return (
    <div ref={frame} className={overflows ? 'overflow-x-auto' : ''}>
      <table
        aria-label={label}
        aria-busy={rows === undefined}
        className="w-full table-fixed border-separate border-spacing-0 text-ui"
        style={{ minWidth: overflows ? leastWidth : undefined }}
      >
        <colgroup>
          {selection && <col style={{ width: checkboxWidth }} />}
          {expand && <col style={{ width: expanderWidth }} />}
          {visible.map((column) => (
            <col key={column.id} style={{ width: columnWidth(column) * stretch }} />
          ))}
          {rowMenu && <col style={{ width: menuWidth }} />}
        </colgroup>
        <TableHead
          columns={visible}
          sort={state.sort}
          onSort={state.setSort}
          selection={selection}
          pageIds={pageIds}
          hasExpander={expand !== undefined}
          hasMenu={rowMenu !== undefined}
          sticky={!overflows}
        />
        <tbody ref={body} onKeyDown={onKeyDown}>
          {rows === undefined ? (
            <SkeletonRows
              columns={visible}
              extraCells={columnCount - visible.length}
              count={state.limit}
              density={density}
            />
          ) : (
            table
              .getRowModel()
              .rows.map((row) => (
                <TableRow
                  key={row.id}
                  id={row.id}
                  row={row.original}
                  columns={visible}
                  columnCount={columnCount}
                  label={rowLabel}
                  density={density}
                  selected={selection?.has(row.id) ?? false}
                  pinned={overflows}
                  focusable={activeId === undefined ? row.index === 0 : activeId === row.id}
                  expanded={row.getIsExpanded()}
                  onFocusRow={setActiveId}
                  onToggle={selection ? onToggle : undefined}
                  onExpand={expand ? onExpand : undefined}
                  expand={expand}
                  onOpen={onOpen}
                  menu={rowMenu}
                />
              ))
          )}
        </tbody>
      </table>
    </div>
  )
}
