import { Type } from 'typebox'
import { pageQuery, reply, strict, Text } from '#contract/fields.ts'
import { logsContract } from '#features/logs/logs.contract.ts'
import { sellerCall } from './seller-call.contract.ts'

/** Calls on the log of the app with a seller key. */

const { logs } = logsContract.listLogs.reply.properties
const { call, rejected, credential, from, until } = logsContract.listLogs.query.properties

const filterFields = {
  call,
  code: Type.Optional(Type.String({ maxLength: 100, description: 'Error code of a rejected call' })),
  rejected,
  credential,
  from,
  until,
}

export const sellerLogsContract = {
  listLogs: sellerCall('GET /logs', {
    scope: 'logs:read',
    summary: 'List the log of the app, one page at a time, newest first.',
    query: strict({ page: pageQuery.page, limit: pageQuery.limit, ...filterFields }),
    reply: reply({ logs, totalPages: Type.Integer(), total: Type.Integer() }),
  }),
  followLogs: sellerCall('GET /logs/tail', {
    scope: 'logs:read',
    summary:
      'Get the entries after `after`, oldest first; without it, the newest ones. Call it again with the `next` of the reply. Entries appear 5 seconds after their event, so that none is left out.',
    query: strict({
      after: Type.Optional(
        Type.String({ pattern: '^\\d{1,12}-\\d{1,15}$', description: 'The `next` of the previous reply' }),
      ),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 100 })),
      ...filterFields,
    }),
    reply: reply({ logs, next: Text(40) }),
  }),
}
