import { Type } from 'typebox'
import { highestExpectedCount, maxBulkNames, maxNamesKiB } from '#contract/bulk.ts'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { unknownCountry } from '#contract/country-filter.ts'
import { appCall } from '#contract/define-call.ts'
import { FacetField } from '#contract/facet-field.ts'
import {
  appFields,
  beforeField,
  CountryCode,
  EpochSeconds,
  maxCounted,
  pageQuery,
  reply,
  searchCodesField,
  strict,
  Text,
  wholeListFields,
  wholeListQuery,
  oneOf,
} from '#contract/fields.ts'
import { listField } from '#contract/list-field.ts'
import { sortField } from '#contract/sort-field.ts'
import { logsErrors } from './logs.errors.ts'
import {
  customerFilters,
  logExportColumns,
  maxBuckets,
  maxCustomerLogs,
  maxHistogramEntries,
  maxRetentionDays,
  minRetentionDays,
} from './logs.rules.ts'

/** Calls on the log of an app: activity and messages of its programs. */

const LogId = Type.Integer({ minimum: 1, maximum: 1e15 })

const newestIdText = '`newestId` of the list you saw; entries that were stored later do not match'
const newestIdSeen = Type.Optional({ ...LogId, description: newestIdText })

const LogReply = Type.Object({
  id: LogId,
  message: Type.String({ description: 'Text written by the program, error message it received, or call it made' }),
  logData: Type.String({ description: 'Same as `message`' }),
  credential: Type.String({
    description: 'Username, or the license key sent by the program; empty if neither is known',
  }),
  username: Type.String({ description: 'Same as `credential`' }),
  device: Type.String({
    description: 'First characters of the hash of the hardware ID; the hardware ID itself is never stored',
  }),
  hwid: Type.String({ description: 'Same as `device`' }),
  timestamp: EpochSeconds,
  date: EpochSeconds,
  call: Type.String({ description: 'Name of the protocol call, or `message` for a message written by the program' }),
  code: Type.String({ description: 'Error code of a rejected call; otherwise empty' }),
  license: Type.String(),
  licenseKey: Type.String(),
  ip: Type.String(),
  country: CountryCode,
  session: Type.String(),
  requestId: Type.String({ description: 'Request ID of a rejected call, as its reply gave it; otherwise empty' }),
})

const filterFields = {
  search: pageQuery.search,
  searchCodes: searchCodesField,
  call: Type.Optional(
    Type.String({
      pattern: '^[^,]{0,40}(?:,[^,]{1,40}){0,19}$',
      description: 'Name of a protocol call, or several separated by commas',
    }),
  ),
  code: Type.Optional(
    Type.String({
      pattern: '^[A-Z0-9_]{0,60}(?:,[A-Z0-9_]{1,60}){0,19}$',
      description: 'Error code of a rejected call, or several separated by commas',
    }),
  ),
  customers: Type.Optional(
    oneOf(customerFilters, {
      description: 'Only entries of customers: `rejected` by something the owner can fix, or `signed-in`',
    }),
  ),
  rejected: Type.Optional(Type.Boolean({ description: 'True for rejected calls only, false for accepted calls only' })),
  credential: Type.Optional(Type.String({ maxLength: 200, description: 'Complete username or license key' })),
  ip: Type.Optional(Text(64)),
  country: Type.Optional(
    Type.String({
      pattern: `^(?:[A-Z]{2}|${unknownCountry})$`,
      description: `Country code, ISO 3166-1 alpha-2, or \`${unknownCountry}\` for unknown countries`,
    }),
  ),
  hwid: Type.Optional(
    Type.String({ maxLength: 1024, description: 'Complete hardware ID, or a `device` value from the list' }),
  ),
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650, description: 'Only the last days' })),
  from: Type.Optional({ ...EpochSeconds, description: 'First second' }),
  until: Type.Optional({ ...EpochSeconds, description: 'Last second' }),
}
const Filter = strict(filterFields)

const Edges = Type.String({
  pattern: `^[0-9]{1,10}(?:,[0-9]{1,10}){1,${maxBuckets}}$`,
  description: `Times at which the buckets begin and end, in epoch seconds, separated by commas; up to ${maxBuckets + 1}`,
  examples: ['1798761600,1798765200'],
})

const exportFields = {
  format: Type.Optional(Type.Union([Type.Literal('csv'), Type.Literal('json')])),
  columns: Type.Optional(listField(logExportColumns)),
}
const file = reply({ content: Type.String(), format: Type.String(), filename: Type.String() })

