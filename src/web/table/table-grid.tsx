// oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- some browsers derive roles from `display`
import { type CSSProperties, useCallback, useMemo, useRef } from 'react'
import { useStore } from '../browser/store.ts'
import type { TableBodyProps } from './table-list.ts'
import { densityStore } from './stored-preferences.ts'
import { useFirstRows } from './first-rows.ts'
import { useRowKeys } from './row-keys.ts'
import { SkeletonRows } from './skeleton-rows.tsx'
import { TableHead } from './table-head.tsx'
import { rowPixels, TableRow } from './table-row.tsx'
import { useColumnLayout } from './use-column-layout.ts'
import { useListFocus } from '../ui/use-list-focus.ts'
import { useRowKeyboard } from './use-row-keyboard.ts'

const checkboxWidth = 40
const expanderWidth = 36
const menuWidth = 44

export function TableGrid<R extends object>(props: TableBodyProps<R>) {
  const { label, list, rows, rowLabel, selection, rowMenu, onOpen, isBusy, rowsStyle } = props
  const { panelRow, onPanelRow, onPanelToggle } = props
  const { state, rowId } = list
  const density = useStore(densityStore)
  const { rendered, waiting } = useFirstRows(rows)
  const frame = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)

  const extra = (selection ? checkboxWidth : 0) + (onPanelToggle ? expanderWidth : 0) + (rowMenu ? menuWidth : 0)
  const { visible, widths, leastWidth, overflows } = useColumnLayout(props, { fixed: extra, frame })

  const tracks = [
    ...(selection ? [`${checkboxWidth}px`] : []),
    ...(onPanelToggle ? [`${expanderWidth}px`] : []),
    ...visible.map(({ id }) => `minmax(0, ${widths.get(id) ?? 0}fr)`),
    ...(rowMenu ? [`${menuWidth}px`] : []),
  ]

  const pageIds = useMemo(() => rows?.map(rowId) ?? [], [rows, rowId])
  const keys = useRowKeys(pageIds)
  const toggle = selection?.toggle
  const onToggle = useCallback((id: string, range: boolean) => toggle?.(id, { range, pageIds }), [toggle, pageIds])
  const { activeId, setActiveId, onKeyDown } = useRowKeyboard({
    body,
    ids: pageIds,
    openedId: panelRow,
    onMove: panelRow === undefined ? undefined : onPanelRow,
    list,
    onTurn: props.onTurn,
    count: waiting > 0 ? 0 : pageIds.length,
    onToggle: selection ? onToggle : undefined,
    onEnter: (id) => {
      const row = rows?.[pageIds.indexOf(id)]
      if (!row) return
      if (onOpen) onOpen(row)
      else body.current?.querySelector<HTMLElement>('tr:focus [aria-haspopup="menu"]')?.click()
    },
  })
  const keepFocus = useListFocus(body, ':scope > tr[data-row]')

  return (
    <div ref={frame} className={overflows ? 'overflow-x-auto' : ''}>
      <table
        role="table"
        aria-label={label}
        aria-busy={isBusy}
        className="row-grid w-full border-separate border-spacing-0 text-ui"
        style={{ '--tracks': tracks.join(' '), minWidth: overflows ? leastWidth : undefined } as CSSProperties}
      >
        <TableHead
          columns={visible}
          sort={state.sort}
          onSort={state.setSort}
          selection={selection}
          pageIds={pageIds}
          hasExpander={onPanelToggle !== undefined}
          hasMenu={rowMenu !== undefined}
          sticky={!overflows}
        />
        <tbody role="rowgroup" ref={body} {...keepFocus} onKeyDown={onKeyDown} className={rowsStyle}>
          {rendered === undefined ? (
            <SkeletonRows
              columns={visible}
              extraCells={tracks.length - visible.length}
              count={state.limit}
              density={density}
            />
          ) : (
            rendered.map((row, index) => {
              const id = rowId(row)
              return (
                <TableRow
                  key={keys.get(id)}
                  id={id}
                  row={row}
                  columns={visible}
                  label={rowLabel}
                  density={density}
                  selected={selection?.has(id) ?? false}
                  pinned={overflows}
                  focusable={activeId === undefined ? index === 0 : activeId === id}
                  opened={panelRow === id}
                  gone={list.live?.gone.has(id) ?? false}
                  onFocusRow={setActiveId}
                  onToggle={selection ? onToggle : undefined}
                  onPanelToggle={onPanelToggle}
                  onOpen={onOpen}
                  menu={rowMenu}
                />
              )
            })
          )}
          {waiting > 0 && (
            <tr aria-hidden="true" style={{ height: waiting * rowPixels(visible, density) }}>
              <td />
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}
