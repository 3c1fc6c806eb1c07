import { Type } from 'typebox'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { appCall } from '#contract/define-call.ts'
import { appFields, pageQuery, reply, strict, Text } from '#contract/fields.ts'
import { LicenseReply } from '#features/licenses/licenses.contract.ts'
import { resellersErrors } from './resellers.errors.ts'

/** What a reseller has sold, for the owner. */
export const resellerLicensesContract = {
  listResellerLicenses: appCall('GET /resellers/{id}/licenses', {
    summary: 'List the licenses that a reseller has sold in an app, one page at a time, newest first.',
    params: strict({ id: Text(60, 1) }),
    query: strict({ ...appFields, page: pageQuery.page, limit: pageQuery.limit }),
    reply: reply({ licenses: Type.Array(LicenseReply), total: Type.Integer(), totalPages: Type.Integer() }),
    errors: resellersErrors,
    failure: 'Failed to load licenses',
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof resellerLicensesContract> {}
  interface Codes extends CodesOf<typeof resellerLicensesContract> {}
}
