import { t } from '@lingui/core/macro'
import { ChevronRight } from 'lucide-react'
import { Fragment, memo, type ReactNode } from 'react'
import { Checkbox } from '../ui/checkbox.tsx'
import { Menu } from '../ui/menu.tsx'
import type { MenuEntry } from '../ui/menu-entry.ts'
import type { CardLayout } from './card-layout.ts'
import type { Column } from './column.ts'
import { isForRow } from './row-click.ts'
import { goneStyle } from './table-row.tsx'

export interface TableCardProps<R> {
  id: string
  row: R
  layout: CardLayout<R>
  label: (row: R) => string
  selected: boolean
  expanded: boolean
  /** It was deleted, and stays until the list is loaded again. */
  gone: boolean
  onToggle?: ((id: string) => void) | undefined
  onExpand?: ((id: string) => void) | undefined
  onOpen?: ((row: R) => void) | undefined
  menu?: ((row: R) => readonly MenuEntry[]) | undefined
}

function Card<R>(props: TableCardProps<R>) {
  const { id, row, layout, label, selected, expanded, onToggle, onExpand, onOpen, menu } = props
  const name = label(row)
  const open = onExpand ? () => onExpand(id) : onOpen && (() => onOpen(row))
  return (
    <li
      data-row={id}
      data-selected={selected || undefined}
      className={`border-t border-line [contain-intrinsic-size:auto_66px] [content-visibility:auto] first:border-t-0 ${selected ? 'bg-surface-3' : ''} ${props.gone ? goneStyle : ''}`}
    >
      {props.gone && <span className="sr-only">{t({ message: 'Deleted', context: 'row' })}</span>}
      <div className={`flex items-center gap-2.5 pl-3 ${menu || onExpand ? 'pr-1' : 'pr-3'}`}>
        {onToggle && (
          // The label makes the touch target large enough.
          <label className="-m-3.5 flex p-3.5">
            <Checkbox aria-label={t`Select ${name}`} checked={selected} onChange={() => onToggle(id)} />
          </label>
        )}
        <div
          role="presentation"
          className="min-w-0 grow py-2.5"
          onClick={open && ((event) => isForRow(event) && open())}
        >
          <div className="flex items-center justify-between gap-1.5">
            <div className="min-w-0 truncate font-medium [&_button]:-my-2">
              {layout.titles.map((column) => (
                <Fragment key={column.id}>{contentOf(column, row)}</Fragment>
              ))}
            </div>
            {layout.asides.map((column) => (
              <div key={column.id} className="shrink-0">
                {contentOf(column, row)}
              </div>
            ))}
          </div>
          <Facts columns={layout.facts} row={row} />
        </div>
        {onExpand && (
          <button
            type="button"
            aria-label={t`Details of ${name}`}
            aria-expanded={expanded}
            onClick={() => onExpand(id)}
            className={`flex h-11 shrink-0 items-center justify-center text-text-2 ${menu ? 'w-9' : 'w-11'}`}
          >
            <ChevronRight className={`size-4 ${expanded ? 'rotate-90' : ''}`} />
          </button>
        )}
        {menu && (
          <Menu
            key={id}
            label={t`Actions for ${name}`}
            entries={() => menu(row)}
            className="dots flex h-11 w-9 shrink-0 items-center justify-center rounded-md text-text-2"
          />
        )}
      </div>
      {onExpand && expanded && (
        <div key={id} className="flex flex-col gap-4 border-t border-line bg-surface-0 p-4">
          <More columns={layout.more} row={row} />
        </div>
      )}
    </li>
  )
}

const contentOf = <R,>({ cell, cardCell = cell }: Column<R>, row: R) => cardCell(row)

const isNothing = (content: ReactNode) =>
  content === undefined || content === null || content === false || content === ''

/** One line without labels, so the facts must speak for themselves. Where they don't fit, the long ones share the rest. */
function Facts<R>({ columns, row }: { columns: readonly Column<R>[]; row: R }) {
  const facts = columns.map((column) => ({ column, content: contentOf(column, row) }))
  return (
    <dl
      data-facts=""
      className="mt-0.5 grid h-5 min-w-0 auto-cols-[minmax(auto,max-content)] grid-flow-col items-center justify-start overflow-hidden text-meta text-text-2"
    >
      {facts
        .filter(({ content }) => !isNothing(content))
        .map(({ column, content }) => (
          <div
            key={column.id}
            className="flex min-w-0 items-center has-[.badge,time,[data-short]]:min-w-max not-first:before:mx-1.5 not-first:before:text-text-3 not-first:before:content-['·'] has-[dd:empty]:hidden"
          >
            <dt className="sr-only">{column.header}</dt>
            <dd className="min-w-0 truncate [&_.machine]:text-meta">{content}</dd>
          </div>
        ))}
    </dl>
  )
}

function More<R>({ columns, row }: { columns: readonly Column<R>[]; row: R }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-1.5 text-ui">
      {columns.map((column) => (
        <Fragment key={column.id}>
          <dt className="text-text-3">{column.header}</dt>
          <dd className="min-w-0 wrap-anywhere text-text-2">{column.cell(row)}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

// Memoized, so that select-all on 100 rows stays within a frame.
export const TableCard = memo(Card) as typeof Card
