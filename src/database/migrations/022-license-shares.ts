/** What each license gave of a user's time on a level, where several have; null where one gave all of it. */
export const licenseSharesMigration = {
  name: 'the time that each of several licenses gave',
  sql: () => `
alter table user_subscriptions add column shares text;
create index user_subscriptions_shared on user_subscriptions (app_id, user_id) where shares is not null;
`,
}
