import type { Feature } from '#server/http/endpoint.ts'

/** What resellers pay with. Its calls are those of `resellers` and `reseller-api`. */
export const credits: Feature = {
  name: 'credits',
  contract: {},
  endpoints: [],
  appTables: ['credit_transfers', 'credit_accounts'],
}
