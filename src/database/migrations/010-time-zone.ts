export const timeZoneMigration = {
  name: 'the time zone of an account',
  sql: () => `
-- A name of the IANA database; null is the browser's own.
alter table accounts add column time_zone text;
`,
}
