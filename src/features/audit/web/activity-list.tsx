import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { History, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { paths } from '#web/navigation/paths.ts'
import { PanelLink } from '#web/panel/panel-link.tsx'
import { useAccount } from '#web/session/use-account.ts'
import { dateTimeText } from '#web/time/time-text.ts'
import { useTimeZone } from '#web/browser/time-zone.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { QueryFailed } from '#web/ui/query-failed.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { activityQuery, undoEntry } from './activity-data.ts'
import { actorName } from './actor-texts.ts'
import type { AuditEntry } from './audit-data.ts'
import { eventText } from './event-texts.ts'
import { ownerTarget } from './owner-names.tsx'
import { targetSubject, useSelectedAppId } from './panel-names.tsx'
import { countedTargetText } from './target-text.ts'

interface ActivityListProps {
  /** The actions of the administrator instead of those of the account. */
  isPlatform?: boolean
}

/** The last actions of the account, with Undo where it is possible. */
export function ActivityList({ isPlatform = false }: ActivityListProps) {
  const account = useAccount()
  const query = useQuery(activityQuery(account.id, isPlatform))
  const { data, error } = query
  if (!data) {
    if (!error) return <p role="status" className="py-2 text-ui text-text-2">{t`Loading…`}</p>
    return <QueryFailed query={query} failure={t`Failed to load the activity`} />
  }
  if (data.entries.length === 0)
    return (
      <EmptyState icon={<History />} title={t`No activity yet`}>
        {t`What you and your team do appears here, and you can undo most of it.`}
      </EmptyState>
    )
  return (
    <>
      <ul aria-label={t`Activity`}>
        {data.entries.map((entry) => (
          <ActivityItem key={entry.id} entry={entry} isPlatform={isPlatform} />
        ))}
      </ul>
      <Link
        to={isPlatform ? paths.adminAudit() : paths.audit()}
        className="mt-4 inline-block rounded-sm text-ui text-accent-text underline underline-offset-2"
      >
        {t`Show all in the audit`}
      </Link>
    </>
  )
}

export const AdminActivity = () => <ActivityList isPlatform />

function ActivityItem({ entry, isPlatform }: { entry: AuditEntry; isPlatform: boolean }) {
  const { act, actor, app, timestamp, undo, undone } = entry
  const timeZone = useTimeZone()
  const [isUndoing, setUndoing] = useState(false)
  const { name } = actorName(actor)
  const text = eventText(act)
  const until = undo?.until ? dateTimeText(undo.until, timeZone) : ''
  const press = async () => {
    setUndoing(true)
    await undoEntry(entry).finally(() => setUndoing(false))
  }
  return (
    <li className="flex items-start gap-3 border-b border-line py-2.5 text-ui last:border-b-0">
      <div className="min-w-0 grow">
        <p className="text-text">{text}</p>
        <Target entry={entry} isPlatform={isPlatform} />
        <p className="mt-0.5 flex flex-wrap items-baseline gap-x-2 text-meta text-text-3">
          <span translate={actor.isYou ? undefined : 'no'}>{name}</span>
          {app && (
            <span translate="no" className="wrap-anywhere">
              {app.name || app.id}
            </span>
          )}
          <TimeAgo at={timestamp} />
          {until !== '' && <span>{t`Undo until ${until}`}</span>}
        </p>
      </div>
      {undone && <Badge tone="neutral" dot="ring">{t`Undone`}</Badge>}
      {undo && (
        <Button size="sm" icon={<Undo2 />} busy={isUndoing} aria-label={t`Undo: ${text}`} onClick={() => void press()}>
          {t`Undo`}
        </Button>
      )}
    </li>
  )
}

/** The target, as a link to its panel when it has one. */
function Target({ entry, isPlatform }: { entry: AuditEntry; isPlatform: boolean }) {
  const { actor, target } = entry
  const appId = useSelectedAppId()
  const subject = isPlatform ? ownerTarget(entry) : targetSubject(entry, appId)
  if (target === '' || target === actor.name) return null
  const counted = countedTargetText(target)
  if (counted !== undefined) return <p className="text-text-2">{counted}</p>
  if (subject)
    return (
      <p>
        <PanelLink {...subject}>{target}</PanelLink>
      </p>
    )
  return (
    <p translate="no" className="machine text-text-2 wrap-anywhere">
      {target}
    </p>
  )
}
