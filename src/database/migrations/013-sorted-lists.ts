import type { Engine } from '../database.ts'
import { longestTime } from '../sort-order.ts'

/**
 * Licenses by expiry and users by time left or last sign-in, with what their filters check, so that a page is read from
 * the index alone. That of the time left has an expression, so that no other query takes it instead of `users_access`.
 */
export const sortedListsMigration = {
  name: 'sorted lists of licenses and users',
  sql: (engine: Engine) => (engine === 'sqlite' ? sqlite : postgres),
}

const sqlite = `
create index licenses_ends on licenses (app_id, coalesce(expires_at, ${longestTime}), id, state, level);
create index users_time_left on users (app_id, paused * 1, access_until, id, paused, banned);
create index users_last_login on users (app_id, last_login_at, id, banned, paused, access_until);
`

const postgres = `
create index licenses_ends on licenses (app_id, expires_at, id) include (state, level);
create index users_time_left on users (app_id, (paused * 1), access_until, id) include (paused, banned);
create index users_last_login on users (app_id, last_login_at nulls first, id) include (banned, paused, access_until);
`
