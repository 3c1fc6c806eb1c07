import { Type } from 'typebox'
import { actorTypes } from '#contract/audit-events.ts'
import { defineCall } from '#contract/define-call.ts'
import { FacetField } from '#contract/facet-field.ts'
import { listField } from '#contract/list-field.ts'
import { sortField } from '#contract/sort-field.ts'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { EpochSeconds, maxCounted, pageQuery, reply, strict, Text, oneOf } from '#contract/fields.ts'
import { auditErrors, undoErrors } from './audit.errors.ts'
import { auditExportColumns } from './audit.rules.ts'
import { undoKinds } from './undo.rules.ts'

/** The audit log (R-LOG-01). Owners see the entries of their account and apps, administrators all entries. */

const Named = Type.Object({ id: Type.String(), name: Type.String({ description: 'Empty if it has been deleted' }) })

const EntryReply = Type.Object({
  id: Type.Integer(),
  timestamp: EpochSeconds,
  act: Type.String({ description: 'For example `license.ban` or `license.bulk-ban.undo`' }),
  actor: Type.Object({
    type: Type.String({ description: actorTypes.join(', ') }),
    id: Type.String({
      description: 'Empty for an administrator who acts on another account, and for an unknown actor',
    }),
    name: Type.String(),
    isYou: Type.Boolean(),
  }),
  owner: Named,
  app: Type.Union([Named, Type.Null()]),
  target: Type.String({
    description: 'License key, username or ID of the target; for an action on many rows, their number',
  }),
  hasTargets: Type.Boolean({ description: 'Whether the action had many targets, which `/targets` lists' }),
  details: Type.Record(Type.String(), Type.Unknown()),
  ip: Type.String(),
  requestId: Type.String(),
  place: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Position in the hash chain; null until the entry is sealed',
  }),
  hash: Type.Union([Type.String(), Type.Null()]),
})

const Undo = Type.Object(
  {
    kind: oneOf(undoKinds, {
      description:
        'The call that undoes the entry: `POST /licenses/undo`, `/users/undo`, `/seller_keys/undo`, `/variables/undo`, or `/imports/undo`, `POST /bin/restore`, `POST /audit/{id}/undo`, `POST /admin/owners/{id}/ban`, `POST /update_app`, `POST /admin/owners/{id}/plan`, `PUT /admin/plans/{id}`, or `POST /admin/settings/{id}`; for the last four, `details.changes` has the values',
    }),
    id: Type.String({ description: 'The `undoId` or `id` of that call' }),
    until: Type.Union([EpochSeconds, Type.Null()], { description: 'Null without an end' }),
  },
  { description: 'How the entry can be undone' },
)

/** An entry of a list, which says what can be done with it now. */
const ListedEntry = Type.Object({
  ...EntryReply.properties,
  undo: Type.Union([Undo, Type.Null()], { description: 'Null if it cannot be undone, or no longer' }),
  undone: Type.Boolean({ description: 'Whether it was undone, completely' }),
})

const filterFields = {
  act: Type.Optional(
    Type.String({
      pattern: '^[^,]{0,60}(?:,[^,]{1,60}){0,39}$',
      description:
        'An action such as `license.ban`, or a subject such as `license` for all of its actions, or several of them, separated by commas',
    }),
  ),
  actor: Type.Optional({
    ...listField([...actorTypes, 'team']),
    description: `${actorTypes.map((type) => `\`${type}\``).join(', ')}, or several of them, separated by commas; \`team\`: owner, administrators, resellers, and seller keys, without their sign-ins and sign-outs`,
  }),
  actorId: Type.Optional(Text(60)),
  inApp: Type.Optional(Type.String({ maxLength: 40, description: 'App ID; may be the ID of a deleted app' })),
  target: Type.Optional(Type.String({ maxLength: 200, description: 'The complete target' })),
  ip: Type.Optional(Text(64)),
  from: Type.Optional(EpochSeconds),
  until: Type.Optional(EpochSeconds),
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650, description: 'Only the last number of days' })),
  search: Type.Optional(Type.String({ maxLength: 200, description: 'Same as `target`' })),
}
const adminFilterFields = { ...filterFields, ownerId: Type.Optional(Text(40)) }

