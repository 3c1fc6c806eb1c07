import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AuditSubject } from '#contract/audit-events.ts'
import { call } from '#web/api/call.ts'
import { useRefetchOn } from '#web/panel/use-refetch-on.ts'
import { unannouncedMs } from '#web/list/list-source.ts'
import { accountKey } from '#web/api/query-keys.ts'
import { paths } from '#web/navigation/paths.ts'
import { PanelLink } from '#web/panel/panel-link.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { QueryFailed } from '#web/ui/query-failed.tsx'
import type { Tab } from '#web/ui/tabs.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { actorName } from './actor-texts.ts'
import { AuditChanges } from './audit-changes.tsx'
import type { AuditEntry } from './audit-data.ts'
import { eventText } from './event-texts.ts'
import { useSelectedAppId } from './panel-names.tsx'

interface TargetHistoryProps {
  /** What kind of thing it is. */
  act: AuditSubject
  /** As the audit names it. */
  target: string
  /** Epoch seconds; what was done before is about another thing of the same name. */
  from?: number
  /** Changes when what is shown changed. */
  version: string
}

/** What was done to a thing of the selected app, with its values before and after. */
export const targetHistoryTab = (props: TargetHistoryProps): Tab => ({
  value: 'history',
  label: t`History`,
  content: <TargetHistory key={`${props.act} ${props.target}`} {...props} />,
})

const shown = 50

function TargetHistory({ act, target, from, version }: TargetHistoryProps) {
  const inApp = useSelectedAppId()
  const query = useQuery({
    queryKey: accountKey('audit', 'target', { act, target, inApp, from }),
    queryFn: ({ signal }) => call('GET /audit', { query: { act, target, inApp, from, limit: shown }, signal }),
    staleTime: 0,
    refetchInterval: unannouncedMs,
  })
  const { data, error, refetch } = query
  useRefetchOn(version, refetch)
  if (!data) {
    if (!error) return <Note>{t`Loading…`}</Note>
    return <QueryFailed query={query} failure={t`Failed to load the history`} />
  }
  if (data.entries.length === 0) return <Note>{t`The audit has no entry about it.`}</Note>
  return (
    <>
      <ul aria-label={t`History`}>
        {data.entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
      <Link
        to={paths.audit()}
        search={{ q: target, 'f.act': act }}
        className="mt-4 inline-block rounded-sm text-ui text-accent-text underline underline-offset-2"
      >
        {t`Show all in the audit`}
      </Link>
    </>
  )
}

const Note = ({ children }: { children: string }) => (
  <p role="status" className="py-2 text-ui text-text-2">
    {children}
  </p>
)

function Entry({ entry: { id, act, actor, timestamp, undone, details } }: { entry: AuditEntry }) {
  const { changes } = details
  const { name } = actorName(actor)
  return (
    <li className="border-b border-line py-2.5 text-ui last:border-b-0">
      <div className="flex items-start justify-between gap-3">
        <PanelLink kind="audit" id={String(id)}>
          {eventText(act)}
        </PanelLink>
        {undone && <Badge tone="neutral" dot="ring">{t`Undone`}</Badge>}
      </div>
      <p className="mt-0.5 flex flex-wrap items-baseline gap-x-2 text-meta text-text-2">
        <span translate={actor.isYou ? undefined : 'no'}>{name}</span>
        <TimeAgo at={timestamp} />
      </p>
      {changes !== undefined && (
        <div className="mt-1.5">
          <AuditChanges details={{ changes }} />
        </div>
      )}
    </li>
  )
}
