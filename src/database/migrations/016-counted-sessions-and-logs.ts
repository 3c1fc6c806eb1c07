/**
 * The country of a session's address, as the log has it, and its place in the index from which sessions are counted: no
 * further index changes with each heartbeat. That of machines changes at sign-ins only. The index of the log's order has
 * the codes of rejections too, so that its histogram is counted without reading rows.
 */
export const countedSessionsAndLogsMigration = {
  name: 'counts of sessions by country, and of log entries by result',
  sql: () => `
alter table client_sessions add column country text not null default '';
create index client_sessions_counts on client_sessions (app_id, expires_at, last_heartbeat_at, country)
  where ended_code is null;
drop index client_sessions_active;
create index client_sessions_device on client_sessions (app_id, substr(hwid_hash, 1, 12))
  where hwid_hash is not null and ended_code is null;
create index logs_results on logs (app_id, at, id, code);
drop index logs_time;
`,
}
