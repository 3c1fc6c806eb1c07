import type { Feature } from '#server/http/endpoint.ts'

/** Credits of resellers. Its calls belong to `resellers` and `reseller-api`. */
export const credits: Feature = {
  name: 'credits',
  contract: {},
  endpoints: [],
  // A transfer is written while its accounts are locked, so that there are no more after them.
  appTables: ['credit_accounts', 'credit_transfers'],
}
