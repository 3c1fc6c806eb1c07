import type { ReactNode } from 'react'

export interface Stat {
  label: string
  /** A formatted value; `undefined` while loading. */
  value: ReactNode
  note?: ReactNode
}

/** Whether any cell has a third line, so that all reserve space for it. */
function CellText({ label, value, note, hasNotes }: Stat & { hasNotes: boolean }) {
  return (
    <>
      <span className="block truncate text-meta text-text-2">{label}</span>
      <span className="mt-1 block text-stat break-words font-semibold tracking-[-0.01em] tabular-nums *:pointer-coarse:-my-1.5">
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
}

const tiles = [
  'grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line',
  'min-[640px]:auto-cols-fr min-[640px]:grid-flow-col min-[640px]:grid-cols-none',
  'max-[639px]:[&>li:first-child:nth-last-child(odd)]:col-span-full',
].join(' ')

/** Numbers on a page. Those of a list are a FacetLine. */
export function StatStrip({ label, stats }: StatStripProps) {
  const hasNotes = stats.some((stat) => 'note' in stat)
  return (
    <ul aria-label={label} className={`mb-4 ${tiles}`}>
      {stats.map((stat) => (
        <li key={stat.label} className="min-w-0 bg-surface-1">
          <div className={cell}>
            <CellText {...stat} hasNotes={hasNotes} />
          </div>
        </li>
      ))}
    </ul>
  )
}
