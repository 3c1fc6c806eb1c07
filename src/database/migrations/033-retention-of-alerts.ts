/** Since when an alert is decided, so that it goes after a time; and the order in which the others get old. */
export const retentionOfAlertsMigration = {
  name: 'retention of alerts',
  sql: () => `
alter table alerts add column resolved_at bigint;
update alerts set resolved_at = last_at where status <> 'new';
create index alerts_resolved on alerts (app_id, resolved_at) where resolved_at is not null;
create index alerts_unreviewed on alerts (app_id, last_at) where status = 'new';
`,
}
