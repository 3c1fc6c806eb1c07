/** Columns of an exported file, in its order. */
export const auditExportColumns = [
  'date',
  'act',
  'actorType',
  'actor',
  'owner',
  'app',
  'target',
  'details',
  'ip',
  'request',
  'place',
  'hash',
] as const

export type AuditExportColumn = (typeof auditExportColumns)[number]
