import type { ReactNode } from 'react'
import { useIsPhone } from '../browser/use-media.ts'

export interface Stat {
  label: string
  /** A formatted value; `undefined` while loading. */
  value: ReactNode
  note?: ReactNode
  /** Makes the cell a filter button. */
  onSelect?: () => void
  /** The active filter, with an accent underline. */
  selected?: boolean
}

/** Whether any cell has a third line, so that all reserve space for it. */
function CellText({ label, value, note, hasNotes }: Stat & { hasNotes: boolean }) {
  return (
    <>
      <span className="block truncate text-meta text-text-2">{label}</span>
      <span className="mt-1 block truncate text-stat font-semibold tracking-[-0.01em] tabular-nums">
        {value ?? <span className="text-text-3">–</span>}
      </span>
      {hasNotes && <span className="mt-0.5 block min-h-4 truncate text-meta text-text-3">{note}</span>}
    </>
  )
}

const cell = 'relative block min-w-0 px-4 pt-3.5 pb-3.5 text-left'

interface StatStripProps {
  label: string
  stats: readonly Stat[]
  /** Above a table: one line that scrolls on phones, and not printed. */
  aboveTable?: boolean
}

const tiles = [
  'grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line',
  'min-[640px]:auto-cols-fr min-[640px]:grid-flow-col min-[640px]:grid-cols-none',
  'max-[639px]:[&>li:first-child:nth-last-child(odd)]:col-span-full',
].join(' ')

/** Numbers on a page; cells with `onSelect` filter its table. */
export function StatStrip({ label, stats, aboveTable = false }: StatStripProps) {
  const isPhone = useIsPhone()
  if (aboveTable && isPhone) return <StatLine label={label} stats={stats} />
  const hasNotes = stats.some((stat) => 'note' in stat)
  return (
    <ul aria-label={label} data-print={aboveTable ? 'no' : undefined} className={`mb-4 ${tiles}`}>
      {stats.map((stat) => (
        <li key={stat.label} className="min-w-0 bg-surface-1">
          {stat.onSelect ? (
            <button
              type="button"
              aria-pressed={stat.selected ?? false}
              onClick={stat.onSelect}
              className={`${cell} h-full w-full -outline-offset-2 hover:bg-surface-2`}
            >
              <CellText {...stat} hasNotes={hasNotes} />
              {stat.selected && <span className="absolute inset-x-4 bottom-0 h-0.5 bg-accent-edge" />}
            </button>
          ) : (
            <div className={cell}>
              <CellText {...stat} hasNotes={hasNotes} />
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}

/** The same on a phone, where it takes one line. */
function StatLine({ label, stats }: Pick<StatStripProps, 'label' | 'stats'>) {
  const content = ({ label: name, value }: Stat) => (
    <>
      {name}
      <span className="font-semibold text-text tabular-nums">{value ?? '–'}</span>
    </>
  )
  const item = 'flex h-10 items-center gap-1.5 rounded-md border px-3 text-ui whitespace-nowrap text-text-2'
  return (
    <ul aria-label={label} data-print="no" className="scroll-line mb-1!">
      {stats.map((stat) => (
        <li key={stat.label} className="shrink-0">
          {stat.onSelect ? (
            <button
              type="button"
              aria-pressed={stat.selected ?? false}
              onClick={stat.onSelect}
              className={`${item} pointer-coarse:h-11 ${stat.selected ? 'border-accent-edge bg-surface-2' : 'border-line bg-surface-1'}`}
            >
              {content(stat)}
            </button>
          ) : (
            <span className={`${item} border-line bg-surface-1`}>{content(stat)}</span>
          )}
        </li>
      ))}
    </ul>
  )
}
