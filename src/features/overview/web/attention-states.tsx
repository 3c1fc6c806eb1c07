import { t } from '@lingui/core/macro'
import { RotateCw } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { Skeleton, useDelayed } from '#web/ui/skeleton.tsx'
import { AttentionFrame } from './attention-list.tsx'

/** Three lines, of the height that lines have. */
export function AttentionSkeleton() {
  const isShown = useDelayed(true)
  return (
    <div aria-hidden="true" className={`mb-5 ${isShown ? '' : 'invisible'}`}>
      <div className="mb-2 flex h-[22px] items-center">
        <Skeleton className="h-3.5 w-36" />
      </div>
      <div className="ruled rounded-lg border border-line bg-surface-1">
        {['w-72', 'w-56', 'w-64'].map((width) => (
          <div key={width} className="flex h-11 items-center gap-3 px-4">
            <Skeleton className="size-4" />
            <Skeleton className={`h-3 max-w-[60%] ${width}`} />
          </div>
        ))}
      </div>
    </div>
  )
}

interface FailedProps {
  title: string
  busy: boolean
  onRetry: () => void
}

export function AttentionFailed({ title, busy, onRetry }: FailedProps) {
  return (
    <AttentionFrame title={title}>
      <li className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2 text-ui text-text-2">
        <span className="grow">{t`This could not be loaded.`}</span>
        <Button size="sm" icon={<RotateCw />} busy={busy} onClick={onRetry}>{t`Retry`}</Button>
      </li>
    </AttentionFrame>
  )
}
