import type { Engine } from '../database.ts'

/** `licenses_used` was made a second time of what `licenses_redeemed` is: each redemption wrote both. */
export const oneIndexOfRedeemedMigration = {
  name: 'one index of redeemed licenses',
  sql: (_engine: Engine) => `
drop index licenses_used;
`,
}
