import { plural } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ChartColor } from './chart-colors.ts'
import { shareText } from './percent.ts'

export interface RankedRow {
  id: string
  /** Icon or text before the bar. */
  label: ReactNode
  count: number
  /** The rows that the count is of. */
  link?: ListLink | undefined
}

/** The address of a filtered list. */
export interface ListLink {
  to: string
  search: Record<string, string>
  /** What it shows, for screen readers. */
  label: string
}

interface BarListProps {
  label: string
  /** Largest first. */
  rows: readonly RankedRow[]
  color: ChartColor
  lang: string
}

const shownRows = 6
/** Bars end before the numbers. */
const numbersWidth = 116

/** Largest values with their share of the total. A list of texts: the bars add no information. */
export function BarList({ label, rows, color, lang }: BarListProps) {
  const all = rows.reduce((sum, { count }) => sum + count, 0)
  const largest = rows[0]?.count ?? 1
  const hidden = rows.length - shownRows
  return (
    <div className="flex h-full flex-col">
      <ol aria-label={label} className="flex flex-col gap-1.5">
        {rows.slice(0, shownRows).map(({ id, label: name, count, link }) => (
          <li key={id} className="relative flex h-6 items-center gap-3 px-2 text-ui">
            <span
              aria-hidden="true"
              className="keep-color absolute inset-y-0 left-0 rounded-sm opacity-20"
              style={{
                width: `calc((100% - ${numbersWidth}px) * ${Math.max(0.005, count / largest)})`,
                background: color,
              }}
            />
            <span
              aria-hidden="true"
              className="keep-color absolute inset-y-0 left-0 w-0.5 rounded-sm"
              style={{ background: color }}
            />
            <span className="relative min-w-0 grow truncate text-text">{name}</span>
            <span className="relative font-medium text-text tabular-nums">
              {link ? (
                <Link
                  to={link.to}
                  search={link.search}
                  aria-label={link.label}
                  className="underline decoration-line-strong underline-offset-2 hover:decoration-current"
                >
                  {count.toLocaleString(lang)}
                </Link>
              ) : (
                count.toLocaleString(lang)
              )}
            </span>
            <span className="relative w-12 text-right text-meta text-text-2 tabular-nums">
              {shareText(count, all, lang)}
            </span>
          </li>
        ))}
      </ol>
      {hidden > 0 && (
        <p className="mt-auto text-meta text-text-3">
          {plural(hidden, { one: '# more in the table', other: '# more in the table' })}
        </p>
      )}
    </div>
  )
}
