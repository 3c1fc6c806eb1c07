import type { ReactNode } from 'react'
import { chartHeight } from '#web/charts/time-axes.tsx'
import { Card } from '#web/ui/card.tsx'
import { Skeleton, useDelayed } from '#web/ui/skeleton.tsx'
import { partsGrid, rowHeight, smallHeight } from './chart-sizes.ts'

const legendHeight = 24

/** The cards in their sizes, without numbers. */
export function ChartsSkeleton() {
  const isShown = useDelayed(true)
  return (
    <div aria-hidden="true" className={isShown ? '' : 'invisible'}>
      <Card>
        <CardSkeleton>
          <BarsSkeleton height={chartHeight} />
          <div style={{ height: legendHeight }} />
        </CardSkeleton>
      </Card>
      <Card className={partsGrid}>
        {[0, 1].map((index) => (
          <CardSkeleton key={index}>
            <RowsSkeleton />
          </CardSkeleton>
        ))}
        {[2, 3, 4, 5].map((index) => (
          <CardSkeleton key={index}>
            <BarsSkeleton height={smallHeight} />
          </CardSkeleton>
        ))}
      </Card>
    </div>
  )
}

function CardSkeleton({ children }: { children: ReactNode }) {
  return (
    <div className="p-4">
      <div className="mb-3 flex h-[42px] flex-col gap-2.5 pt-1.5">
        <Skeleton className="h-3.5 w-28" />
        <Skeleton className="h-3 w-64 max-w-full" />
      </div>
      {children}
    </div>
  )
}

const BarsSkeleton = ({ height }: { height: number }) => (
  <div className="flex items-end gap-2 pb-6" style={{ height }}>
    {[38, 55, 46, 72, 60, 84, 66].map((share) => (
      <span key={share} className="flex grow items-end" style={{ height: `${share}%` }}>
        <Skeleton className="h-full w-full" />
      </span>
    ))}
  </div>
)

const RowsSkeleton = () =>
  [80, 66, 58, 40, 28].map((share) => (
    <div key={share} className="flex items-start" style={{ height: rowHeight, width: `${share}%` }}>
      <Skeleton className="h-6 w-full" />
    </div>
  ))
