import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Activity, Hourglass, KeyRound, Radio, Users } from 'lucide-react'
import { useHasRail } from '#web/browser/use-media.ts'
import { paths } from '#web/navigation/paths.ts'
import type { App } from '#web/session/session.ts'
import { buttonStyle } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Checklist } from '#features/first-run/web/checklist.tsx'
import { type AttentionLine, AttentionFrame, AttentionLines } from './attention-list.tsx'
import { AttentionFailed, AttentionSkeleton } from './attention-states.tsx'
import { countsQuery } from './overview-data.ts'
import { expiringSoonAddress, licensesAddress, sessionsAddress, usersAddress } from './overview-links.ts'

const refetchMs = 60_000

/** The overview of a plan without analytics: what the app has now, and why there is no more. */
export function PlainOverview({ app, reason }: { app: App; reason: string }) {
  const hasRail = useHasRail()
  return (
    <>
      <PageHeader title={t`Overview`} />
      {!hasRail && <Checklist placement="page" />}
      <Counts app={app} />
      <Card>
        <EmptyState
          icon={<Activity />}
          title={t`Your plan does not include charts`}
          actions={
            <>
              <Link to={paths.logs()} className={buttonStyle({})}>{t`Show the logs`}</Link>
              <Link to={paths.profile()} className={buttonStyle({ variant: 'primary' })}>{t`Compare plans`}</Link>
            </>
          }
        >
          {reason}
        </EmptyState>
      </Card>
    </>
  )
}

function Counts({ app }: { app: App }) {
  const { data, isPending, isFetching, refetch } = useQuery({ ...countsQuery(), refetchInterval: refetchMs })
  if (isPending) return <AttentionSkeleton />
  const title = t`Right now`
  if (!data) return <AttentionFailed title={title} busy={isFetching} onRetry={() => void refetch()} />
  const { licenses, users } = data
  const lines: AttentionLine[] = [
    {
      id: 'licenses',
      icon: <KeyRound />,
      text: plural(licenses.total, { one: '# license', other: '# licenses' }),
      detail: `· ${plural(licenses.unused, { one: '# not redeemed yet', other: '# not redeemed yet' })}`,
      link: t`Show licenses`,
      address: licensesAddress(),
    },
    {
      id: 'expiring',
      icon: <Hourglass />,
      text: plural(licenses.expiring, { one: '# license', other: '# licenses' }),
      detail: plural(licenses.expiring, { one: 'expires within 7 days.', other: 'expire within 7 days.' }),
      link: t`Show licenses`,
      address: expiringSoonAddress(),
    },
    {
      id: 'users',
      icon: <Users />,
      text: plural(users.total, { one: '# user', other: '# users' }),
      detail: users.banned > 0 ? `· ${plural(users.banned, { one: '# banned', other: '# banned' })}` : undefined,
      link: t`Show users`,
      address: usersAddress(),
    },
    {
      id: 'sessions',
      icon: <Radio />,
      text: plural(app.activeSessions, { one: '# active session', other: '# active sessions' }),
      link: t`Show sessions`,
      address: sessionsAddress(),
    },
  ]
  const shown = lines.filter(({ id }) => id !== 'expiring' || licenses.expiring > 0)
  return (
    <AttentionFrame title={title}>
      <AttentionLines lines={shown} />
    </AttentionFrame>
  )
}
