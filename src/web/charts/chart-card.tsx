import { t } from '@lingui/core/macro'
import { ChartNoAxesColumn, Download, Table2 } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { csvLine } from '#contract/csv.ts'
import { saveTextFile } from '../browser/save-text-file.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { MoreActions } from '../ui/more-actions.tsx'
import { chartHeight } from './time-axes.tsx'

/** Data of a chart as text, for its table and its file. */
export interface ChartTable {
  head: readonly string[]
  /** The first column names the row, the others are counts; a missing one is empty. */
  rows: readonly (readonly [name: string, ...counts: (number | undefined)[]])[]
  /** First column in a file, if it differs: times in a machine-readable format. */
  fileNames?: readonly string[]
}

interface ChartCardProps {
  title: string
  /** What it counts; or the result in a sentence. */
  description: ReactNode
  /** Undefined until the numbers are there. */
  table: ChartTable | undefined
  fileName: string
  /** Shown instead of an empty chart. */
  empty: string | undefined
  lang: string
  className?: string
  /** Beside the title. */
  badge?: ReactNode
  /** Height of the drawing in pixels. The table in its place always has `chartHeight`. */
  height?: number
  /** Below the drawing: what its lines are. */
  legend?: ReactNode
  /** Its table and its file are in a menu instead of two buttons. */
  hasMenu?: boolean
  /** Without a frame of its own, inside of another card. */
  isPart?: boolean
  children: ReactNode
}

/**
 * A chart with a heading, and the same numbers as a table and as a file. Its height is fixed from the start to avoid
 * layout shifts.
 */
export function ChartCard(props: ChartCardProps) {
  const { title, description, table, fileName, empty, className = '', badge, legend, isPart, children } = props
  const height = props.height ?? chartHeight
  const [asTable, setAsTable] = useState(false)
  const id = useId()
  const save = ({ head, rows, fileNames }: ChartTable) => {
    const lines = rows.map(([name, ...counts], at) =>
      csvLine([fileNames?.[at] ?? name, ...counts.map((count) => String(count ?? ''))]),
    )
    saveTextFile(fileName, 'csv', csvLine(head) + lines.join(''))
  }
  const disabledReason = table ? undefined : t`There are no numbers yet`
  const entries = () => [
    {
      label: asTable ? t`View as chart` : t`View as table`,
      icon: asTable ? <ChartNoAxesColumn /> : <Table2 />,
      disabledReason,
      onSelect: () => setAsTable(!asTable),
    },
    { label: t`Save as CSV`, icon: <Download />, disabledReason, onSelect: () => table && save(table) },
  ]
  return (
    <section
      aria-labelledby={id}
      className={`flex min-w-0 flex-col p-4 ${isPart ? '' : 'rounded-lg border border-line bg-surface-1'} ${className}`}
    >
      <div className="mb-3 flex items-start gap-1">
        <div className="min-w-0 grow">
          <div className="flex min-w-0 items-center gap-2.5">
            <h2 id={id} className="min-w-0 text-section font-semibold">
              {title}
            </h2>
            {badge}
          </div>
          <div className={typeof description === 'string' ? 'text-meta text-text-2' : 'text-ui text-text-2'}>
            {description}
          </div>
        </div>
        {props.hasMenu ? (
          <MoreActions label={t`Actions for ${title}`} entries={entries} />
        ) : (
          <>
            <IconButton
              label={t`View ${title} as table`}
              icon={asTable ? <ChartNoAxesColumn /> : <Table2 />}
              aria-pressed={asTable}
              disabled={!table}
              onClick={() => setAsTable(!asTable)}
            />
            <IconButton
              label={t`Save ${title} as CSV`}
              icon={<Download />}
              disabled={!table}
              onClick={() => table && save(table)}
            />
          </>
        )}
      </div>
      <div className="min-w-0" style={{ height: asTable && table ? Math.max(chartHeight, height) : height }}>
        {asTable && table ? (
          <Table label={title} table={table} lang={props.lang} />
        ) : (
          <Body empty={empty}>{children}</Body>
        )}
      </div>
      {legend && <div className="mt-2">{legend}</div>}
    </section>
  )
}

function Body({ empty, children }: { empty: string | undefined; children: ReactNode }) {
  if (empty === undefined) return children
  return (
    <p className="flex h-full items-center justify-center rounded-md border border-dashed border-line px-6 text-center text-ui text-text-2">
      {empty}
    </p>
  )
}

function Table({ label, table, lang }: { label: string; table: ChartTable; lang: string }) {
  const [first, ...others] = table.head
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, by keyboard too
    <div role="group" aria-label={label} tabIndex={0} className="h-full overflow-auto rounded-md border border-line">
      <table className="w-full text-ui tabular-nums">
        <thead className="sticky top-0 bg-surface-2 text-meta text-text-2">
          <tr>
            <th scope="col" className="px-3 py-1.5 text-left font-medium">
              {first}
            </th>
            {others.map((name) => (
              <th key={name} scope="col" className="px-3 py-1.5 text-right font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map(([name, ...counts], row) => (
            <tr key={row} className="border-t border-line">
              <th scope="row" className="px-3 py-1.5 text-left font-normal whitespace-nowrap">
                {name}
              </th>
              {counts.map((count, column) => (
                <td key={column} className="px-3 py-1.5 text-right">
                  {count?.toLocaleString(lang)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
