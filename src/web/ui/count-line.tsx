import type { ReactNode } from 'react'

export interface CountOf {
  label: string
  /** A formatted number, mostly a link to what it counts; `undefined` while loading. */
  count: ReactNode
  note?: ReactNode
}

interface CountLineProps {
  label: string
  counts: readonly CountOf[]
}

/** Numbers of a page in one line: they are there to look up, and don't compete with what the page is about. */
export const CountLine = ({ label, counts }: CountLineProps) => (
  <ul
    aria-label={label}
    className="mb-5 flex flex-wrap gap-x-6 gap-y-1 rounded-lg border border-line bg-surface-1 px-4 py-2 text-ui sm:px-[18px] text-text-2 max-sm:flex-col"
  >
    {counts.map(({ label: name, count, note }) => (
      <li key={name} className="flex min-h-6 min-w-0 flex-wrap items-center gap-x-2 pointer-coarse:min-h-11">
        <span className="max-sm:grow">{name}</span>
        <span className="font-semibold text-text tabular-nums">{count ?? <span className="text-text-3">–</span>}</span>
        {note && <span className="empty:hidden">{note}</span>}
      </li>
    ))}
  </ul>
)
