/** What an act on many was done to: its row in `audit` has their number. They go with the app. */
export const auditTargetsMigration = {
  name: 'the targets of acts on many',
  sql: () => `
create table audit_targets (
  audit_id bigint not null,
  target text not null,
  app_id text not null,
  primary key (audit_id, target)
);
create index audit_targets_app on audit_targets (app_id, target, audit_id);
`,
}
