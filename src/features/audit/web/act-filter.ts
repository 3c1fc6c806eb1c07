import { type AuditEvent, auditEvents, type AuditSubject, auditSubjects } from '#contract/audit-events.ts'
import type { Facet } from '#contract/facet-field.ts'
import { countIn } from '#web/table/facet-count.ts'
import type { RowTotal } from '#web/table/row-total.ts'

/** The filter by event: whole subjects such as `license`, and single events such as `license.ban`. */

const subjectOf = (act: string): string => act.split('.')[0] ?? ''

/** Subjects of which something is chosen: their events are offered one by one. */
export const subjectsIn = (list: string | undefined): AuditSubject[] => {
  const chosen = new Set(list?.split(',').map(subjectOf))
  return auditSubjects.filter((subject) => chosen.has(subject))
}

const ofAdministrators: readonly AuditSubject[] = ['plan', 'settings', 'job']

/** Those that occur in the audit of somebody who isn't an administrator. */
export const ownerSubjects = auditSubjects.filter((subject) => !ofAdministrators.includes(subject))

export const eventsOf = (subject: AuditSubject): AuditEvent[] =>
  auditEvents.filter((event) => subjectOf(event) === subject)

/** A subject replaces its events, and an event its subject, which would contain it. */
export function chosenActs(before: string | undefined, after: string | undefined): string | undefined {
  const known = new Set(before?.split(','))
  const values = after?.split(',') ?? []
  const added = values.filter((value) => !known.has(value))
  const replaced = (value: string) =>
    added.some((one) => one !== value && (subjectOf(value) === one || value === subjectOf(one)))
  return values.filter((value) => !replaced(value)).join(',') || undefined
}

/** The number of entries of an event, or of all events of a subject. */
export function actCount(facet: Facet | undefined, act: string): RowTotal | undefined {
  if (!facet || act.includes('.')) return countIn(facet, act)
  const ofSubject = facet.values.filter(({ value }) => subjectOf(value) === act)
  return { count: ofSubject.reduce((sum, { count }) => sum + count, 0), isMore: facet.isMore }
}