const paging = { page: pageQuery.page, limit: pageQuery.limit }
const page = reply({
  entries: Type.Array(ListedEntry),
  total: Type.Integer({ description: 'Number of matching entries, counted up to 10,000' }),
  isMore: Type.Boolean({ description: 'Whether there are more matching entries than were counted' }),
  totalPages: Type.Integer(),
})
const exportFields = {
  format: Type.Optional(Type.Union([Type.Literal('csv'), Type.Literal('json')])),
  columns: Type.Optional(listField(auditExportColumns)),
  download: Type.Optional(Type.Boolean()),
}
const oneEntry = {
  params: strict({ id: Text(20, 1) }),
  reply: reply({ entry: ListedEntry }),
  errors: { AUDIT_ENTRY_NOT_FOUND: auditErrors.AUDIT_ENTRY_NOT_FOUND },
}
const targetsOf = {
  params: strict({ id: Text(20, 1) }),
  query: strict({ page: pageQuery.page, limit: pageQuery.limit }),
  reply: reply({
    targets: Type.Array(Type.String(), { description: 'Keys, usernames or IDs, in the order of the action' }),
    total: Type.Integer(),
    totalPages: Type.Integer(),
  }),
}
const facets = reply({ acts: FacetField, actors: FacetField })
const file = reply({ content: Type.String(), format: Type.String(), filename: Type.String() })

export const auditContract = {
  listAudit: defineCall('GET /audit', {
    access: 'account',
    summary:
      'List the audit log of your account and apps, one page at a time, newest first unless `sort` is `time`. It includes the actions of administrators, resellers, seller keys and users.',
    query: strict({ ...paging, ...filterFields, sort: sortField(['time']) }),
    reply: page,
  }),
  readAuditEntry: defineCall('GET /audit/{id}', {
    access: 'account',
    summary: 'Get one entry of the audit log of your account and apps, as the list has it.',
    ...oneEntry,
  }),
  listAuditTargets: defineCall('GET /audit/{id}/targets', {
    access: 'account',
    summary: 'List the targets of an action on many rows, one page at a time.',
    ...targetsOf,
  }),
  undoEntry: defineCall('POST /audit/{id}/undo', {
    access: 'account',
    summary:
      'Undo an entry whose `undo` has the kind `entry`: a ban, a pause, or another action on one target that has an exact opposite. Rejected if the target has changed since.',
    params: strict({ id: Text(20, 1) }),
    reply: reply({}),
    successes: { AUDIT_UNDO_OK: 'Undone successfully' },
    errors: undoErrors,
  }),
  readAuditFacets: defineCall('GET /audit_facets', {
    access: 'account',
    summary: `Count the matching entries of your account and apps of each action, together with its undo, and of each type of actor. At most the newest ${maxCounted.toLocaleString('en')} entries are counted.`,
    query: strict(filterFields),
    reply: facets,
  }),
  exportAudit: defineCall('GET /export_audit', {
    access: 'account',
    summary:
      'Export all matching entries, oldest first, in `content`. `columns` chooses what the file has of each entry; the default is everything. With `download`, the response is the file itself.',
    query: strict({ ...filterFields, ...exportFields }),
    reply: file,
  }),
  listPlatformAudit: defineCall('GET /admin/audit', {
    access: 'admin',
    summary: 'List the audit log of the platform, one page at a time, newest first unless `sort` is `time`.',
    query: strict({ ...paging, ...adminFilterFields, sort: sortField(['time']) }),
    reply: page,
  }),
  readPlatformAuditEntry: defineCall('GET /admin/audit/{id}', {
    access: 'admin',
    summary: 'Get one entry of the audit log of the platform, as the list has it.',
    ...oneEntry,
  }),
  listPlatformAuditTargets: defineCall('GET /admin/audit/{id}/targets', {
    access: 'admin',
    summary: 'List the targets of an action on many rows in any app, one page at a time.',
    ...targetsOf,
  }),
  readPlatformAuditFacets: defineCall('GET /admin/audit_facets', {
    access: 'admin',
    summary: `Count the matching entries of the platform of each action, together with its undo, and of each type of actor. At most the newest ${maxCounted.toLocaleString('en')} entries are counted.`,
    query: strict(adminFilterFields),
    reply: facets,
  }),
  exportPlatformAudit: defineCall('GET /admin/export_audit', {
    access: 'admin',
    summary:
      'Export all matching entries of the platform, oldest first, in `content`. With `download`, the response is the file itself.',
    query: strict({ ...adminFilterFields, ...exportFields }),
    reply: file,
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof auditContract> {}
  interface Codes extends CodesOf<typeof auditContract> {}
}
