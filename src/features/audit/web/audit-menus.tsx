import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { ListFilter } from 'lucide-react'
import { auditEvents, auditSubjects, actorTypes } from '#contract/audit-events.ts'
import { TimeRangeChip } from '#web/list/time-range-chip.tsx'
import { appsQuery } from '#web/session/session.ts'
import { FilterChip } from '#web/table/filter-chip.tsx'
import type { TableState } from '#web/table/use-table-state.ts'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import { eventText, subjectTexts } from './event-texts.ts'
import { actorTexts } from './actor-texts.ts'
import { type AuditEntry, dayRanges } from './audit-data.ts'

/** Row menu that filters the list by values of the row. */
export function auditMenu(row: AuditEntry, { setFilter, setSearch }: TableState, isPlatform: boolean): MenuEntry[] {
  const { act, actor, app, ip, owner, target } = row
  const only = (label: string, value: string, choose: (value: string) => void): MenuEntry[] =>
    value === '' ? [] : [{ label, icon: <ListFilter />, onSelect: () => choose(value) }]
  return [
    ...only(t`Only this event`, act.replace(/\.undo$/, ''), (value) => setFilter('act', value)),
    ...only(t`Only this target`, target, setSearch),
    ...only(t`Only this actor`, actor.id, (value) => setFilter('actorId', value)),
    ...only(t`Only this app`, app?.id ?? '', (value) => setFilter('app', value)),
    ...only(t`Only this address`, ip, (value) => setFilter('ip', value)),
    ...(isPlatform ? only(t`Only this owner`, owner.id, (value) => setFilter('owner', value)) : []),
  ]
}

interface FiltersProps {
  state: TableState
  rows: readonly AuditEntry[]
  isPlatform: boolean
  onChooseDays: () => void
}

export function AuditFilters({ state: { filters, setFilter }, rows, isPlatform, onChooseDays }: FiltersProps) {
  const { data: apps = [] } = useQuery({ ...appsQuery, enabled: !isPlatform })
  const { act, actorId, app, ip, owner } = filters
  const subject = auditSubjects.find((each) => act === each || act?.startsWith(`${each}.`))
  const ofSubject = auditEvents.filter((each) => subject && each.startsWith(`${subject}.`))
  const known = apps.map(({ appId, appName }) => ({ value: appId, label: appName }))
  // An app or owner selected from a row is shown with the name from that row.
  const appName = rows.find((row) => row.app?.id === app)?.app?.name
  const ownerName = rows.find((row) => row.owner.id === owner)?.owner.name
  const actorRow = rows.find((row) => row.actor.id === actorId)?.actor
  const isKnownApp = app === undefined || known.some(({ value }) => value === app)
  return (
    <>
      <FilterChip
        label={t`Event`}
        value={act}
        options={auditSubjects.map((value) => ({ value, label: i18n._(subjectTexts[value]) }))}
        groups={
          subject
            ? [
                {
                  label: i18n._(subjectTexts[subject]),
                  options: ofSubject.map((value) => ({ value, label: eventText(value) })),
                },
              ]
            : []
        }
        onChange={(value) => setFilter('act', value)}
      />
      <FilterChip
        label={t`Who`}
        value={filters['actor']}
        options={actorTypes.map((value) => ({
          value,
          label: value === 'owner' && !isPlatform ? t`You` : i18n._(actorTexts[value]),
        }))}
        onChange={(value) => setFilter('actor', value)}
      />
      {(!isPlatform || app !== undefined) && (
        <FilterChip
          label={t`App`}
          value={app}
          options={isKnownApp ? known : [...known, { value: app, label: appName || app }]}
          onChange={(value) => setFilter('app', value)}
        />
      )}
      <TimeRangeChip
        label={t`Period`}
        value={filters['days']}
        days={dayRanges}
        onChange={(value) => setFilter('days', value)}
        onCustom={onChooseDays}
      />
      <Chosen
        label={t`Actor`}
        name="actorId"
        text={actorRow?.isYou ? t`You` : actorRow?.name}
        {...{ filters, setFilter }}
      />
      <Chosen label={t`IP Address`} name="ip" text={ip} {...{ filters, setFilter }} />
      <Chosen label={t`Owner`} name="owner" text={ownerName} {...{ filters, setFilter }} />
    </>
  )
}

/** A filter set from a row's menu. */
function Chosen({
  label,
  name,
  text,
  filters,
  setFilter,
}: { label: string; name: string; text: string | undefined } & Pick<TableState, 'filters' | 'setFilter'>) {
  const value = filters[name]
  if (value === undefined) return null
  const options = [{ value, label: text || value }]
  return <FilterChip label={label} value={value} options={options} onChange={(next) => setFilter(name, next)} />
}
