// oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- some browsers derive roles from `display`
import { t } from '@lingui/core/macro'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { Column } from './column.ts'
import { SelectPage } from './select-page.tsx'
import type { Selection } from './selection.ts'
import type { TableSort } from './table-params.ts'
import { showWhole } from './show-whole.ts'

interface TableHeadProps<R> {
  columns: readonly Column<R>[]
  sort: TableSort | undefined
  onSort: (sort: TableSort | undefined) => void
  selection?: Selection
  pageIds: readonly string[]
  hasExpander: boolean
  hasMenu: boolean
  sticky: boolean
}

export function TableHead<R>(props: TableHeadProps<R>) {
  const { columns, sort, onSort, selection, pageIds, hasExpander, hasMenu, sticky } = props
  const cell = 'h-8 bg-surface-1 px-3 text-left text-meta font-medium text-text-2'
  return (
    <thead role="rowgroup" className={sticky ? 'sticky top-[calc(48px+var(--strip))] z-20' : ''}>
      <tr role="row">
        {selection && (
          <th role="columnheader" scope="col" data-print="no" className={`${cell} pr-0 leading-none`}>
            <SelectPage selection={selection} pageIds={pageIds} />
          </th>
        )}
        {hasExpander && (
          <th role="columnheader" scope="col" data-print="no" className={cell}>
            <span className="sr-only">{t`Details`}</span>
          </th>
        )}
        {columns.map((column) => {
          const on = sort?.id === column.id ? sort : undefined
          const direction = on ? (on.descending ? 'descending' : 'ascending') : column.sortable ? 'none' : undefined
          return (
            <th
              role="columnheader"
              key={column.id}
              scope="col"
              aria-sort={direction}
              onPointerEnter={showWhole}
              className={`${cell} truncate ${column.align === 'end' ? 'text-right' : ''}`}
            >
              {column.sortable && <span className="hidden print:inline">{column.header}</span>}
              {column.sortable ? (
                <button
                  type="button"
                  title={column.note}
                  onClick={() => onSort(on?.descending ? undefined : { id: column.id, descending: on !== undefined })}
                  className={`inline-flex items-center gap-1 rounded-sm hover:text-text print:hidden [&_svg]:size-3 ${on ? 'text-text' : ''}`}
                >
                  {column.header}
                  {on && (on.descending ? <ArrowDown /> : <ArrowUp />)}
                </button>
              ) : (
                <span title={column.note}>{column.header}</span>
              )}
            </th>
          )
        })}
        {hasMenu && (
          <th role="columnheader" scope="col" data-print="no" className={cell}>
            <span className="sr-only">{t`Actions`}</span>
          </th>
        )}
      </tr>
    </thead>
  )
}
