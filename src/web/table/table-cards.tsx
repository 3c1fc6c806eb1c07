import { t } from '@lingui/core/macro'
import { useCallback, useMemo, useState } from 'react'
import { Skeleton, useDelayed } from '../ui/skeleton.tsx'
import { cardLayout } from './card-layout.ts'
import { useRowKeys } from './row-keys.ts'
import { SelectPage } from './select-page.tsx'
import { TableCard } from './table-card.tsx'
import type { TableBodyProps } from './table-list.ts'

function CardSkeleton() {
  const late = useDelayed(true)
  return (
    <div className="flex h-[66px] flex-col justify-center gap-2.5 border-t border-line px-4 first:border-t-0">
      {late && <Skeleton className="h-2.5 w-40" />}
      {late && <Skeleton className="h-2.5 w-56" />}
    </div>
  )
}

/** The rows on a phone, in two lines each: what names it and its state, then up to three facts. */
export function TableCards<R extends object>(props: TableBodyProps<R>) {
  const { label, list, columns, rows, rowLabel, selection, rowMenu, onOpen, visibility, isBusy, rowsStyle } = props
  const { rowId } = list
  const [opened, setOpened] = useState<string>()
  const layout = useMemo(
    () =>
      cardLayout(
        columns.filter(({ id }) => visibility[id] !== false),
        columns[0],
      ),
    [columns, visibility],
  )
  const onExpand = useCallback((id: string) => setOpened((before) => (before === id ? undefined : id)), [])
  const pageIds = useMemo(() => rows?.map(rowId) ?? [], [rows, rowId])
  const keys = useRowKeys(pageIds)
  const toggle = selection?.toggle
  const onToggle = useCallback((id: string) => toggle?.(id, { pageIds }), [toggle, pageIds])
  if (rows === undefined) return Array.from({ length: 6 }, (_, index) => <CardSkeleton key={index} />)

  const expands = props.panelKind === undefined && layout.more.length > 0
  const cards = (
    <ul aria-label={label} aria-busy={isBusy} className={rowsStyle}>
      {rows.map((row) => {
        const id = rowId(row)
        return (
          <TableCard
            key={keys.get(id)}
            id={id}
            row={row}
            layout={layout}
            label={rowLabel}
            selected={selection?.has(id) ?? false}
            expanded={opened === id}
            gone={list.live?.gone.has(id) ?? false}
            onToggle={toggle && onToggle}
            onExpand={expands ? onExpand : undefined}
            onOpen={onOpen}
            menu={rowMenu}
          />
        )
      })}
    </ul>
  )
  if (!selection) return cards
  return (
    <>
      <label className="flex h-11 items-center gap-2.5 border-b border-line pl-3 text-ui text-text-2">
        <SelectPage selection={selection} pageIds={pageIds} />
        <span aria-hidden="true">{t`Select all rows on this page`}</span>
      </label>
      {cards}
    </>
  )
}
