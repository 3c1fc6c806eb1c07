import type { Engine } from '../../database.ts'

/**
 * The servers of a PostgreSQL database, each with a row that it renews: a restore sees them there even while a stall
 * has cost one its lock. SQLite needs none: there the operating system has the lock, which nothing but the end of the
 * process takes away.
 */
const serverProcesses = `
create table server_processes (
  -- Random for each start.
  id text not null primary key,
  name text not null,
  -- Counted up by each sign of life: what is compared, because clocks may jump.
  renewals bigint not null,
  -- By the clock of the database.
  last_seen timestamptz not null
);
`

/** What makes this database this one, its settings, and the servers that use it. */
export const installation = (engine: Engine): string => `
create table installation (
  only_row smallint not null primary key check (only_row = 1),
  id text not null,
  -- A check value of the master key that sealed the secrets; null until a server with one has opened the database.
  master_key_check text
);

create table platform_settings (
  name text primary key,
  value text not null
);

-- The last time written down: one row; epoch milliseconds.
create table server_time (
  id integer primary key check (id = 1),
  at bigint not null
);
${engine === 'postgres' ? serverProcesses : ''}`
