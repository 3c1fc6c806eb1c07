/** Counting an app's active sessions reads this index alone. */
export const activeSessionsMigration = {
  name: 'index of active sessions',
  sql: () => `
create index client_sessions_active on client_sessions (app_id, expires_at, last_heartbeat_at) where ended_code is null;
drop index client_sessions_live;
`,
}
