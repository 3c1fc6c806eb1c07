/** Finds the next users of a level in order: without one PostgreSQL would rather read the whole table for a few. */
export const usersOfALevelMigration = {
  name: 'users of a level',
  sql: () => `
drop index user_subscriptions_level;
create index user_subscriptions_level on user_subscriptions (app_id, level, user_id);
`,
}
