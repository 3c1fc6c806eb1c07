import { Type } from 'typebox'
import { maxBulkNames, maxNamesKiB } from '#contract/bulk.ts'
import type { CodesOf } from '#contract/codes.ts'
import { type CallsOf, defineCall } from '#contract/define-call.ts'
import {
  appFields,
  EpochSeconds,
  pageQuery,
  reply,
  searchCodesField,
  strict,
  Text,
  wholeListFields,
  wholeListQuery,
} from '#contract/fields.ts'
import { logsErrors } from './logs.errors.ts'
import { maxRetentionDays, minRetentionDays } from './logs.rules.ts'

/** What programs did and wrote, on the screen. */

const LogId = Type.Integer({ minimum: 1, maximum: 1e15 })

const LogReply = Type.Object({
  id: LogId,
  message: Type.String({ description: 'What the program wrote, what it was told as it was refused, or what it did' }),
  logData: Type.String({ description: 'The same as `message`' }),
  credential: Type.String({ description: 'The user, or the license key that was sent; empty when neither is known' }),
  username: Type.String({ description: 'The same as `credential`' }),
  device: Type.String({ description: "The start of the machine's hash; the hardware id itself is stored nowhere" }),
  hwid: Type.String({ description: 'The same as `device`' }),
  timestamp: EpochSeconds,
  date: EpochSeconds,
  call: Type.String({ description: 'The call of the protocol, or `message` for what the program wrote itself' }),
  code: Type.String({ description: 'Why it was refused; empty when it was not' }),
  license: Type.String(),
  licenseKey: Type.String(),
  ip: Type.String(),
  country: Type.String({ description: 'ISO 3166-1 alpha-2; empty when it is not known' }),
  session: Type.String(),
})

const filterFields = {
  search: pageQuery.search,
  searchCodes: searchCodesField,
  call: Type.Optional(Text(40)),
  rejected: Type.Optional(Type.Boolean({ description: 'Only what was refused, or only what was not' })),
  credential: Type.Optional(Type.String({ maxLength: 200, description: 'A user or license key, whole' })),
  ip: Type.Optional(Text(64)),
  hwid: Type.Optional(Type.String({ maxLength: 1024, description: 'A hardware id, or a `device` of this list' })),
}
const Filter = strict(filterFields)

export const logsContract = {
  listLogs: defineCall({
    method: 'GET',
    path: '/logs',
    access: 'account',
    app: true,
    summary:
      "The app's log or a page of it, newest first. `search` looks inside messages, credentials, licenses, addresses and codes, and finds a whole hardware id.",
    query: strict({ ...appFields, ...wholeListQuery, ...filterFields }),
    reply: reply({
      logs: Type.Array(LogReply),
      ...wholeListFields,
      all: Type.Integer({ description: 'How many the app has' }),
      retentionDays: Type.Integer({ description: 'Older ones are deleted' }),
      maxEntries: Type.Integer({ description: 'The oldest entries beyond this number are deleted' }),
    }),
  }),
  followLogs: defineCall({
    method: 'GET',
    path: '/logs/live',
    access: 'account',
    app: true,
    summary:
      'What programs do from now on, as server-sent events: `logs` with new rows that match, oldest first; `gap` when there were too many to send. Goes on by `Last-Event-ID`.',
    query: strict({ ...appFields, ...filterFields }),
    reply: reply({ logs: Type.Array(LogReply) }),
  }),
  deleteLog: defineCall({
    method: 'POST',
    path: '/delete_log',
    access: 'account',
    app: true,
    summary: 'Delete one row of the log.',
    body: strict({ ...appFields, logId: LogId }),
    reply: reply({}),
    errors: logsErrors,
    successes: { LOG_DELETE_OK: 'Log deleted successfully' },
  }),
  deleteAllLogs: defineCall({
    method: 'POST',
    path: '/delete_all_logs',
    access: 'account',
    app: true,
    summary: 'Delete the whole log of the app.',
    body: strict({ ...appFields }),
    reply: reply({ deleted: Type.Integer() }),
    successes: { LOGS_DELETE_ALL_OK: 'All logs deleted successfully' },
  }),
  bulkDeleteLogs: defineCall({
    method: 'POST',
    path: '/logs/bulk-delete',
    access: 'account',
    app: true,
    maxBodyKiB: maxNamesKiB,
    summary: 'Delete many rows: those named, or all that match the filter. `{}` matches every one of the app.',
    body: strict({
      ...appFields,
      logIds: Type.Optional(Type.Array(LogId, { maxItems: maxBulkNames })),
      filter: Type.Optional(Filter),
    }),
    reply: reply({ deleted: Type.Integer() }),
    successes: {
      LOGS_DELETE_OK: '{deleted, plural, one {Deleted # log successfully} other {Deleted # logs successfully}}',
    },
    errors: logsErrors,
  }),
  exportLogs: defineCall({
    method: 'GET',
    path: '/export_logs',
    access: 'account',
    app: true,
    summary: 'The rows that match, oldest first, as `content` or, with `download`, as a file.',
    query: strict({
      ...appFields,
      format: Type.Optional(Type.Union([Type.Literal('csv'), Type.Literal('json')])),
      ...filterFields,
      download: Type.Optional(Type.Boolean()),
    }),
    reply: reply({ content: Type.String(), format: Type.String(), filename: Type.String() }),
  }),
  setLogRetention: defineCall({
    method: 'POST',
    path: '/log_retention',
    access: 'account',
    app: true,
    summary: `For how many days the app's log is stored: ${minRetentionDays} to ${maxRetentionDays}. What is older is deleted within the hour.`,
    body: strict({ ...appFields, days: Type.Integer() }),
    reply: reply({ days: Type.Integer() }),
    errors: logsErrors,
    successes: {
      LOG_RETENTION_OK: '{days, plural, one {Logs are stored for # day} other {Logs are stored for # days}}',
    },
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof logsContract> {}
}

declare module '#contract/codes.ts' {
  interface Codes extends CodesOf<typeof logsContract> {}
}
