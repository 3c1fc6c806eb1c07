import type { Engine } from '../database.ts'

/** The audit by kind of actor and by app: what few rows have is found among a million at once, too. */
export const rareAuditFiltersMigration = {
  name: 'the audit by kind of actor and by app',
  sql: (engine: Engine) => {
    const id = engine === 'postgres' ? ', id' : ''
    return `
create index audit_owner_kind on audit (owner_id, actor_type, at${id});
create index audit_kind on audit (actor_type, at${id});
create index audit_app on audit (app_id, at${id});
`
  },
}
