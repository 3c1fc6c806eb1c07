import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { actorTypes, auditSubjects } from '#contract/audit-events.ts'
import { TimeRangeChip } from '#web/list/time-range-chip.tsx'
import type { FilteredList } from '#web/list/use-list-page.ts'
import { appsQuery } from '#web/session/session.ts'
import { useAccount } from '#web/session/use-account.ts'
import { ChosenFilter } from '#web/table/chosen-filter.tsx'
import { countIn } from '#web/table/facet-count.ts'
import { FilterChip } from '#web/table/filter-chip.tsx'
import { actCount, chosenActs, eventsOf, ownerSubjects, subjectsIn } from './act-filter.ts'
import { actorTexts } from './actor-texts.ts'
import { type AuditEntry, auditFacetsQuery, dayRanges } from './audit-data.ts'
import { eventText, subjectTexts } from './event-texts.ts'

interface FiltersProps {
  list: FilteredList
  rows: readonly AuditEntry[]
  isPlatform: boolean
}

/** Events and kinds of actors have the number of their entries, counted when a menu opens. */
export function AuditFilters({ list, rows, isPlatform }: FiltersProps) {
  const { state } = list
  const { filters, setFilter } = state
  const isAdmin = useAccount().role === 'admin'
  const [isCounted, setIsCounted] = useState(false)
  const { data: facets, refetch } = useQuery({ ...auditFacetsQuery(state, isPlatform), enabled: isCounted })
  const count = () => (isCounted ? void refetch() : setIsCounted(true))
  const { data: apps = [] } = useQuery({ ...appsQuery, enabled: !isPlatform })
  const { act, actorId, app, owner } = filters
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
        several
        value={act}
        options={(isAdmin ? auditSubjects : ownerSubjects).map((value) => ({
          value,
          label: i18n._(subjectTexts[value]),
          count: actCount(facets?.acts, value),
        }))}
        groups={subjectsIn(act).map((subject) => ({
          label: i18n._(subjectTexts[subject]),
          options: eventsOf(subject).map((value) => ({
            value,
            label: eventText(value),
            count: actCount(facets?.acts, value),
          })),
        }))}
        onOpen={count}
        onChange={(value) => setFilter('act', chosenActs(act, value))}
      />
      <FilterChip
        label={t`Who`}
        several
        value={filters['actor']}
        options={actorTypes.map((value) => ({
          value,
          label: value === 'owner' && !isPlatform ? t`You` : i18n._(actorTexts[value]),
          count: countIn(facets?.actors, value),
        }))}
        onOpen={count}
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
      <TimeRangeChip label={t`Period`} list={list} filter="days" days={dayRanges} />
      <ChosenFilter state={state} name="actorId" label={t`Actor`} text={actorRow?.isYou ? t`You` : actorRow?.name} />
      <ChosenFilter state={state} name="ip" label={t`IP Address`} />
      <ChosenFilter state={state} name="owner" label={t`Owner`} text={ownerName} />
    </>
  )
}
