import type pg from 'pg'
import { DatabaseMisconfigured } from '../unavailable.ts'
import { countServers } from './processes.ts'

/** Four processes fit into the 97 connections that PostgreSQL allows ordinary users by default. */
export const defaultConnections = 24

export interface ConnectionShares {
  /** Connections for calls, jobs and other short work. */
  calls: number
  /**
   * Connections for reports: each runs one report, and one more is used to cancel them. Few enough that programs always
   * find a connection.
   */
  reports: number
}

const maxReportConnections = 5
const listening = 1

/** Divides the connections of a process; one is for notifications from other processes. */
export function shareConnections(total: number): ConnectionShares {
  const reports = Math.min(maxReportConnections, Math.floor(total / 4))
  return { reports, calls: total - reports - listening }
}

export const defaultShares = shareConnections(defaultConnections)

export const totalConnections = ({ calls, reports }: ConnectionShares): number => calls + reports + listening

/** The lowest of the limits of the server, the database and the user. */
const limitText = `select least(
  current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
    - coalesce(nullif(current_setting('reserved_connections', true), '')::integer, 0),
  (select case when datconnlimit >= 0 then datconnlimit end from pg_database where datname = current_database()),
  (select case when rolconnlimit >= 0 then rolconnlimit end from pg_roles where rolname = current_user)) as "limit"`

/**
 * Throws `DatabaseMisconfigured` if the database allows fewer connections than one process may open; returns a warning
 * if it allows fewer than all processes together, including this one.
 */
export async function checkConnectionLimit(client: pg.ClientBase, total: number): Promise<string | undefined> {
  const { rows } = await client.query<{ limit: number }>(limitText)
  const limit = rows[0]?.limit ?? Infinity
  if (limit < total) {
    throw new DatabaseMisconfigured(
      `PostgreSQL allows ${limit} connections, and this process may open ${total}: ` +
        'raise max_connections (or the limit of the database or the user), or lower DATABASE_CONNECTIONS',
    )
  }
  const processes = (await countServers(client)) + 1
  if (limit >= total * processes) return undefined
  return (
    `PostgreSQL allows ${limit} connections, and ${processes} processes of Signet may open ${total * processes}: ` +
    'raise max_connections, or lower DATABASE_CONNECTIONS'
  )
}
