import type { Engine } from '../database.ts'

/** How long an app's log is stored, and what was done to one thing of an app. */
export const logRetentionMigration = {
  name: 'retention of logs',
  sql: (_engine: Engine) => `
create table log_retention (
  app_id text primary key references apps (id) on delete cascade,
  days integer not null
);
create index audit_target on audit (app_id, target, id);
`,
}
