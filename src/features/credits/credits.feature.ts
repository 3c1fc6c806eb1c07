import type { Feature } from '#server/http/endpoint.ts'

/** Credits of resellers. Its calls belong to `resellers` and `reseller-api`. */
export const credits: Feature = {
  name: 'credits',
  contract: {},
  endpoints: [],
  appTables: ['credit_transfers', 'credit_accounts'],
}
