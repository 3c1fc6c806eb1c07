import type { Engine } from '../database.ts'

/** Written only where several processes use one database; lost in a crash, as what each has in memory is. */
export const usedNoncesMigration = {
  name: 'nonces that no other process takes',
  sql: (engine: Engine) => `
create ${engine === 'postgres' ? 'unlogged ' : ''}table used_nonces (digest text primary key, at bigint not null);
create index used_nonces_age on used_nonces (at);
`,
}
