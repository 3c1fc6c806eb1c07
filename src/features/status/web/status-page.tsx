import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, CircleAlert, CircleCheck, CircleHelp, CircleX } from 'lucide-react'
import type { ReactNode } from 'react'
import type { StatusState } from '#contract/status-parts.ts'
import { paths } from '#web/navigation/paths.ts'
import { useTicking } from '#web/time/clock.ts'
import { buttonStyle } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { QueryFailed } from '#web/ui/query-failed.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton, useDelayed } from '#web/ui/skeleton.tsx'
import { useAccount } from '#web/session/use-account.ts'
import { maxAgeSeconds, type Status, statusQuery } from './status-data.ts'
import { StatusFrame } from './status-frame.tsx'
import { overallText, utcTime } from './status-labels.ts'
import { StatusParts } from './status-parts.tsx'

/** Status of the platform and its history, for all signed-in users. */
export function StatusPage() {
  const account = useAccount()
  const { data, error, dataUpdatedAt, refetch } = useQuery(statusQuery(account))
  // Uses only the browser's clock, because the server's may differ.
  const isOld = useTicking((now) => data !== undefined && now - dataUpdatedAt / 1000 > maxAgeSeconds)
  const isKnown = data !== undefined && !error && !isOld
  return (
    <>
      <PageHeader
        title={t`System status`}
        description={t`Updates every 30 seconds. All times are UTC.`}
        actions={
          <Link to={paths.home()} className={buttonStyle({})}>
            <ArrowLeft aria-hidden="true" className="size-4" />
            {t`Back to the dashboard`}
          </Link>
        }
      />
      {error && !data && (
        <Card>
          <QueryFailed query={{ error, refetch }} failure={t`Failed to load the status`} />
        </Card>
      )}
      {!data && !error && <StatusSkeleton />}
      {data?.frame && <StatusFrame address={data.frame} />}
      {data && !data.frame && (
        <>
          <Overall status={data} isKnown={isKnown} />
          <StatusParts parts={data.parts} at={data.at} isKnown={isKnown} />
        </>
      )}
    </>
  )
}

const looks: Record<StatusState, { icon: ReactNode; look: string }> = {
  ok: { icon: <CircleCheck className="text-accent-text" />, look: 'border-line' },
  degraded: { icon: <CircleAlert className="text-warn" />, look: 'border-warn' },
  down: { icon: <CircleX className="text-danger" />, look: 'border-danger' },
  off: { icon: <CircleHelp className="text-text-2" />, look: 'border-line-strong' },
  unknown: { icon: <CircleHelp className="text-text-2" />, look: 'border-line-strong border-dashed' },
}

function Overall({ status, isKnown }: { status: Status; isKnown: boolean }) {
  const { icon, look } = looks[isKnown ? status.state : 'unknown']
  const time = utcTime(status.at)
  return (
    <div
      role="status"
      className={`mb-4 flex items-center gap-3 rounded-lg border bg-surface-1 p-4 [&>svg]:size-6 [&>svg]:shrink-0 ${look}`}
    >
      {icon}
      <p className="min-w-0">
        <span className="block text-section font-semibold">
          {isKnown ? overallText(status) : t`Unknown since ${time} UTC`}
        </span>
        <span className="block text-ui text-text-2">
          {isKnown
            ? t`Measured on ${time} UTC`
            : t`The server can't be reached. The information below is from earlier; the page tries again every 30 seconds.`}
        </span>
      </p>
    </div>
  )
}

function StatusSkeleton() {
  const isShown = useDelayed(true)
  return (
    <div aria-hidden="true" className={`grid gap-4 lg:grid-cols-2 ${isShown ? '' : 'invisible'}`}>
      {[1, 2, 3, 4].map((n) => (
        <Skeleton key={n} className="h-28" />
      ))}
    </div>
  )
}
