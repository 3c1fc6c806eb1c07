import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { actorName } from '#features/audit/web/actor-texts.ts'
import type { AuditEntry } from '#features/audit/web/audit-data.ts'
import { eventText } from '#features/audit/web/event-texts.ts'
import { countedTargetText } from '#features/audit/web/target-text.ts'
import { call } from '#web/api/call.ts'
import { accountKey } from '#web/api/query-keys.ts'
import { paths } from '#web/navigation/paths.ts'
import { PanelList } from '#web/panel/panel-list.tsx'
import type { Tab } from '#web/ui/tabs.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import type { AdminOwner } from './admin-data.ts'

const shown = 20

/** The latest entries of the audit about an account, whoever acted. */
export const ownerAuditTab = ({ id }: AdminOwner): Tab => ({
  value: 'audit',
  label: t`Audit`,
  content: <OwnerAudit key={id} ownerId={id} />,
})

async function entriesOf(ownerId: string, signal: AbortSignal) {
  const { entries, total } = await call('GET /admin/audit', { query: { ownerId, limit: shown }, signal })
  return { rows: entries, total }
}

const OwnerAudit = ({ ownerId }: { ownerId: string }) => (
  <>
    <PanelList<AuditEntry>
      queryKey={accountKey('admin', 'audit', 'of-owner', ownerId)}
      load={(signal) => entriesOf(ownerId, signal)}
      rowKey={({ id }) => String(id)}
      name={({ act }) => <span className="min-w-0 wrap-anywhere">{eventText(act)}</span>}
      badge={({ timestamp }) => <TimeAgo at={timestamp} className="shrink-0 text-meta text-text-2" />}
      facts={(entry) => <Facts {...entry} />}
      empty={t`The audit has no entries of this owner.`}
      failure={t`Failed to load the audit log`}
    />
    <Link
      to={paths.adminAudit()}
      search={{ 'f.owner': ownerId }}
      className="mt-4 inline-block rounded-sm text-ui text-text-2 underline underline-offset-2"
    >
      {t`Show all in the audit`}
    </Link>
  </>
)

function Facts({ actor, app, target }: AuditEntry) {
  const { name } = actorName(actor)
  const counted = countedTargetText(target)
  return (
    <>
      <span translate={actor.name === '' || actor.isYou ? undefined : 'no'}>{name}</span>
      {counted !== undefined && <span>{counted}</span>}
      {counted === undefined && target !== '' && target !== actor.name && (
        <span translate="no" className="machine min-w-0 text-meta! wrap-anywhere">
          {target}
        </span>
      )}
      {app && (
        <span translate="no" className="wrap-anywhere">
          {app.name || app.id}
        </span>
      )}
    </>
  )
}
