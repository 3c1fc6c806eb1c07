import { t } from '@lingui/core/macro'
import { ChevronRight, Ellipsis } from 'lucide-react'
import { Fragment, useState } from 'react'
import { Checkbox } from '../ui/checkbox.tsx'
import { Menu } from '../ui/menu.tsx'
import { Skeleton, useDelayed } from '../ui/skeleton.tsx'
import type { Column } from './column.ts'
import { SelectPage } from './select-page.tsx'
import type { TableBodyProps } from './table-list.ts'

function placeOf<R>(column: Column<R>, index: number) {
  return column.card ?? (index === 0 ? 'title' : 'meta')
}

function CardSkeleton() {
  const late = useDelayed(true)
  return (
    <div className="flex h-17 flex-col justify-center gap-2.5 border-t border-line px-4 first:border-t-0">
      {late && <Skeleton className="h-2.5 w-40" />}
      {late && <Skeleton className="h-2.5 w-56" />}
    </div>
  )
}

/** The rows on a phone: a title line and a line with the rest, with the same menu. */
export function TableCards<R extends object>(props: TableBodyProps<R>) {
  const { label, list, columns, rows, rowLabel, selection, rowMenu, onOpen, expand, visibility, isBusy, rowsStyle } =
    props
  const { rowId } = list
  const [opened, setOpened] = useState<string>()
  if (rows === undefined) return Array.from({ length: 6 }, (_, index) => <CardSkeleton key={index} />)

  const shown = columns.filter((column) => visibility[column.id] !== false)
  const inPlace = (place: ReturnType<typeof placeOf>) =>
    shown.filter((column) => placeOf(column, columns.indexOf(column)) === place)
  const [titles, asides, metas] = [inPlace('title'), inPlace('aside'), inPlace('meta')]
  const cards = (
    <ul aria-label={label} aria-busy={isBusy} className={rowsStyle}>
      {rows.map((row) => {
        const id = rowId(row)
        const name = rowLabel(row)
        const selected = selection?.has(id) ?? false
        const isOpen = opened === id
        const open = expand ? () => setOpened(isOpen ? undefined : id) : onOpen ? () => onOpen(row) : undefined
        return (
          <li key={id} className={`border-t border-line first:border-t-0 ${selected ? 'bg-surface-3' : ''}`}>
            <div className={`flex items-center gap-2.5 py-2.5 pl-3 ${rowMenu || open ? 'pr-1' : 'pr-3'}`}>
              {selection && (
                // The label makes the touch target large enough.
                <label className="-m-3.5 flex p-3.5">
                  <Checkbox aria-label={t`Select ${name}`} checked={selected} onChange={() => selection.toggle(id)} />
                </label>
              )}
              <div className="min-w-0 grow">
                <div className="flex items-center justify-between gap-1.5">
                  <div className="min-w-0 truncate font-medium">
                    {titles.map((column) => (
                      <Fragment key={column.id}>{column.cell(row)}</Fragment>
                    ))}
                  </div>
                  {asides.map((column) => (
                    <div key={column.id}>{column.cell(row)}</div>
                  ))}
                </div>
                <dl className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-meta text-text-2">
                  {metas.map((column) => (
                    <div
                      key={column.id}
                      className="flex min-w-0 max-w-full items-center gap-1.5 has-[dd:empty]:hidden has-[dd>span:empty]:hidden"
                    >
                      <dt className="shrink-0 text-text-3">{column.header}</dt>
                      <dd className="min-w-0 truncate">{column.cell(row)}</dd>
                    </div>
                  ))}
                </dl>
              </div>
              {open && (
                <button
                  type="button"
                  aria-label={t`Details of ${name}`}
                  aria-expanded={expand ? isOpen : undefined}
                  onClick={open}
                  className="flex size-11 shrink-0 items-center justify-center text-text-2"
                >
                  <ChevronRight className={`size-4 ${isOpen ? 'rotate-90' : ''}`} />
                </button>
              )}
              {rowMenu && (
                <Menu
                  label={t`Actions for ${name}`}
                  entries={() => rowMenu(row)}
                  className="flex h-11 w-9 shrink-0 items-center justify-center rounded-md text-text-2"
                >
                  <Ellipsis className="size-4" />
                </Menu>
              )}
            </div>
            {expand && isOpen && <div className="border-t border-line bg-surface-0 p-4">{expand(row)}</div>}
          </li>
        )
      })}
    </ul>
  )
  if (!selection) return cards
  return (
    <>
      <label className="flex h-11 items-center gap-2.5 border-b border-line pl-3 text-ui text-text-2">
        <SelectPage selection={selection} pageIds={rows.map(rowId)} />
        <span aria-hidden="true">{t`Select all rows on this page`}</span>
      </label>
      {cards}
    </>
  )
}
