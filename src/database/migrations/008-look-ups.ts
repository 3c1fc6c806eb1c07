/** Look-ups of a rejected request by its ID, and of users by one of their variables. */
export const lookUpsMigration = {
  name: 'look-ups by request and by user variable',
  sql: () => `
alter table logs add column request text not null default '';
create index logs_request on logs (app_id, request) where request <> '';
create index user_variables_value on user_variables (app_id, name, substr(data, 1, 64));
`,
}
