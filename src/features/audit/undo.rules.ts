import { type AuditEvent, auditEvents, type RecordedEvent } from '#contract/audit-events.ts'

/** How an action can be undone now (AUD-18), or that it was undone already. */
export interface UndoState {
  undo: { kind: UndoKind; id: string; until: number | null } | null
  undone: boolean
}

/** The call that undoes it: one of the undo calls, the bin, the undo of an entry, or an administrator's own call. */
export const undoKinds = [
  'licenses',
  'users',
  'seller-keys',
  'variables',
  'imports',
  'bin',
  'entry',
  'owner',
  'app',
  'owner-plan',
  'plan',
  'settings',
] as const

export type UndoKind = (typeof undoKinds)[number]

/** Actions on one target with an exact opposite, which takes them back while nothing else has happened to the target. */
export const opposites: Partial<Record<AuditEvent, AuditEvent>> = {
  'license.ban': 'license.unban',
  'license.unban': 'license.ban',
  'user.ban': 'user.unban',
  'user.unban': 'user.ban',
  'subscription.pause': 'subscription.activate',
  'subscription.activate': 'subscription.pause',
  'seller-key.pause': 'seller-key.activate',
  'seller-key.activate': 'seller-key.pause',
  'alert.review': 'alert.reopen',
  'alert.dismiss': 'alert.reopen',
  'download.enable': 'download.disable',
  'download.disable': 'download.enable',
  'reseller.ban': 'reseller.unban',
  'reseller.unban': 'reseller.ban',
  'owner.ban': 'owner.unban',
  'owner.unban': 'owner.ban',
}

/** Actions of a subject after which an earlier one can't be taken back by its opposite, whoever did them. */
const later: Record<string, RegExp> = {
  license: /\.(bulk-)?(un)?ban(\.undo)?$|\.(bulk-)?delete|\.create$/,
  user: /\.(bulk-)?(un)?ban(\.undo)?$|\.unban-all(\.undo)?$|\.(bulk-)?delete(-all|-expired)?$|\.create$/,
  subscription: /\.(pause|activate|update|delete|create)$/,
  'seller-key': /pause|activate|delete/,
  alert: /review|dismiss|reopen/,
  download: /\.(enable|disable|delete|update|upload)$/,
  reseller: /\.(ban|unban|delete|create)$/,
  owner: /\.(ban|unban|delete)$/,
}

export const subjectOf = (act: string): string => act.slice(0, act.indexOf('.'))

/** An import can ban what it overwrites, and its undo lifts that ban. */
const imported: Readonly<Record<string, readonly RecordedEvent[]>> = {
  license: ['import.run', 'import.run.undo'],
  user: ['import.run', 'import.run.undo'],
}

export function laterActs(subject: string): string[] {
  const acts = auditEvents.filter((act) => subjectOf(act) === subject).flatMap((act) => [act, `${act}.undo`])
  return [...acts.filter((act) => later[subject]?.test(act)), ...(imported[subject] ?? [])]
}
