import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { paths } from '#web/navigation/paths.ts'
import { PanelLink } from '#web/panel/panel-link.tsx'
import type { PanelSubject } from '#web/panel/panel-address.ts'
import { CopiedFact, PanelFact, PanelFacts } from '#web/panel/panel-parts.tsx'
import { PanelRecord } from '#web/panel/panel-record.tsx'
import { dateTimeText, preciseTimeText } from '#web/time/time-text.ts'
import { useTimeZone } from '#web/browser/time-zone.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { RejectedBadge } from '#web/ui/rejected-badge.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { undoEntry } from './activity-data.ts'
import { actorName } from './actor-texts.ts'
import { AuditChanges } from './audit-changes.tsx'
import { isRejection } from './audit-columns.tsx'
import { type AuditEntry, auditEntryQuery } from './audit-data.ts'
import { AuditTargets } from './audit-targets.tsx'
import { eventText } from './event-texts.ts'
import { actorSubject, addressSubject, targetSubject, useSelectedAppId } from './panel-names.tsx'
import { countedTargetText } from './target-text.ts'

interface EntryProps {
  entry: AuditEntry
  /** Read by an administrator. The administration has no panel of things, so names are plain there. */
  isPlatform: boolean
}

/** An entry of the audit: what was done by whom, with each value before and after, and its undo. */
export function AuditPanel({ id, isPlatform }: { id: string; isPlatform: boolean }) {
  return (
    <PanelRecord
      query={useQuery(auditEntryQuery(id, isPlatform))}
      record={({ entry }) => entry}
      kind={t`Audit entry`}
      name={id}
      failure={t`Failed to load the audit entry`}
      parts={(entry) => ({
        name: eventText(entry.act),
        badge: <State entry={entry} />,
        actions: entry.undo && <Undo key={entry.id} entry={entry} end={entry.undo.until} />,
        details: <Details entry={entry} isPlatform={isPlatform} />,
        dialog: null,
      })}
    />
  )
}

function State({ entry: { act, undone } }: Pick<EntryProps, 'entry'>) {
  if (undone) return <Badge tone="neutral" dot="ring">{t`Undone`}</Badge>
  return isRejection(act) && <RejectedBadge />
}

function Undo({ entry, end }: { entry: AuditEntry; end: number | null }) {
  const timeZone = useTimeZone()
  const [isUndoing, setUndoing] = useState(false)
  const until = end === null ? '' : dateTimeText(end, timeZone)
  const press = async () => {
    setUndoing(true)
    await undoEntry(entry).finally(() => setUndoing(false))
  }
  return (
    <>
      <Button icon={<Undo2 />} busy={isUndoing} onClick={() => void press()}>
        {t`Undo`}
      </Button>
      {until !== '' && <span className="self-center text-meta text-text-2">{t`Undo until ${until}`}</span>}
    </>
  )
}

function Details({ entry, isPlatform }: EntryProps) {
  return (
    <div className="flex flex-col gap-5">
      <AuditChanges details={entry.details} />
      {entry.hasTargets && <AuditTargets key={entry.id} entry={entry} isPlatform={isPlatform} />}
      <Facts entry={entry} isPlatform={isPlatform} />
    </div>
  )
}

function Facts({ entry, isPlatform }: EntryProps) {
  const { act, target, ip, requestId, timestamp, place, hash, app, actor, owner } = entry
  const timeZone = useTimeZone()
  const appId = useSelectedAppId()
  const who = actorName(actor)
  const linked = (subject: PanelSubject | undefined) => (isPlatform ? undefined : subject)
  const actorLink = linked(actorSubject(entry, appId))
  const isOfOther = owner.id !== actor.id && !actor.isYou
  return (
    <PanelFacts>
      <PanelFact name={t`Who`}>
        {actorLink ? (
          <PanelLink {...actorLink} />
        ) : (
          <span translate={actor.name === '' || actor.isYou ? undefined : 'no'}>{who.name}</span>
        )}
        {who.kind !== '' && <span className="text-text-2">{who.kind}</span>}
      </PanelFact>
      <PanelFact name={t`Time`}>
        <span className="tabular-nums">{preciseTimeText(timestamp, timeZone)}</span>
        <TimeAgo at={timestamp} className="text-text-2" />
      </PanelFact>
      <Text
        name={t`Target`}
        text={target}
        shown={countedTargetText(target)}
        link={linked(targetSubject(entry, appId))}
      />
      {app && <Text name={t`App`} text={app.id} shown={app.name || undefined} />}
      {isPlatform && <Owner owner={owner} />}
      <Text name={t`IP Address`} text={ip} link={linked(addressSubject(entry, appId))} />
      <Text name={t`Actor ID`} text={actor.isYou ? '' : actor.id} />
      {isOfOther && !isPlatform && <Text name={t`Owner ID`} text={owner.id} />}
      <Text name={t`Request`} text={requestId} />
      <Text name={t`Code`} text={act} />
      {place === null || hash === null ? (
        <PanelFact name={t`Seal`}>{t`Not sealed yet`}</PanelFact>
      ) : (
        <Text name={t`Seal`} text={`${place}:${hash}`} />
      )}
    </PanelFacts>
  )
}

/** For administrators: leads to the list of owners. */
function Owner({ owner: { id, name } }: Pick<AuditEntry, 'owner'>) {
  if (name === '') return <Text name={t`Owner`} text={id} />
  return (
    <CopiedFact name={t`Owner`} value={id} copyLabel={t`Copy`}>
      <Link
        to={paths.adminOwners()}
        search={{ q: name }}
        translate="no"
        className="rounded-sm wrap-anywhere underline decoration-line-strong underline-offset-2 hover:decoration-current"
      >
        {name}
      </Link>
    </CopiedFact>
  )
}

interface TextProps {
  name: string
  /** What is copied; nothing is rendered without it. */
  text: string
  /** Shown in its place. */
  shown?: string | undefined
  link?: PanelSubject | undefined
}

function Text({ name, text, shown, link }: TextProps) {
  if (text === '') return null
  const value = shown === undefined ? <MachineText value={text} className="break-all" /> : <span>{shown}</span>
  return (
    <CopiedFact name={name} value={text} copyLabel={t`Copy`}>
      {link ? <PanelLink {...link}>{text}</PanelLink> : value}
    </CopiedFact>
  )
}
