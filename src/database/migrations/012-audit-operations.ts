/** Which recorded acts an undo takes back, and which rows record that undo. They go with the app. */
export const auditOperationsMigration = {
  name: 'operations of the audit',
  sql: () => `
create table audit_operations (
  audit_id bigint not null,
  app_id text not null,
  operation_id text not null,
  undoes integer not null,
  primary key (audit_id, operation_id)
);
create index audit_operations_app on audit_operations (app_id, operation_id, undoes);
`,
}
