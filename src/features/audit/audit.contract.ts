import { Type } from 'typebox'
import { actorTypes } from '#contract/audit-events.ts'
import { type CallsOf, defineCall } from '#contract/define-call.ts'
import { EpochSeconds, pageQuery, reply, strict, Text } from '#contract/fields.ts'

/** Who did what to which row, from where, when and how (R-LOG-01): owners see what concerns them, administrators all. */

const Named = Type.Object({ id: Type.String(), name: Type.String({ description: 'Empty when it is gone' }) })

const EntryReply = Type.Object({
  id: Type.Integer(),
  timestamp: EpochSeconds,
  act: Type.String({ description: 'Such as `license.ban`, or `license.bulk-ban.undo`' }),
  actor: Type.Object({
    type: Type.String({ description: actorTypes.join(', ') }),
    id: Type.String({ description: 'Empty for an administrator who acts on somebody else, and where nobody is known' }),
    name: Type.String(),
    isYou: Type.Boolean(),
  }),
  owner: Named,
  app: Type.Union([Named, Type.Null()]),
  target: Type.String({ description: 'What it was done to: a license key, a username, an id; of many their number' }),
  hasTargets: Type.Boolean({ description: 'It was done to many, and `/targets` names them' }),
  details: Type.Record(Type.String(), Type.Unknown()),
  ip: Type.String(),
  requestId: Type.String(),
  place: Type.Union([Type.Integer(), Type.Null()], { description: 'In the chain of hashes; null until it is sealed' }),
  hash: Type.Union([Type.String(), Type.Null()]),
})

const filterFields = {
  act: Type.Optional(Type.String({ maxLength: 60, description: 'An act, or all of one subject: `license`' })),
  actor: Type.Optional(
    Type.Union([
      Type.Literal('owner'),
      Type.Literal('admin'),
      Type.Literal('reseller'),
      Type.Literal('seller-key'),
      Type.Literal('user'),
      Type.Literal('anyone'),
      Type.Literal('system'),
    ]),
  ),
  actorId: Type.Optional(Text(60)),
  inApp: Type.Optional(Type.String({ maxLength: 40, description: 'The id of an app, that of one that is gone too' })),
  target: Type.Optional(Type.String({ maxLength: 200, description: 'The whole target' })),
  ip: Type.Optional(Text(64)),
  from: Type.Optional(EpochSeconds),
  until: Type.Optional(EpochSeconds),
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650, description: 'Only of so many days up to now' })),
  search: Type.Optional(Type.String({ maxLength: 200, description: 'The same as `target`' })),
}
const adminFilterFields = { ...filterFields, ownerId: Type.Optional(Text(40)) }

const paging = { page: pageQuery.page, limit: pageQuery.limit }
const page = reply({
  entries: Type.Array(EntryReply),
  total: Type.Integer({ description: 'How many match, counted up to 10,000' }),
  isMore: Type.Boolean({ description: 'More match than were counted' }),
  totalPages: Type.Integer(),
})
const exportFields = {
  format: Type.Optional(Type.Union([Type.Literal('csv'), Type.Literal('json')])),
  download: Type.Optional(Type.Boolean()),
}
const targetsOf = {
  params: strict({ id: Text(20, 1) }),
  query: strict({ page: pageQuery.page, limit: pageQuery.limit }),
  reply: reply({
    targets: Type.Array(Type.String(), { description: 'Keys, usernames or ids, in their order' }),
    total: Type.Integer(),
    totalPages: Type.Integer(),
  }),
}
const file = reply({ content: Type.String(), format: Type.String(), filename: Type.String() })

export const auditContract = {
  listAudit: defineCall({
    method: 'GET',
    path: '/audit',
    access: 'account',
    summary: 'A page of what was done in your account and your apps, whoever did it, newest first.',
    query: strict({ ...paging, ...filterFields }),
    reply: page,
  }),
  listAuditTargets: defineCall({
    method: 'GET',
    path: '/audit/{id}/targets',
    access: 'account',
    summary: 'A page of what an act on many was done to.',
    ...targetsOf,
  }),
  exportAudit: defineCall({
    method: 'GET',
    path: '/export_audit',
    access: 'account',
    summary: 'What matches, oldest first, as `content` or, with `download`, as a file.',
    query: strict({ ...filterFields, ...exportFields }),
    reply: file,
  }),
  listPlatformAudit: defineCall({
    method: 'GET',
    path: '/admin/audit',
    access: 'admin',
    summary: 'A page of what was done on the platform, whoever did it, newest first.',
    query: strict({ ...paging, ...adminFilterFields }),
    reply: page,
  }),
  listPlatformAuditTargets: defineCall({
    method: 'GET',
    path: '/admin/audit/{id}/targets',
    access: 'admin',
    summary: 'A page of what an act on many was done to, in any app.',
    ...targetsOf,
  }),
  exportPlatformAudit: defineCall({
    method: 'GET',
    path: '/admin/export_audit',
    access: 'admin',
    summary: 'What matches on the whole platform, oldest first, as `content` or, with `download`, as a file.',
    query: strict({ ...adminFilterFields, ...exportFields }),
    reply: file,
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof auditContract> {}
}
