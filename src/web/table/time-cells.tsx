import { TimeAgo } from '../ui/time-ago.tsx'
import type { Column } from './column.ts'
import { neededOfAgo } from './needed-texts.ts'

/** The cells of a column of past times, in epoch seconds, which the column shows in full. */
export const agoCells = <R,>(at: (row: R) => number): Pick<Column<R>, 'needs' | 'cell'> => ({
  needs: (row) => neededOfAgo(at(row)),
  cell: (row) => <TimeAgo at={at(row)} className="text-text-2" />,
})
