export const serverTimeMigration = {
  name: 'the last time written down',
  sql: () => `
-- One row; epoch milliseconds.
create table server_time (
  id integer primary key check (id = 1),
  at bigint not null
);
`,
}
