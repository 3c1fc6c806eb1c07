/** As the dashboard names it; null is English. A browser that signed a reseller in before `devices_since` is a stranger. */
export const languageMigration = {
  name: 'the language of mails, known devices of resellers',
  sql: () => `
alter table accounts add column language text;
alter table resellers add column language text;
alter table resellers add column devices_since bigint not null default 0;
`,
}
