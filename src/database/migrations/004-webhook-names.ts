/** What an owner calls a webhook; empty for those from before, and where nobody gave a name. */
export const webhookNamesMigration = {
  name: 'names of webhooks',
  sql: () => `alter table webhooks add column name text not null default '';`,
}
