export const machinesMigration = {
  name: 'users by their machine',
  sql: () => `
create index users_machine on users (app_id, hwid_hash) where hwid_hash is not null;
`,
}
