import type { Engine } from '../database.ts'

/** The audit by act, actor and address, at a million rows too. SQLite's indexes end with the row's id by themselves. */
export const auditFiltersMigration = {
  name: 'the audit by act, actor and address',
  sql: (engine: Engine) => {
    const id = engine === 'postgres' ? ', id' : ''
    return `
create index audit_owner_act on audit (owner_id, act, at${id});
create index audit_act on audit (act, at${id});
create index audit_actor on audit (actor_id, at${id});
create index audit_ip on audit (ip, at${id});
`
  },
}
