import { commonErrors } from '#contract/common-errors.ts'
import { reject } from '#contract/errors.ts'
import { pageCount } from '#contract/fields.ts'
import { countUsers, describeUsers } from '#features/users/users.reply.ts'
import type { CallContext } from '#server/http/endpoint.ts'
import type { sellerUsersContract } from './seller-users.contract.ts'
import { countUsersWith, pageOfUsersWith } from './seller-users.reads.ts'

/** A page of the users who have a variable with this value, with the totals of the app. */
export async function usersByVariable({
  services: { db },
  app,
  query,
  now,
}: CallContext<typeof sellerUsersContract.listUsers>) {
  const { page = 1, limit = 10, variable, value, ...others } = query
  const [other] = Object.entries(others).find(([, filter]) => filter !== undefined) ?? []
  if (other !== undefined) rejectField('INVALID_REQUEST', other)
  if (variable === undefined) return rejectField('FIELD_REQUIRED', 'variable')
  if (value === undefined) return rejectField('FIELD_REQUIRED', 'value')
  const choice = { appId: app.id, name: variable.trim(), value }
  const total = await countUsersWith(db.reports, choice)
  const rows = await pageOfUsersWith(db.reports, { ...choice, limit, offset: (page - 1) * limit }).execute()
  const users = await describeUsers(db.read, { appId: app.id, users: rows, now })
  const counts = await countUsers(db, app.id, now)
  return { users, total, totalPages: pageCount(total, limit), counts }
}

function rejectField(code: 'INVALID_REQUEST' | 'FIELD_REQUIRED', field: string): never {
  reject(commonErrors, code, { values: { field }, details: { field } })
}
