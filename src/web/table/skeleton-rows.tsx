import { Skeleton, useDelayed } from '../ui/skeleton.tsx'
import type { Column } from './column.ts'
import type { Density } from './stored-preferences.ts'
import { rowHeight } from './table-row.tsx'

interface SkeletonRowsProps<R> {
  columns: readonly Column<R>[]
  /** Checkbox, expander and menu columns. */
  extraCells: number
  count: number
  density: Density
}

const widths = ['w-3/4', 'w-1/2', 'w-2/3']

/** Placeholder rows in the final layout, to avoid layout shifts. The bars appear after 150 ms. */
export function SkeletonRows<R>({ columns, extraCells, count, density }: SkeletonRowsProps<R>) {
  const late = useDelayed(true)
  const rows = Array.from({ length: Math.min(count, 25) }, (_, index) => index)
  return rows.map((row) => (
    <tr key={row} aria-hidden="true" className={rowHeight(columns, density)}>
      {extraCells > 0 && (
        <td style={{ gridColumn: `span ${Math.max(extraCells - 1, 1)}` }} className="border-t border-line" />
      )}
      {columns.map((column, index) => (
        <td key={column.id} className="border-t border-line px-3 align-middle">
          {late && <Skeleton className={`h-2.5 ${widths[(row + index) % widths.length]}`} />}
        </td>
      ))}
      {extraCells > 1 && <td className="border-t border-line" />}
    </tr>
  ))
}