export const logsContract = {
  listLogs: appCall('GET /logs', {
    summary:
      'List the log of an app, newest first unless `sort` is `date`, all at once or one page at a time. `search` matches messages, credentials, licenses, IP addresses and codes, a complete hardware ID, and the request ID of a rejected call as people write it.',
    query: strict({ ...appFields, ...wholeListQuery, ...filterFields, sort: sortField(['date']) }),
    reply: reply({
      logs: Type.Array(LogReply),
      ...wholeListFields,
      customers: Type.Union(
        [
          Type.Object({
            count: Type.Integer(),
            isMore: Type.Boolean({
              description: `Only the newest ${maxCustomerLogs.toLocaleString('en')} matching entries were counted`,
            }),
          }),
          Type.Null(),
        ],
        { description: 'With `customers`: number of distinct customers of the matching entries' },
      ),
      all: Type.Integer({ description: 'Number of entries of the app' }),
      newestId: Type.Union([LogId, Type.Null()], {
        description:
          'ID of the entry of the app that was stored last; later ones have higher IDs. See `POST /logs/bulk-delete`',
      }),
      oldestAt: Type.Union([EpochSeconds, Type.Null()], { description: 'Time of the oldest entry of the app' }),
      retentionDays: Type.Integer({ description: 'Entries older than this number of days are deleted' }),
      maxEntries: Type.Integer({ description: 'Entries beyond this number are deleted, oldest first' }),
    }),
  }),
  readLog: appCall('GET /log/{id}', {
    summary: 'Get one log entry of an app, as the list has it.',
    params: strict({ id: Text(20, 1) }),
    query: strict(appFields),
    reply: reply({ log: LogReply }),
    errors: { LOG_NOT_FOUND: logsErrors.LOG_NOT_FOUND },
  }),
  readLogHistogram: appCall('GET /log_histogram', {
    summary: `Count the matching log entries in each bucket. \`edges\` are the boundaries of the buckets. At most the newest ${maxHistogramEntries.toLocaleString('en')} entries are counted.`,
    query: strict({ ...appFields, ...filterFields, edges: Edges }),
    reply: reply({
      buckets: Type.Array(
        Type.Object({
          from: EpochSeconds,
          to: { ...EpochSeconds, description: 'Not part of the bucket' },
          allowed: Type.Integer(),
          rejected: Type.Integer(),
        }),
      ),
      countedFrom: Type.Union([EpochSeconds, Type.Null()], {
        description: 'Time of the oldest counted entry, if there are more than were counted',
      }),
    }),
  }),
  readLogFacets: appCall('GET /log_facets', {
    summary: `Count the matching log entries of each result, call, and error code. At most the newest ${maxCounted.toLocaleString('en')} entries are counted.`,
    query: strict({ ...appFields, ...filterFields }),
    reply: reply({ results: FacetField, calls: FacetField, codes: FacetField }),
  }),
  followLogs: appCall('GET /logs/live', {
    summary:
      'Stream new log entries as server-sent events: `logs` with new matching rows, oldest first; `gap` when there were too many rows to send. Resumes after `Last-Event-ID`.',
    query: strict({ ...appFields, ...filterFields }),
    reply: reply({ logs: Type.Array(LogReply) }),
  }),
  deleteLog: appCall('POST /delete_log', {
    summary: 'Delete one log entry.',
    body: strict({ ...appFields, logId: LogId }),
    reply: reply({}),
    errors: logsErrors,
    successes: { LOG_DELETE_OK: 'Log deleted successfully' },
  }),
  deleteAllLogs: appCall('POST /delete_all_logs', {
    summary: 'Delete the whole log of an app.',
    body: strict({ ...appFields, newestId: newestIdSeen }),
    reply: reply({ deleted: Type.Integer() }),
    successes: { LOGS_DELETE_ALL_OK: 'All logs deleted successfully' },
  }),
  bulkDeleteLogs: appCall('POST /logs/bulk-delete', {
    maxBodyKiB: maxNamesKiB,
    summary:
      'Delete many log entries: the given ones, or all that match the filter, if no more than `expectedCount` do. `{}` matches all entries of the app.',
    body: strict({
      ...appFields,
      logIds: Type.Optional(Type.Array(LogId, { maxItems: maxBulkNames })),
      filter: Type.Optional(Filter),
      expectedCount: highestExpectedCount,
      newestId: Type.Optional({ ...LogId, description: `With \`filter\`: ${newestIdText}` }),
    }),
    reply: reply({ deleted: Type.Integer() }),
    successes: {
      LOGS_DELETE_OK: '{deleted, plural, one {Deleted # log successfully} other {Deleted # logs successfully}}',
    },
    errors: logsErrors,
  }),
  exportLogs: appCall('GET /export_logs', {
    summary:
      'Export all matching entries, oldest first, in `content`. `columns` chooses what the file has of each entry; the default is everything. With `download`, the response is the file itself.',
    query: strict({
      ...appFields,
      ...exportFields,
      ...filterFields,
      download: Type.Optional(Type.Boolean()),
    }),
    reply: file,
  }),
  exportSelectedLogs: appCall('POST /export_logs', {
    maxBodyKiB: maxNamesKiB,
    summary:
      'Export the given entries, oldest first, in the formats and columns of `GET /export_logs`. Entries that do not exist are left out.',
    body: strict({
      ...appFields,
      logIds: Type.Array(LogId, { minItems: 1, maxItems: maxBulkNames }),
      ...exportFields,
    }),
    reply: file,
  }),
  setLogRetention: appCall('POST /log_retention', {
    summary: `Set the number of days to keep the log of an app: ${minRetentionDays} to ${maxRetentionDays}. Older entries are deleted within the hour.`,
    body: strict({ ...appFields, days: Type.Integer(), ...beforeField({ days: Type.Integer() }) }),
    reply: reply({ days: Type.Integer() }),
    errors: logsErrors,
    successes: {
      LOG_RETENTION_OK: '{days, plural, one {Logs are stored for # day} other {Logs are stored for # days}}',
    },
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof logsContract> {}
  interface Codes extends CodesOf<typeof logsContract> {}
}
